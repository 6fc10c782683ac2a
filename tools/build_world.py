"""Make the desk's map of the world, desk/world.json, of Natural Earth's countries (public domain).

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz
    python -m tools.build_world package/countries-50m.json

Points that change a line least are left out (Visvalingam), shared lines alike on both sides. The map is two paths in
hundredths of a degree, longitude to the right and latitude downwards: the land, and the borders between countries.
"""

from __future__ import annotations

import heapq
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "shared" / "verifleet" / "desk" / "world.json"
LEAST_AREA = 120
"""Of the triangle of a point with its neighbours, in hundredths of a degree squared: what is smaller is left out."""
LEAST_ISLAND = 60
EDGE, WORLD = 18_000, 36_000
SOUTHERNMOST = 6_000
"""What lies wholly beyond is not on the map: Antarctica."""
Point = tuple[int, int]
Line = list[Point]


def decoded(topology: dict[str, Any]) -> list[Line]:
    """The lines of a topology."""
    (west, south), (wide, high) = topology["transform"]["translate"], topology["transform"]["scale"]
    lines = []
    for arc in topology["arcs"]:
        x = y = 0
        line: Line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((round(100 * (west + x * wide)), -round(100 * (south + y * high))))
        lines.append(line)
    return lines


def area(one: Point, two: Point, three: Point) -> float:
    """How much a line changes without its point in the middle, as it is seen at that latitude."""
    doubled = (two[0] - one[0]) * (three[1] - one[1]) - (three[0] - one[0]) * (two[1] - one[1])
    return abs(doubled) / 2 * math.cos(math.radians(min(80.0, abs(two[1]) / 100)))


def simplified(line: Line, least: int = LEAST_AREA) -> Line:
    """The line without the points that change it least; its ends stay."""
    before, after = list(range(-1, len(line) - 1)), list(range(1, len(line) + 1))
    areas = {at: area(line[at - 1], line[at], line[at + 1]) for at in range(1, len(line) - 1)}
    heap = [(size, at) for at, size in areas.items()]
    heapq.heapify(heap)
    keep = 2 if line[0] == line[-1] else 0
    while heap and len(areas) > keep:
        size, at = heapq.heappop(heap)
        if size > least:
            break
        if areas.get(at) != size:
            continue
        del areas[at]
        left, right = before[at], after[at]
        after[left], before[right] = right, left
        for other in (left, right):
            if other in areas:
                areas[other] = max(size, area(line[before[other]], line[other], line[after[other]]))
                heapq.heappush(heap, (areas[other], other))
    return [point for at, point in enumerate(line) if at in areas or at in (0, len(line) - 1)]


def rings(geometry: dict[str, Any]) -> Iterable[list[int]]:
    """The rings of a geometry, as the lines that they are made of."""
    if geometry["type"] == "GeometryCollection":
        for part in geometry["geometries"]:
            yield from rings(part)
    elif geometry["type"] == "Polygon":
        yield from geometry["arcs"]
    elif geometry["type"] == "MultiPolygon":
        for polygon in geometry["arcs"]:
            yield from polygon


def joined(ring: Sequence[int], lines: Sequence[Line]) -> Line:
    """A ring of lines, each from its end on where its number is negative."""
    made: Line = []
    for number in ring:
        line = lines[number] if number >= 0 else lines[~number][::-1]
        made += line[bool(made) :]
    return made


def whole(ring: Line) -> list[Line]:
    """A ring in its parts on the map: one that crosses the 180th meridian has some at either edge."""
    x, shift, there = ring[0][0], 0, []
    for point in ring:
        shift += WORLD * ((point[0] - x < -EDGE) - (point[0] - x > EDGE))
        x = point[0]
        there.append((x + shift, point[1]))
    if all(-EDGE <= x <= EDGE for x, _ in there):
        return [there]
    parts = [[(x + move, y) for x, y in there] for move in (-WORLD, 0, WORLD)]
    cut = (clipped(clipped(part, EDGE, 1), -EDGE, -1) for part in parts)
    return [part for part in cut if len(part) > 3]


def clipped(ring: Line, edge: int, sign: int) -> Line:
    """The part of a ring on the inner side of a meridian."""
    made: Line = []
    for (x1, y1), (x2, y2) in pairwise([*ring, *ring[:1]]):
        inside, after = sign * x1 <= sign * edge, sign * x2 <= sign * edge
        made += [(x1, y1)] if inside else []
        if inside != after:
            made.append((edge, round(y1 + (y2 - y1) * (edge - x1) / (x2 - x1))))
    return [*made, made[0]] if made else made


def size(ring: Line) -> float:
    """The area within a ring."""
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(ring))) / 2


def path(lines: Iterable[Line], *, closed: bool) -> str:
    """Lines as the data of an SVG path, each point relative to the one before."""
    parts = []
    for line in lines:
        here, steps = line[0], []
        for point in line[1 : -1 if closed else None]:
            steps += [f"{point[0] - here[0]} {point[1] - here[1]}"] if point != here else []
            here = point
        told = f"l{' '.join(steps)}".replace(" -", "-") if steps else ""
        parts.append(f"M{line[0][0]} {line[0][1]}{told}{'z' * closed}")
    return "".join(parts)


def main() -> None:
    """Read a topology of Natural Earth's countries and write the map."""
    topology = json.loads(Path(sys.argv[1]).read_text())
    lines = [simplified(line) for line in decoded(topology)]
    land = [joined(ring, lines) for ring in rings(topology["objects"]["land"])]
    land = [ring for ring in land if min(y for _, y in ring) < SOUTHERNMOST]
    used = Counter(
        number if number >= 0 else ~number for ring in rings(topology["objects"]["countries"]) for number in ring
    )
    made = {
        "land": path((part for ring in land for part in whole(ring) if size(part) >= LEAST_ISLAND), closed=True),
        "borders": path((lines[number] for number, many in used.items() if many > 1), closed=False),
    }
    TARGET.write_text(json.dumps(made) + "\n")
    print(f"{TARGET.stat().st_size} bytes, {sum(map(len, lines))} points")


if __name__ == "__main__":
    main()
