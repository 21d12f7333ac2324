#!/usr/bin/env python3
"""Checks status files, `gsim status` and the forecast of time. usage: status.py GSIM MPIEXEC"""
import atexit
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from checked_run import check, checked_run, on_ranks  # noqa: E402

GSIM, MPIEXEC = sys.argv[1:3]
ATOMS = """module = "md"
[md]
units = "lj"
steps = 200
time_step = 0.004
[[type]]
name = "Ar"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.8442
cells = [5, 5, 5]
temperature = 1.44
[pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
[[trajectory]]
every = 100
file = "named.h5md"
[status]
interval = 0.1
"""
CALL = """module = "pricing"
[stop]
samples = 16384
[market]
rate = 0.05
[market.assets.S]
spot = 100.0
volatility = 0.3
[[trades]]
id = "a \\"quoted\\" \\\\ name"
product = "european"
asset = "S"
type = "call"
strike = 95.0
maturity = 1.0
"""
# The exposition format of Prometheus, version 0.0.4, and what the textfile collector demands: no times, HELP and TYPE
# once and before the samples of their metric, all samples of a metric together, no sample twice.
NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(rf"({NAME})\{{({LABEL}(?:,{LABEL})*)\}} (\S+)$")


def gsim(*arguments, code=0, ranks=0):
    return checked_run([*on_ranks(MPIEXEC, ranks), GSIM, *arguments], FOLDER, code, timeout=100)


def unescape(text):
    return re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), text)


def metrics(path):
    """Parses a file strictly; {(metric, labels besides run): value}."""
    data = path.read_bytes()
    check(data.endswith(b"\n"), f"{path} does not end with a line end")
    samples, types, current = {}, {}, None
    for line in data.decode("utf-8").splitlines():
        if line.startswith("# HELP "):
            current = re.fullmatch(rf"# HELP ({NAME}) \S.*", line)[1]
            check(current not in types, f"{current} is described twice", line)
        elif line.startswith("# TYPE "):
            name, kind = re.fullmatch(rf"# TYPE ({NAME}) (counter|gauge)", line).groups()
            check(name == current, "TYPE of another metric", line)
            check((kind == "counter") == name.endswith("_total"), "names of counters end with _total", line)
            types[name] = kind
        else:
            match = SAMPLE.fullmatch(line)
            check(match, "no sample", line)
            name, text, value = match.groups()
            check(name == current and name in types, "a sample of another metric", line)
            labels = {k: unescape(v) for k, v in re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', text)}
            check(labels.pop("run") == str(path.resolve().with_suffix("")), "label run", line)
            key = (name, tuple(sorted(labels.items())))
            check(key not in samples, "a sample twice", line)
            samples[key] = float(value)
    return samples


def value(samples, name, **labels):
    return samples[f"gsim_run_{name}", tuple(sorted(labels.items()))]


def labels_of(samples, name):
    return next(dict(labels) for metric, labels in samples if metric == f"gsim_run_{name}")


def runs(*arguments, code=0):
    return {run["run"]: run for run in json.loads(gsim("status", *arguments, "--json", code=code))}


def start(*arguments, ranks=0):
    """A run in the background whose status file shows progress."""
    path = FOLDER / arguments[arguments.index("--output") + 1].replace(".h5", ".prom")
    path.unlink(missing_ok=True)
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
    process = subprocess.Popen([*launcher, GSIM, "run", "atoms.toml", "--quiet", "--threads", "1", *map(str, arguments)],
                               cwd=FOLDER, stdout=subprocess.DEVNULL)
    atexit.register(process.kill)
    for _ in range(1000):
        if path.exists() and value(metrics(path), "work_done", unit="step") > 0:
            return process, path
        check(process.poll() is None, "the run ended too early")
        time.sleep(0.02)
    return check(False, "no progress in the status file", path.exists() and path.read_text())


def finished_runs():
    prices = ["--set", "status.price_per_core_hour=36.0", "--set", 'status.currency="EUR"']
    plain = json.loads(gsim("run", "call.toml", "--log", "json", "--output", "plain.h5", "--set",
                            "status.enabled=false").splitlines()[-1])
    check(not (FOLDER / "plain.prom").exists(), "status.enabled = false")
    for ranks in (0, 2):
        path = FOLDER / f"call{ranks}.prom"
        end = json.loads(gsim("run", "call.toml", "--log", "json", "--output", f"call{ranks}.h5", "--threads", "1",
                              *prices, ranks=ranks).splitlines()[-1])
        check(end["digest"] == plain["digest"], "the table [status] changes results", end, plain)
        m = metrics(path)
        check([value(m, "state", state=s) for s in ("running", "finished", "interrupted", "failed")] == [0, 1, 0, 0],
              "state", path.read_text())
        info = labels_of(m, "info")
        check(info["module"] == "pricing" and info["config"] == "call.toml" and info["host"] == os.uname().nodename
              and info["result"] == str(FOLDER / f"call{ranks}.h5"), "info", info)
        check(labels_of(m, "end_info") == {"reason": "finished"}, "reason")
        check(value(m, "work_done", unit="block") == value(m, "work_planned", unit="block") == 4, "work")
        check(value(m, "progress_ratio") == 1 and value(m, "remaining_seconds") == 0, "progress")
        check(labels_of(m, "largest_error_ratio") == {"estimate": 'a "quoted" \\ name'}, "escaped label", m)
        size = max(ranks, 1)
        check(value(m, "ranks") == value(m, "threads") == size and value(m, "gpus") == 0, "ranks")
        check(("gsim_run_imbalance_ratio", ()) in m if ranks else ("gsim_run_imbalance_ratio", ()) not in m, "imbalance")
        largest = value(m, "largest_peak_memory_bytes")
        check(1e6 < largest <= value(m, "peak_memory_bytes") <= size * largest < 1e9, "memory", m)
        seconds = value(m, "duration_seconds")
        check(0 < seconds < 60 and abs(value(m, "core_seconds_total") / (size * seconds) - 1) < 1e-9, "core-seconds")
        check(abs(value(m, "cost_total", currency="EUR") / (0.01 * size * seconds) - 1) < 1e-9, "36 EUR per core-hour")
        now = time.time()
        check(now - 60 < value(m, "start_time_seconds") <= value(m, "update_time_seconds") <= now, "times")
    # The prices do not belong to a run's state: it is resumed with others.
    gsim("run", "call.toml", "--quiet", "--output", "call0.h5", "--resume", "--set", "stop.samples=32768")
    m = metrics(FOLDER / "call0.prom")
    check(value(m, "work_done", unit="block") == 8 and value(m, "earlier_duration_seconds") > 0, "resumed")
    check(not any(name == "gsim_run_cost_total" for name, _ in m), "a cost without prices")
    # A run that is refused leaves the status of the results that are there.
    before = (FOLDER / "call0.prom").read_text()
    gsim("run", "call.toml", "--output", "call0.h5", "--resume", "--set", "market.rate=0.01", code=2)
    check((FOLDER / "call0.prom").read_text() == before, "refused")
    # A status file that cannot be written costs a warning, not the run.
    (FOLDER / "folder.prom").mkdir()
    text = gsim("run", "call.toml", "--log", "json", "--output", "folder.h5", "--set", 'status.file="folder.prom"')
    check(text.count('"warning"') == 1 and "folder.prom" in text and "the run goes on" in text, "warning", text)
    (FOLDER / "folder.prom").rmdir()
    text = gsim("run", "call.toml", "--set", "status.price_per_kwh=0.3", code=2)
    check("the prices have no currency" in text, "currency", text)
    check("does not end with .prom" in gsim("run", "call.toml", "--set", 'status.file="x.txt"', code=2), "name of the file")


def running_and_ended_runs():
    process, path = start("--output", "long.h5", "--set", "md.steps=10000000", ranks=2)
    m = metrics(path)
    check(value(m, "state", state="running") == 1 and 0 < value(m, "progress_ratio") < 0.5
          and value(m, "remaining_seconds") > 0 and value(m, "items_per_second", item="atom-steps") > 0, "running", m)
    run = runs("long.prom")["long"]
    check(run["state"] == "running" and run["ranks"] == 2 and run["pid"] != process.pid, "status --json", run)
    watching = subprocess.Popen([GSIM, "status", "long.prom", "--watch=0.2"], cwd=FOLDER, stdout=subprocess.PIPE, text=True)
    atexit.register(watching.kill)
    time.sleep(0.5)
    os.kill(run["pid"], signal.SIGTERM)
    check(process.wait(60) == 75, "SIGTERM")
    output = watching.communicate(timeout=20)[0]
    check(watching.returncode == 75 and "running" in output and "\x1b" not in output and output.count("progress") > 1
          and output.splitlines()[-1] == "long interrupted: by a signal; go on with --resume", "--watch", output)
    check(labels_of(metrics(path), "end_info") == {"reason": "signal"}, "interrupted")
    # A part that goes on from a checkpoint and is killed.
    process, path = start("--output", "long.h5", "--set", "md.steps=10000000", "--resume")
    check(value(metrics(path), "earlier_duration_seconds") > 0, "resumed")
    process.kill()
    process.wait()
    check(value(metrics(path), "state", state="running") == 1, "a killed run cannot write")
    run = runs("long.prom", code=1)["long"]
    check(run["state"] == "stale" and f"process {process.pid} was killed or has crashed" in run["remark"], "stale", run)
    # The same file of another machine is stale when it is old.
    text = re.sub(r'host="[^"]*"', 'host="elsewhere"', path.read_text())
    (FOLDER / "elsewhere.prom").write_text(text)
    check(runs("elsewhere.prom")["elsewhere"]["state"] == "running", "a run elsewhere")
    (FOLDER / "elsewhere.prom").write_text(
        re.sub(r"(?m)^(gsim_run_update_time_seconds\S*) .*", rf"\1 {time.time() - 3600}", text))
    run = runs("elsewhere.prom", code=1)["elsewhere"]
    check(run["state"] == "stale" and "has written no status for" in run["remark"], "an old file", run)


def failed_runs():
    """Atoms that start on top of each other give forces that are no numbers; on any rank the file says so."""
    for ranks in (0, 2):
        text = gsim("run", "atoms.toml", "--quiet", "--output", f"bad{ranks}.h5", "--set", "md.time_step=50.0",
                    code=1, ranks=ranks)
        error = re.search(r"error: (.*)", text)[1]
        m = metrics(FOLDER / f"bad{ranks}.prom")
        check([value(m, "state", state=s) for s in ("running", "failed")] == [0, 1], "state", m)
        check(labels_of(m, "failure_info")["message"].splitlines()[0] in error, "message", m, error)
        run = runs(f"bad{ranks}.prom", code=1)[f"bad{ranks}"]
        check(run["state"] == "failed" and run["remark"].splitlines()[0] in error, "status of a failed run", run)
    check("bad0 failed: " in gsim("status", "bad0.prom", code=1), "a line for the failed run")


def folders():
    folder = FOLDER / "night"
    (FOLDER / "night.toml").write_text(
        'folder = "night"\n[[task]]\nname = "good"\nconfig = "call.toml"\n'
        '[[task]]\nname = "bad"\nconfig = "call.toml"\nset = ["market.assets.S.spot=-1"]\n'
        '[[task]]\nname = "late"\nconfig = "call.toml"\nafter = ["bad"]\n')
    gsim("batch", "run", "night.toml", code=1)
    states = {name: run["state"] for name, run in runs("night", code=1).items()}
    check(states == {"good": "finished", "bad": "failed", "late": "left out"}, "a batch", states)
    text = gsim("status", "night", code=1)
    check("bad failed: exit code 2" in text and text.splitlines()[0].split()[:3] == ["run", "state", "progress"],
          "table", text)
    # Tasks of an array have journals of their own; one whose batch is gone does not start any more.
    (FOLDER / "parts.toml").write_text('folder = "parts"\n' + "".join(
        f'[[task]]\nname = "{name}"\nconfig = "call.toml"\nset = ["status.enabled=false"]\n' for name in "ab"))
    gsim("batch", "run", "parts.toml", "--part", "1/2")
    check({name: run["state"] for name, run in runs("parts").items()} == {"a": "finished"}, "a part of a batch")
    with open(FOLDER / "parts/journal.1-of-2.tsv", "a") as journal:
        journal.write(f"running\tb\t0\t0\t0\t0\t{time.time()}\n")
    check(runs("parts", code=1)["b"]["state"] == "stale", "a task of a batch that is gone")
    (folder / "foreign.prom").write_text("# HELP other_metric Of another program.\nother_metric 3\n")
    check(len(runs("night", code=1)) == 3, "files of other programs")
    check("is no status file of gsim" in gsim("status", "night/foreign.prom", code=2), "a foreign file")
    (folder / "foreign.prom").write_text('other_metric{a="b} 3\n')
    check("line 1 is no metric" in gsim("status", "night/foreign.prom", code=2), "a damaged file")
    (folder / "foreign.prom").unlink()
    check("no status files" in gsim("status", "empty", code=2), "an empty folder")
    check("there is no such file" in gsim("status", "nothing", code=2), "no file")
    check("takes seconds from 0.1" in gsim("status", "night", "--watch=0", code=2), "--watch")


def forecasts():
    before = sorted(p.name for p in FOLDER.iterdir())
    plan = json.loads(gsim("check", "atoms.toml", "--json", "--measure", "0.1", "--set", "md.steps=100000"))
    t = plan["time"]
    check(plan["total_units"] == 100000 and 0 < t["measured_units"] < 100000 and t["measured_seconds"] >= 0.1
          and t["seconds_low"] < t["seconds"] < t["seconds_high"] and t["seconds"] > t["measured_seconds"], "time", plan)
    check(abs(t["core_hours"] / (t["seconds"] * t["threads"] / 3600) - 1) < 1e-9, "core-hours", t)
    check(sorted(p.name for p in FOLDER.iterdir()) == before, "check leaves files")
    # A signal during the measurement leaves no files either.
    temporary = FOLDER / "temporary"
    temporary.mkdir()
    process = subprocess.Popen([GSIM, "check", "atoms.toml", "--measure", "60", "--set", "md.steps=100000000"],
                               cwd=FOLDER, env={**os.environ, "TMPDIR": str(temporary)}, stdout=subprocess.DEVNULL)
    atexit.register(process.kill)
    while not any(temporary.glob("*/*")) and process.poll() is None:
        time.sleep(0.02)
    process.terminate()
    check(process.wait(20) == -signal.SIGTERM and not any(temporary.iterdir()), "files after a signal",
          process.returncode, list(temporary.iterdir()))
    text = gsim("check", "call.toml", "--ranks", "4")
    check(re.search(r"(?m)^time +\S.* 4 ranks of .*core-h, if they share the work evenly", text), "text", text)
    # Under a launcher ranks share the processors, as in a run.
    threads = json.loads(gsim("check", "call.toml", "--json", ranks=2))["time"]["threads"]
    gsim("run", "call.toml", "--quiet", "--output", "shared.h5", ranks=2)
    check(value(metrics(FOLDER / "shared.prom"), "threads") == 2 * threads, "threads under a launcher", threads)
    check("\ntime " not in gsim("check", "call.toml", "--measure", "0"), "--measure 0")
    check(json.loads(gsim("check", "call.toml", "--json", "--measure", "0"))["time"] is None, "--measure 0 --json")


with tempfile.TemporaryDirectory() as name:
    FOLDER = pathlib.Path(name).resolve()
    (FOLDER / "empty").mkdir()
    (FOLDER / "atoms.toml").write_text(ATOMS)
    (FOLDER / "call.toml").write_text(CALL)
    for part in (finished_runs, running_and_ended_runs, failed_runs, folders, forecasts):
        part()
    left = [p for p in FOLDER.rglob("*") if p.name.endswith(".partial")]
    check(not left, "temporary files are left", left)
print("ok")
