"""Which clauses of a report are claims of fact about an incident, and what of it is guidance."""
