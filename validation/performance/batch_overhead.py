#!/usr/bin/env python3
"""Measures what a batch costs beside its runs. usage: batch_overhead.py GSIM [TINY [PAIRS]]

TINY (10000) tasks that price one option with 4096 samples: processor time of a task in the batch, tasks a second and core by
it, elapsed time, and the memory of the largest process; the same of a tenth of the tasks, so that a cost that grows faster than
their number shows; and the processor time of runs of their own. Then PAIRS (16) times a batch of four tasks of half a second
and the same runs by `gsim run`, in turns: the processor time of the batch over that of its runs, with its standard error.
Processor times are user and system time of all processes (getrusage), which other work on the machine changes less than
elapsed times.
"""
import math
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


def run_batch(gsim, folder, name):
    return processor_time(gsim, "batch", "run", "tasks.toml", "--folder", name, "-q", cwd=folder)


def run_alone(gsim, folder, count):
    total = 0.0
    for i in range(count):
        total += processor_time(gsim, "run", "-q", "call.toml", "--threads", 1, "--output", f"alone/{i}.h5", "--set",
                                f"market.assets.S.volatility={0.1 + 0.4 * i / max(count - 1, 1):.15g}", cwd=folder)[0]
    return total


def tiny(gsim, folder, count):
    (folder / "alone").mkdir()
    for tasks in (max(count // 10, 1), count):
        write(folder, 4096, "european", tasks)
        processor, elapsed = run_batch(gsim, folder, f"tiny{tasks}")
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # the largest so far
        print(f"{tasks} tiny tasks: {1000 * processor / tasks:.2f} ms of processor time each, {tasks / processor:.0f} a second and "
              f"core; {elapsed:.0f} s, {tasks / elapsed:.0f} a second on {os.cpu_count()} cores; {memory:.0f} MB", flush=True)
    alone = run_alone(gsim, folder, 50) / 50
    print(f"a run of its own: {1000 * alone:.2f} ms", flush=True)


def pairs(gsim, folder, count):
    tasks = 4
    write(folder, 2**23, "asian", tasks, "fixing_count = 12\n")
    ratios = []
    for turn in range(count):
        def batch():
            return run_batch(gsim, folder, f"pair{turn}")[0]

        def alone():
            return run_alone(gsim, folder, tasks)
        # The order changes, so that a machine that becomes slower favours neither.
        first, second = (batch, alone) if turn % 2 else (alone, batch)
        times = {first: first(), second: second()}
        ratios.append(times[batch] / times[alone] - 1)
        print(f"{tasks} tasks of {times[alone] / tasks:.2f} s: the batch takes {100 * ratios[-1]:+.2f} % more than its runs", flush=True)
    error = statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.nan
    print(f"mean {100 * statistics.mean(ratios):+.2f} ± {100 * error:.2f} %, median {100 * statistics.median(ratios):+.2f} %")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    gsim = pathlib.Path(sys.argv[1]).resolve()
    counts = [int(x) for x in sys.argv[2:]] + [10000, 16][len(sys.argv) - 2:]
    with tempfile.TemporaryDirectory() as name:
        if counts[0] > 0:
            tiny(gsim, pathlib.Path(name), counts[0])
        if counts[1] > 0:
            (pathlib.Path(name) / "alone").mkdir(exist_ok=True)
            pairs(gsim, pathlib.Path(name), counts[1])


if __name__ == "__main__":
    main()
