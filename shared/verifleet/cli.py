"""The `verifleet` command."""


def main() -> None:
    """Run the command line."""
