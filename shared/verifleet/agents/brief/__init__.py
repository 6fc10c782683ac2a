"""The facts of an incident, as its brief tells them."""
