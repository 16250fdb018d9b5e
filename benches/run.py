"""Measures whole runs of the program; `run.sh` builds it and starts this.

Each figure is the median of several runs. Wall time is that of the whole process as seen from outside, CPU time and
peak memory are what the kernel says of it when it ends. Program and `cp -r` take turns, so that a machine that slows
down slows both.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys

import workload

MIB = 1 << 20
HERE = pathlib.Path(__file__).resolve().parent


class Sample:
    """What some runs of one command came to: seconds, seconds of CPU, bytes at the peak."""

    def __init__(self):
        self.walls, self.cpus, self.peaks = [], [], []

    @property
    def wall(self):
        return statistics.median(self.walls)

    @property
    def cpu(self):
        return statistics.median(self.cpus)

    @property
    def peak(self):
        return statistics.median(self.peaks)


def run_once(command, sample):
    """Runs a command with its output thrown away; a failure ends everything."""
    launch = [sys.executable, "-I", "-S", str(HERE / "launch.py"), *command]
    told = subprocess.run(launch, check=True, stdout=subprocess.PIPE, text=True).stdout
    code, wall, cpu, peak = told.split()
    if code != "0":
        sys.exit(f"run.py: {' '.join(command)} ended with {code}")
    if sample is not None:
        sample.walls.append(float(wall))
        sample.cpus.append(float(cpu))
        sample.peaks.append(int(peak))


def measured(commands, runs, warm_up=True):
    """Runs every command so many times, taking turns. A command is a name, its words and what to do before it."""
    samples = {name: Sample() for name, _, _ in commands}
    for turn in range(runs + warm_up):
        for name, command, prepare in commands:
            if prepare is not None:
                prepare()
            run_once(command, samples[name] if turn >= warm_up else None)
    return samples


def size_of(*paths):
    """The bytes of all files below some paths."""
    total = 0
    for path in paths:
        if path.is_file():
            total += path.stat().st_size
            continue
        for folder, _, files in os.walk(path):
            total += sum(os.stat(os.path.join(folder, file)).st_size for file in files)
    return total


class Bench:
    """The programs to measure, where to work, and the table so far."""

    def __init__(self, programs, work, runs, quick):
        self.programs, self.work, self.runs, self.quick = programs, work, runs, quick
        self.rows, self.scaling = [], {}
        self.aside = work / "aside"
        self.aside_count = 0

    def clearing(self, *paths):
        """What makes room at some paths. What is there is set aside, not removed: ext4 takes no inode again that was
        freed within the last minutes, and looking for others makes whatever creates files slower and slower."""

        def prepare():
            for path in paths:
                if path.exists():
                    self.aside.mkdir(exist_ok=True)
                    self.aside_count += 1
                    path.rename(self.aside / f"{os.getpid()}-{self.aside_count}")

        return prepare

    def made(self, name, make, *arguments):
        """The folder of a workload, made when it is not there."""
        label = "-".join([name, *map(str, arguments)])
        folder = self.work / label
        if not (folder / ".complete").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder, *arguments)
            (folder / ".complete").touch()
        return folder

    def row(self, what, samples, target=None, holds=None, handled=None, note=""):
        """Adds a row: a `target` in words and what tells whether it holds; `handled` bytes bound the memory."""
        own = samples[self.programs[0][0]]
        limit = None if handled is None else 3 * handled + 16 * MIB
        self.rows.append(
            {
                "what": what,
                "wall": own.wall,
                "cpu": own.cpu,
                "peak": own.peak,
                "beside": {name: sample.wall for name, sample in samples.items() if sample is not own},
                "target": target,
                "holds": None if holds is None else bool(holds),
                "memory_limit": limit,
                "memory_holds": None if limit is None else own.peak <= limit,
                "note": note,
            }
        )
        print(line_of(self.rows[-1]), flush=True)
        return own

    def told(self, words):
        """How many bytes a run of the program writes to its output and to its log."""
        log = self.work / "run.log"
        log.unlink(missing_ok=True)
        command = [self.programs[0][1], *words]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        return len(output) + (log.stat().st_size if log.exists() else 0)

    def commands(self, words, prepare=None):
        return [(name, [path, *words], prepare) for name, path in self.programs]

    def replays(self, folder, out):
        files = ["--generators", f"{folder}/generators", "--execute", f"{folder}/scaffold.json", "--output", str(out)]
        return ["grow", *files, "--log", str(self.work / "run.log")]

    # The workloads.

    def start(self):
        samples = measured(self.commands(["--version"]), self.runs * 10)
        own = samples[self.programs[0][0]]
        self.row("--version", samples, "under 2 ms", own.wall < 0.002)
        folder = self.made("tree", workload.tree, 20, 3)
        out = self.work / "out"
        samples = measured(self.commands(self.replays(folder, out), self.clearing(out)), self.runs * 5)
        own = samples[self.programs[0][0]]
        self.row("replay of 20 files", samples, "under 5 ms", own.wall < 0.005)

    def files(self):
        for count in (100, 1_000, 10_000):
            folder = self.made("tree", workload.tree, count, 3)
            out, copy = self.work / "out", self.work / "copy"
            replay = self.replays(folder, out)
            self.clearing(out)()
            told = self.told(replay)
            source = self.work / "source"
            self.clearing(source)()
            shutil.copytree(out, source)
            copying = ("cp -r", ["cp", "-r", str(source), str(copy)], self.clearing(copy))
            samples = measured([*self.commands(replay, self.clearing(out)), copying], self.runs)
            read = size_of(folder / "generators", folder / "scaffold.json") + told
            made = size_of(out / "lib")
            own, copied = samples[self.programs[0][0]], samples["cp -r"]
            is_target = count == 10_000
            ratio = own.wall / copied.wall
            self.row(
                f"replay of {count:,} files × 3",
                samples,
                "1.5 × cp -r" if is_target else None,
                ratio <= 1.5 if is_target else None,
                read + made,
                f"{ratio:.2f} × cp -r",
            )
            self.scaled("replay, files × 3", count, own)
            again = measured([*self.commands(replay), copying], self.runs)
            own, copied = again[self.programs[0][0]], again["cp -r"]
            ratio = own.wall / copied.wall
            self.row(
                f"the same again, {count:,} unchanged",
                again,
                "0.5 × cp -r" if is_target else None,
                ratio <= 0.5 if is_target else None,
                read + made,
                f"{ratio:.2f} × cp -r",
            )
            self.scaled("rerun, files × 3", count, own)

    def regions(self):
        walls = {}
        for count in (300, 3_000, 30_000):
            folder = self.made("tree", workload.tree, 1, count)
            out = self.work / "out"
            samples = measured(self.commands(self.replays(folder, out), self.clearing(out)), self.runs)
            own = samples[self.programs[0][0]]
            walls[count] = own.wall
            target, holds, note = None, None, ""
            if count == 3_000:
                target, holds = "under 50 ms", own.wall < 0.050
            if count == 30_000:
                ratio = own.wall / walls[3_000]
                target, holds, note = "under 10 × the 3,000", ratio < 10, f"{ratio:.1f} × the 3,000"
            handled = size_of(folder / "generators", folder / "scaffold.json", out / "lib")
            self.clearing(out)()
            handled += self.told(self.replays(folder, out))
            self.row(f"{count:,} regions in one file", samples, target, holds, handled, note)
            self.scaled("regions in one file", count, own)

    def large(self):
        mebibytes = 100
        folder = self.made("large", workload.large_file, mebibytes)
        out = self.work / "out"

        def prepare():
            self.clearing(out)()
            shutil.copytree(folder / "target", out)

        samples = measured(self.commands(self.replays(folder, out), prepare), self.runs)
        own = samples[self.programs[0][0]]
        handled = size_of(folder / "target") + size_of(out / "journal.log")
        self.row("a target file of 100 MiB", samples, "under 1 s", own.wall < 1, handled)
        self.clearing(out)()

    def catalogs(self):
        for packages in (2, 20, 200):
            if packages == 200 and self.quick:
                continue
            folder = self.made("catalog", workload.catalog, packages, 200)
            generators = folder / "generators"
            samples = measured(self.commands(["validate", "--generators", str(generators)]), self.runs)
            own = samples[self.programs[0][0]]
            is_target = packages == 20
            self.row(
                f"{packages} packages × 200 actions validated",
                samples,
                "under 70 ms" if is_target else None,
                own.wall < 0.070 if is_target else None,
                size_of(generators),
            )
            self.scaled("packages × 200 validated", packages, own)

    def resolving(self):
        for count in (100, 1_000, 10_000):
            folder = self.made("tree", workload.tree, count, 3)
            words = ["resolve", "--generators", f"{folder}/generators", "--records", f"{folder}/records"]
            samples = measured(self.commands(words), self.runs)
            own = samples[self.programs[0][0]]
            is_target = count == 10_000
            self.row(
                f"{count:,} paths resolved",
                samples,
                "under 40 ms" if is_target else None,
                own.wall < 0.040 if is_target else None,
                size_of(folder / "generators", folder / "records") + self.told(words),
            )
            self.scaled("paths resolved", count, own)

    def program(self):
        path = pathlib.Path(self.programs[0][1])
        size = path.stat().st_size
        print(f"\nThe program: {size:,} bytes (target: under 8 MiB, {8 * MIB:,}): {verdict(size < 8 * MIB)}")
        return {"bytes": size, "holds": size < 8 * MIB}

    def scaled(self, what, count, sample):
        self.scaling.setdefault(what, []).append(
            {"count": count, "wall": sample.wall, "cpu": sample.cpu, "peak": sample.peak}
        )

    def print_scaling(self):
        print("\nHow it scales (CPU ms for each 1,000, which a linear cost keeps or lowers):\n")
        for what, points in self.scaling.items():
            each = [f"{p['count']:,}: {p['cpu'] * 1e6 / p['count']:.1f}" for p in points]
            print(f"  {what:<28}{'   '.join(each)}")


def verdict(holds):
    return "" if holds is None else ("holds" if holds else "MISSED")


def milliseconds(seconds):
    return f"{seconds * 1000:.1f}" if seconds < 0.1 else f"{seconds * 1000:,.0f}"


HEADER = f"{'workload':<36}{'wall ms':>9}{'CPU ms':>9}{'peak MiB':>10}  {'target':<22}{'':<8}{'memory':<8}beside"


def line_of(row):
    beside = ", ".join(f"{name} {milliseconds(wall)}" for name, wall in row["beside"].items())
    if row["note"]:
        beside = f"{beside} ({row['note']})" if beside else f"({row['note']})"
    return (
        f"{row['what']:<36}{milliseconds(row['wall']):>9}{milliseconds(row['cpu']):>9}{row['peak'] / MIB:>10.1f}"
        f"  {row['target'] or '':<22}{verdict(row['holds']):<8}{verdict(row['memory_holds']):<8}{beside}"
    ).rstrip()


def machine():
    """What the figures were measured on, in a line."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{cpu}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"


def main():
    parser = argparse.ArgumentParser(description="Measures whole runs of the program.")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="the folder of the workloads")
    parser.add_argument("--runs", type=int, default=5, help="runs a figure (5)")
    parser.add_argument("--quick", action="store_true", help="leave out the largest workload, which takes minutes to make")
    parser.add_argument("--results", type=pathlib.Path, help="a JSON file for the figures, which plot.py draws")
    parser.add_argument("--own", required=True, help="the program that the targets are for")
    parser.add_argument("others", nargs="*", help="other programs to measure beside it")
    arguments = parser.parse_args()
    programs = [("sedum", arguments.own)]
    programs += [(f"other {at + 1}", path) for at, path in enumerate(arguments.others)]
    arguments.work.mkdir(parents=True, exist_ok=True)
    bench = Bench(programs, arguments.work, arguments.runs, arguments.quick)
    print(machine())
    for name, path in programs[1:]:
        print(f"{name} is {path}")
    print(f"\n{HEADER}")
    try:
        for part in (bench.start, bench.files, bench.regions, bench.large, bench.catalogs, bench.resolving):
            part()
    finally:
        bench.clearing(arguments.work / "out", arguments.work / "copy", arguments.work / "source")()
        shutil.rmtree(bench.aside, ignore_errors=True)
    size = bench.program()
    bench.print_scaling()
    if arguments.results:
        content = {"machine": machine(), "rows": bench.rows, "scaling": bench.scaling, "program": size}
        arguments.results.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    missed = [row["what"] for row in bench.rows if row["holds"] is False or row["memory_holds"] is False]
    if not size["holds"]:
        missed.append("the size of the program")
    print("\nEvery target holds." if not missed else f"\nMissed: {', '.join(missed)}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
