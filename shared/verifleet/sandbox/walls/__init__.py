"""The walls around a run: namespaces, limits, Landlock, the filter of system calls. Standard library only."""
