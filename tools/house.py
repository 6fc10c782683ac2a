"""Figures of how the house is kept: lengths, circles, docstrings, long lines, names that occur twice.

Without an argument they are printed; `python -m tools.house --check` names each long line (ruff lets those pass that
have no blank).
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Sequence

from tools.imports import PACKAGE, circles, folders, graph, rooms
from tools.toolbox import ROOT

LONG_FUNCTION = 50
LONG_LINE = 120
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> int:
    """Print them, one a line."""
    if "--check" in sys.argv[1:]:
        return _check()
    of = graph()
    module_lines, function_lines, twice = [], [], Counter[str]()
    named = documented = long_lines = 0
    for path in sorted((ROOT / "shared" / PACKAGE).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        long_lines += sum(len(line) > LONG_LINE for line in lines)
        tree = ast.parse(text)
        if path.name != "__init__.py":
            module_lines.append(len(lines))
            twice[path.stem] += 1
        public = [tree, *(node for node in ast.walk(tree) if _is_public(node))]
        named += len(public)
        documented += sum(ast.get_docstring(node) is not None for node in public)  # type: ignore[arg-type]
        function_lines += [
            (node.end_lineno or node.lineno) - node.lineno + 1 for node in ast.walk(tree) if isinstance(node, _Function)
        ]
    long_functions = sum(length > LONG_FUNCTION for length in function_lines)
    repeated = sorted(name for name, count in twice.items() if count > 1 and not name.startswith("_"))
    print(f"modules                        {len(of)}")
    print(f"circles of modules             {len(circles(of))}")
    print(f"circles of rooms side by side  {sum(len(circles(rooms(of, folder))) for folder in folders(of))}")
    print(f"lines a module                 {_spread(module_lines)}")
    print(f"lines a function               {_spread(function_lines)}")
    print(
        f"functions over {LONG_FUNCTION} lines        {long_functions} of {len(function_lines)}, "
        f"{100 * long_functions / len(function_lines):.1f} %"
    )
    print(f"public names with a docstring  {documented} of {named}, {100 * documented / named:.1f} %")
    print(f"lines over {LONG_LINE} characters      {long_lines}")
    print(f"module names that occur twice  {len(repeated)}: {' '.join(repeated)}")
    return 0


def _check() -> int:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters"
        for path in sorted((ROOT / "shared" / PACKAGE).rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LONG_LINE
    ]
    print("\n".join(found) or f"no line is longer than {LONG_LINE} characters")
    return min(len(found), 1)


def _is_public(node: ast.AST) -> bool:
    return isinstance(node, (*_Function.__args__, ast.ClassDef)) and not node.name.startswith("_")


def _spread(lengths: Sequence[int]) -> str:
    ordered = sorted(lengths)
    return f"median {ordered[len(ordered) // 2]}, p90 {ordered[len(ordered) * 9 // 10]}, longest {ordered[-1]}"


if __name__ == "__main__":
    sys.exit(main())
