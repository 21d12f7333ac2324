#!/usr/bin/env python3
"""Checks `gsim batch`: order, failures, stops, kills, the same results however tasks are run. usage: batch.py GSIM"""
import csv
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
from checked_run import check, checked_run  # noqa: E402

GSIM = sys.argv[1]
ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = """module = "pricing"
[stop]
samples = 4096
[market]
rate = 0.05
[market.assets.S]
spot = 100.0
volatility = 0.3
[[trades]]
id = "c"
product = "european"
asset = "S"
type = "call"
strike = 95.0
maturity = 1.0
"""
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
quantities = ["position", "velocity"]
precision = "float64"
"""
NIGHT = """
[[task]]
name = "late"
config = "call.toml"
set = ["market.assets.S.spot={base:trades/price[c]}"]
[[task]]
name = "base"
config = "call.toml"
[[task]]
name = "vol"
config = "call.toml"
[[task.vary]]
key = "market.assets.S.volatility"
from = 0.1
to = 0.5
count = 5
[[task.vary]]
key = "market.rate"
values = [0.01, 0.02]
[[task]]
name = "two_ranks"
config = "call.toml"
ranks = 2
"""


def gsim(folder, *arguments, code=0):
    return checked_run([GSIM, *arguments], folder, code)


def digest(text):
    return re.search(r"digest ([0-9a-f]{12})", text).group(1)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "call.toml").write_text(CALL)
    (folder / "night.toml").write_text(NIGHT)

    # All tasks, in an order that fits their dependencies.
    listed = json.loads(gsim(folder, "batch", "list", "night.toml", "--json"))
    check([t["name"] for t in listed][:3] == ["late", "base", "vol.01"] and listed[0]["after"] == ["base"], "list", listed)
    text = gsim(folder, "batch", "run", "night.toml")
    check("13 of 13 tasks done" in text and "13 estimates" in text, "run", text)
    journal = (folder / "results/night/journal.tsv").read_text().splitlines()
    done = [line.split("\t")[1] for line in journal if line.startswith("done")]
    started = [line.split("\t")[1] for line in journal if line.startswith("running")]
    check(started.index("late") > started.index("base") and "late" in done, "order", journal)
    with open(folder / "results/night/estimates.csv") as file:
        rows = {row["task"]: row for row in csv.DictReader(file)}
    price = float(gsim(folder, "inspect", "results/night/base.h5", "--csv", "trades").splitlines()[1].split(",")[3])
    check(float(rows["base"]["value"]) == price == float(rows["two_ranks"]["value"]), "the same bits by ranks", rows)
    check(rows["vol.07"]["market.assets.S.volatility"] == "0.4" and rows["vol.07"]["market.rate"] == "0.01"
          and rows["base"]["market.rate"] == "", "parameters", rows["vol.07"])
    check(f"spot={price!r}" in gsim(folder, "inspect", "results/night/late.h5", "--json").replace("\\", ""), "reference")

    # Tasks write a checkpoint at their end only where `checkpoint.at_end` is set.
    check(not list((folder / "results/night").glob("*.ckpt.*")), "checkpoints")
    (folder / "kept.toml").write_text('[[task]]\nname = "a"\nconfig = "call.toml"\nset = ["checkpoint.at_end=true"]\n')
    gsim(folder, "batch", "run", "kept.toml")
    check((folder / "results/kept/a.ckpt.1").exists(), "no checkpoint")
    longer = gsim(folder, "run", "call.toml", "--resume", "--output", "results/kept/a.h5", "--set", "stop.samples=8192")
    check("resum" in longer, "a longer task", longer)

    # The same results on one core, in another folder; gsim compare reads batches, too.
    other = gsim(folder, "batch", "run", "night.toml", "--folder", "alone", "--log", "plain")
    check(digest(other) == digest(text), "digest", text, other)
    check("every bit of the results is equal" in gsim(folder, "compare", "results/night/batch.h5", "alone/batch.h5"),
          "compare of batches")
    check("holds a batch already" in gsim(folder, "batch", "run", "night.toml", code=2), "a second run")

    # A failed task is named, tasks after it are left out and all others run; --resume then repeats it.
    bad = NIGHT + """
[[task]]
name = "bad"
config = "call.toml"
set = ["market.assets.S.spot=-1"]
[[task]]
name = "after_bad"
config = "call.toml"
after = ["bad"]
"""
    (folder / "bad.toml").write_text(bad)
    text = gsim(folder, "batch", "run", "bad.toml", code=1)
    check("bad failed: " in text and "`spot` must be greater than 0" in text and "1 left out" in text
          and "13 of 15 tasks done" in text and "1 task failed: bad" in text, "failure", text)
    (folder / "bad.toml").write_text(bad.replace("spot=-1", "spot=90"))
    before = os.stat(folder / "results/bad/base.h5").st_mtime_ns
    text = gsim(folder, "batch", "run", "bad.toml", "--resume")
    check("15 of 15 tasks done" in text, "resume", text)
    check(os.stat(folder / "results/bad/base.h5").st_mtime_ns == before, "a task that was done was repeated")
    # A task whose configuration changed is repeated, and what uses its results.
    (folder / "bad.toml").write_text(bad.replace("spot=-1", "spot=90").replace(
        'name = "base"\nconfig = "call.toml"', 'name = "base"\nconfig = "call.toml"\nset = ["seed=3"]'))
    late = os.stat(folder / "results/bad/late.h5").st_mtime_ns
    gsim(folder, "batch", "run", "bad.toml", "--resume")
    check(os.stat(folder / "results/bad/late.h5").st_mtime_ns != late, "late was not repeated")

    # Stages of molecular dynamics, stopped by a signal, killed, and resumed: the same bits.
    (folder / "md").mkdir()
    (folder / "md/atoms.toml").write_text(ATOMS)
    stages = """
[[task]]
name = "melt"
config = "md/atoms.toml"
set = ["md.steps=1500"]
[[task]]
name = "produce"
config = "md/atoms.toml"
set = [EXAMPLE, "md.steps=100"]
"""
    # The example of the README; the configuration is in another folder than that of results.
    example = re.search(r'`("start=.*melt.*")` goes', (ROOT / "configs/README.md").read_text()).group(1)
    (folder / "stages.toml").write_text(stages.replace("EXAMPLE", example))
    whole = gsim(folder, "batch", "run", "stages.toml", "--folder", "whole")
    for name, number in (("stop", signal.SIGTERM), ("kill", signal.SIGKILL)):
        process = subprocess.Popen([GSIM, "batch", "run", "stages.toml", "--folder", name], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = folder / name / "melt.log"
        while not log.exists() or "work" not in log.read_text():
            check(process.poll() is None, "the batch ended too early", log.exists() and log.read_text())
            time.sleep(0.01)
        process.send_signal(number)
        output = process.communicate()[0]
        check(process.returncode in ((75,) if number == signal.SIGTERM else (-9,)), f"{name}: {process.returncode}", output)
        if number == signal.SIGTERM:
            check("go on with --resume" in output, "message", output)
        for _ in range(200):  # the task of a batch that was killed stops with a checkpoint by itself
            text = subprocess.run([GSIM, "batch", "run", "stages.toml", "--folder", name, "--resume"], cwd=folder,
                                  capture_output=True, text=True)
            if text.returncode == 0:
                break
            time.sleep(0.05)
        check(text.returncode == 0, f"{name}: resume", text.stdout, text.stderr)
        for stage in ("melt", "produce"):
            check("every bit of the results is equal" in gsim(folder, "compare", f"whole/{stage}.h5", f"{name}/{stage}.h5"),
                  f"{name}: {stage}")

        if name == "kill":
            continue
        # A task that was stopped is resumed from its checkpoint only with the same overrides.
        (folder / "one.toml").write_text('[[task]]\nname = "a"\nconfig = "md/atoms.toml"\nset = ["md.steps=4000"]\n')
        process = subprocess.Popen([GSIM, "batch", "run", "one.toml"], cwd=folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        log = folder / "results/one/a.log"
        while not log.exists() or "work" not in log.read_text():
            check(process.poll() is None, "the batch ended too early")
            time.sleep(0.01)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(children[0]), signal.SIGTERM)  # the task alone
        output = process.communicate()[0]
        check(process.returncode == 75 and "1 task stopped with a checkpoint: a; go on with --resume" in output,
              "a task that stopped", process.returncode, output)
        check(list((folder / "results/one").glob("a.ckpt.*")), "checkpoints")
        (folder / "one.toml").write_text('[[task]]\nname = "a"\nconfig = "md/atoms.toml"\n'
                                         'set = ["md.steps=20", "md.time_step=0.002"]\n')
        check("1 of 1 task done" in gsim(folder, "batch", "run", "one.toml", "--resume"), "changed overrides")
        # Results that were damaged later fail their task, and --resume repeats it.
        (folder / "results/one/a.h5").write_bytes((folder / "results/one/a.h5").read_bytes()[:-100])
        text = gsim(folder, "batch", "run", "one.toml", "--resume", code=1)
        check("a failed: " in text and "a.h5.damaged; --resume repeats the task" in text, "damage", text)
        check("1 of 1 task done" in gsim(folder, "batch", "run", "one.toml", "--resume"), "after damage")

    # Tasks that would write the same file are refused; with a variable in its name each has a file of its own.
    shared = """
[[task]]
name = "a"
config = "md/atoms.toml"
set = ["seed={n}", "md.steps=5", "trajectory=[{ every = 5, format = 'xyz', file = 'FILE.xyz' }]"]
[[task.vary]]
name = "n"
values = [1, 2]
[[task]]
name = "b"
config = "md/atoms.toml"
set = ["md.steps=5", "checkpoint.base='./BASE'"]
[[task.vary]]
key = "seed"
values = [1, 2]
"""
    for file, base, problem in (("same", "base", "`a.1` and `a.2` would both write same.xyz (`trajectory.0.file`)"),
                                ("at{n}", "base", "`b.1` and `b.2` would both write base (`checkpoint.base`)"),
                                ("at{n}", "", "")):
        (folder / "shared.toml").write_text(shared.replace("FILE", file).replace("./BASE", base))
        text = gsim(folder, "batch", "run", "shared.toml", code=2 if problem else 0)
        check(problem in text, "a shared file", text)
    check((folder / "at1.xyz").exists() and (folder / "at2.xyz").exists(), "files of their own")

    (folder / "idle.toml").write_text('launcher = "true"\n[[task]]\nname = "a"\nconfig = "call.toml"\n')
    check("a failed: it ended without an error, but wrote no results/idle/a.h5" in gsim(folder, "batch", "run", "idle.toml", code=1), "no results")

    # A second Ctrl-C ends the tasks.
    (folder / "endless.toml").write_text('[[task]]\nname = "a"\nconfig = "call.toml"\nset = ["stop.samples=16"]\n')
    trap = folder / "deaf.sh"  # a launcher that ignores SIGUSR1
    trap.write_text("#!/bin/sh\ntrap '' USR1\necho $$ > deaf.pid\nsleep 60 & wait\nsleep 60\n")
    trap.chmod(0o755)
    (folder / "endless.toml").write_text(f'launcher = "{trap}"\n' + (folder / "endless.toml").read_text())
    process = subprocess.Popen([GSIM, "batch", "run", "endless.toml"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
    while not (folder / "deaf.pid").exists() or not (folder / "deaf.pid").read_text().endswith("\n"):
        time.sleep(0.01)
    check("choose another folder with --folder" in gsim(folder, "batch", "run", "endless.toml", code=2), "lock")
    process.send_signal(signal.SIGINT)
    time.sleep(0.7)
    check(process.poll() is None, "the batch did not wait for its task")
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=20)[0]
    check(process.returncode == 75 and "stopped by SIGINT" in output, "second Ctrl-C", process.returncode, output)
    check(not pathlib.Path("/proc/" + (folder / "deaf.pid").read_text().strip()).exists(), "the task goes on")

    # A launcher that fails before gsim starts, as srun may where another step of the job has just ended, is called again.
    (folder / "busy.sh").write_text('#!/bin/sh\n[ -e busy ] && exec "$@"\ntouch busy; echo "srun: error: Unable to create step"; exit 1\n')
    (folder / "busy.sh").chmod(0o755)
    (folder / "busy.toml").write_text(f'launcher = "{folder / "busy.sh"}"\n[[task]]\nname = "a"\nconfig = "call.toml"\n')
    text = gsim(folder, "batch", "run", "busy.toml")
    check("1 of 1 task done" in text and "called again: srun: error: Unable to create step\n" in text, "a launcher that fails once", text)
    states = [line.split()[0] for line in (folder / "results/busy/journal.tsv").read_text().splitlines()]
    check(states == ["process", "running", "waiting", "running", "done"], "its journal", states)

    # Only exit codes of 129 to 159 are those of signals. The last line of a log is the reason, where gsim gives none.
    for code, reason in ((200, "bad failed: gsim stops"), (137, "ended by signal 9")):
        (folder / "bad.sh").write_text(f"#!/bin/sh\necho gsim stops\nexit {code}\n")
        (folder / "bad.sh").chmod(0o755)
        (folder / "code.toml").write_text(f'launcher = "{folder / "bad.sh"}"\ngpus = 4\n[[task]]\nname = "bad"\n'
                                          'config = "call.toml"\n')
        text = gsim(folder, "batch", "run", "code.toml", "--folder", f"code{code}", code=1)
        check(reason in text and ("signal" in text) == (code == 137), f"exit code {code}", text)

    # Messages.
    check("no batch to resume" in gsim(folder, "batch", "run", "one.toml", "--folder", "new", "--resume", code=2), "resume")
    check(not (folder / "new").exists(), "a folder without a batch")
    gsim(folder, "batch", "run", "one.toml", "--folder", "new", "--resume=auto")
    (folder / "gpus.toml").write_text('gpus = 100\n[[task]]\nname = "a"\nconfig = "call.toml"\n')
    check("`gpus = 100`, but this process sees" in gsim(folder, "batch", "run", "gpus.toml", code=2), "GPUs")
    (folder / "gpus.toml").write_text('gpus = 100\nlauncher = "env"\n[[task]]\nname = "a"\nconfig = "call.toml"\n')
    gsim(folder, "batch", "run", "gpus.toml")
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    (folder / "none.toml").write_text('gpus = 1\n[[task]]\nname = "a"\nconfig = "call.toml"\n')
    check("this process sees 0 GPUs" in gsim(folder, "batch", "run", "none.toml", code=2), "no GPU")
    del os.environ["CUDA_VISIBLE_DEVICES"]
    (folder / "typo.toml").write_text(NIGHT.replace("ranks", "rnaks"))
    check("did you mean `ranks`?" in gsim(folder, "batch", "run", "typo.toml", code=2), "typo")
    (folder / "ref.toml").write_text(NIGHT.replace("[c]", "[d]"))
    check("has no row `d`" in gsim(folder, "batch", "run", "ref.toml", code=1), "reference")
    check('"task"' in gsim(folder, "schema", "--batch", "--json"), "schema")
print("ok")
