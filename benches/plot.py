"""Draws the scaling that run.py measured (--results FILE) as an SVG: `plot.py RESULTS.json > docs/performance.svg`.

Both axes are logarithmic: a cost that grows in step with its input is a line at 45 degrees, drawn thin and grey beside
each curve from its last point.
"""

import json
import math
import sys

WIDTH, HEIGHT = 760, 470
LEFT, TOP, RIGHT, BOTTOM = 70, 50, 200, 55
COLOURS = ["#3b6fb6", "#c2572b", "#3f8f5b", "#8a5aa8", "#a08a1f"]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        results = json.load(file)
    curves = results["scaling"]
    counts = [point["count"] for points in curves.values() for point in points]
    times = [point["cpu"] * 1000 for points in curves.values() for point in points]
    x_range = decades(counts)
    y_range = decades(times)

    def x(count):
        return LEFT + (math.log10(count) - x_range[0]) / (x_range[1] - x_range[0]) * (WIDTH - LEFT - RIGHT)

    def y(milliseconds):
        share = (math.log10(milliseconds) - y_range[0]) / (y_range[1] - y_range[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15" fill="#222">CPU time by the size of the input</text>',
        f'<text x="{LEFT}" y="40" fill="#666">{escaped(results["machine"])}</text>',
    ]
    for power in range(x_range[0], x_range[1] + 1):
        at = x(10**power)
        parts.append(line(at, TOP, at, HEIGHT - BOTTOM, "#e3e3e3"))
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#444">{10**power:,}</text>')
    for power in range(y_range[0], y_range[1] + 1):
        at = y(10.0**power)
        label = f"{10**power:,} ms" if power >= 0 else f"{10.0**power:g} ms"
        parts.append(line(LEFT, at, WIDTH - RIGHT, at, "#e3e3e3"))
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end" fill="#444">{label}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{HEIGHT - 14}" text-anchor="middle" fill="#444">files, regions, packages or paths</text>')
    names = sorted(curves, key=lambda name: -curves[name][-1]["cpu"])
    placed = -math.inf
    for at, name in enumerate(names):
        colour = COLOURS[at % len(COLOURS)]
        points = [(p["count"], p["cpu"] * 1000) for p in curves[name]]
        last_count, last_time = points[-1]
        first = max(points[0][0], last_count * 10 ** y_range[0] / last_time)
        parts.append(line(x(first), y(last_time * first / last_count), x(last_count), y(last_time), "#c4c4c4", "3 3"))
        path = " ".join(f"{x(count):.1f},{y(time):.1f}" for count, time in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(count):.1f}" cy="{y(time):.1f}" r="3" fill="{colour}"/>' for count, time in points]
        placed = max(TOP + 8 + 22 * at, placed)
        parts.append(line(WIDTH - RIGHT + 14, placed - 4, WIDTH - RIGHT + 32, placed - 4, colour, width=2))
        parts.append(f'<text x="{WIDTH - RIGHT + 38}" y="{placed:.1f}" fill="{colour}">{escaped(name)}</text>')
    placed = TOP + 8 + 22 * len(names)
    parts.append(line(WIDTH - RIGHT + 14, placed - 4, WIDTH - RIGHT + 32, placed - 4, "#c4c4c4", "3 3"))
    parts.append(f'<text x="{WIDTH - RIGHT + 38}" y="{placed}" fill="#777">in step with the input</text>')
    parts.append("</svg>")
    print("\n".join(parts))


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def line(x1, y1, x2, y2, colour, dashes="", width=1):
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"{dashed}/>'
    )


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


if __name__ == "__main__":
    main()
