"""One function as a functions-framework process of the local fleet: `python -m verifleet.local.serve NAME --port P`.

It is what `functions-framework --source functions/NAME/main.py --target NAME` does, bound to loopback.
"""

from __future__ import annotations

import argparse
import os

from verifleet.local.addresses import function_source


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--host", default="127.0.0.1")
    arguments = parser.parse_args()
    serve(arguments.name, arguments.host, arguments.port)


def serve(name: str, host: str, port: int) -> None:
    """Serve one function until killed; raises SettingsError for an unknown one."""
    source = function_source(name)
    os.umask(0o077)  # what it stores is nobody else's to read
    from functions_framework._cli import _cli

    _cli(["--source", str(source), "--target", name, "--host", host, "--port", str(port)], standalone_mode=True)


if __name__ == "__main__":
    main()
