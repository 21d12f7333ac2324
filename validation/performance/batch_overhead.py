#!/usr/bin/env python3
"""Measures what a batch costs beside its runs. usage: batch_overhead.py GSIM [TINY [LONG]]

TINY (10000) tasks that price one option with 4096 samples: tasks a second and core, and processor time of a task, in the
batch and in runs of their own. LONG (8) tasks of about a second of processor time: the processor time of the batch over
that of the same runs by `gsim run`. Processor times are those of all processes (getrusage), so that other work on the
machine changes them little; each comparison is made in turns, three times, and the median is given.
"""
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

CALL = """module = "pricing"
[stop]
samples = {samples}
[market]
rate = 0.03
[market.assets.S]
spot = 100.0
volatility = 0.2
[[trades]]
id = "c"
product = "{product}"
asset = "S"
type = "call"
strike = 100.0
maturity = 1.0
"""
TASKS = """[[task]]
name = "t"
config = "call.toml"
threads = 1
[[task.vary]]
key = "market.assets.S.volatility"
from = 0.1
to = 0.5
count = {count}
"""


def processor_time(*command, cwd):
    """(processor time, elapsed time) of a command and its children, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([*map(str, command)], cwd=cwd, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start


def write(folder, samples, product, count, more=""):
    (folder / "call.toml").write_text(CALL.format(samples=samples, product=product) + more)
    (folder / "tasks.toml").write_text(TASKS.format(count=count))


def run_alone(gsim, folder, count):
    total = 0.0
    for i in range(count):
        total += processor_time(gsim, "run", "-q", "call.toml", "--threads", 1, "--output", f"alone/{i}.h5", "--set",
                                f"market.assets.S.volatility={0.1 + 0.4 * i / max(count - 1, 1):.15g}", cwd=folder)[0]
    return total


def tiny(gsim, folder, count):
    write(folder, 4096, "european", count)
    (folder / "alone").mkdir()
    batch, elapsed = processor_time(gsim, "batch", "run", "tasks.toml", "--folder", "tiny", "-q", cwd=folder)
    alone = run_alone(gsim, folder, 50) / 50
    print(f"{count} tiny tasks: {1000 * batch / count:.2f} ms of processor time each, {count / batch:.0f} a second and core; "
          f"{count / elapsed:.0f} a second on {os.cpu_count()} cores; a run of its own takes {1000 * alone:.2f} ms", flush=True)


def long(gsim, folder, count):
    write(folder, 33554432, "asian", count, "fixing_count = 12\n")
    ratios = []
    for turn in range(3):
        alone = run_alone(gsim, folder, count)
        batch = processor_time(gsim, "batch", "run", "tasks.toml", "--folder", f"long{turn}", "-q", cwd=folder)[0]
        ratios.append(batch / alone)
        print(f"{count} tasks of {alone / count:.2f} s: the batch takes {100 * (batch / alone - 1):+.2f} % more than its runs", flush=True)
    print(f"median {100 * (statistics.median(ratios) - 1):+.2f} %")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gsim = pathlib.Path(sys.argv[1]).resolve()
    counts = [int(x) for x in sys.argv[2:]] + [10000, 8][len(sys.argv) - 2:]
    with tempfile.TemporaryDirectory() as name:
        tiny(gsim, pathlib.Path(name), counts[0])
        long(gsim, pathlib.Path(name), counts[1])


if __name__ == "__main__":
    main()
