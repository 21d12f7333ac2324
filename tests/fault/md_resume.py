#!/usr/bin/env python3
"""Checks that molecular dynamics that is killed repeatedly and resumed on other numbers of ranks leaves the same files as
an uninterrupted run, and that a new run can start from these files. usage: md_resume.py GSIM MPIEXEC"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from lennard_jones import ATOMS, PAIR  # noqa: E402

GSIM, MPIEXEC = sys.argv[1:3]
CONFIG = """
module = "md"
seed = 11
[md]
units = "lj"
steps = STEPS
time_step = 0.004
""" + ATOMS + """
[start]
START
[checkpoint]
interval = "0.2 s"
""" + PAIR + """
[[trajectory]]
format = "h5md"
every = 20
quantities = ["position", "image", "velocity", "force"]
precision = "float64"
thermo = true
[[trajectory]]
format = "xyz"
every = 50
quantities = ["position", "velocity"]
precision = "float64"
"""
LATTICE = 'kind = "lattice"\nlattice = "fcc"\ndensity = 0.8\ncells = [6, 6, 6]\ntemperature = 1.2'


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def command(folder, ranks, *more):
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    return [*launcher, GSIM, "run", str(folder / "run.toml"), "--output", str(folder / "run.h5"),
            "--threads", "1", "--log", "plain", *more]


def prepare(top, name, start=LATTICE, steps=2000):
    folder = top / name
    folder.mkdir()
    (folder / "run.toml").write_text(CONFIG.replace("STEPS", str(steps)).replace("START", start))
    return folder


def run(folder, *more):
    done = subprocess.run(command(folder, 1, *more), capture_output=True, text=True)
    check(done.returncode == 0, f"{folder.name}: {done.stdout}{done.stderr}")
    return done.stdout


def check_same_files(a, b):
    """Checks that text files are equal byte for byte, and that HDF5 files have equal contents: their layout depends on the
    number of ranks."""
    check((a / "run.xyz").read_bytes() == (b / "run.xyz").read_bytes(), f"{b.name}: run.xyz differs")
    for name in ("run.h5md", "run.h5"):
        done = subprocess.run(["h5diff", "--exclude-path", "/provenance", a / name, b / name],
                              capture_output=True, text=True)
        check(done.returncode == 0, f"{b.name}: {name} differs: {done.stdout[:2000]}{done.stderr}")


def kill_and_resume(folder, run_seconds):
    """Runs, kills and resumes a run until it ends by itself; returns how often it was killed."""
    for kills in range(100):
        ranks = (2, 1, 3)[kills % 3]
        process = subprocess.Popen(command(folder, ranks, "--resume=auto"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # Later attempts get more time, so that the run also ends on a busy machine.
        try:
            _, errors = process.communicate(timeout=0.2 + random.random() * run_seconds * (1 + kills) / 4)
        except subprocess.TimeoutExpired:
            process.kill()  # the launcher; its ranks end shortly afterwards
            process.communicate()
            continue
        if "another run" in errors:  # ranks of the killed run still hold the lock
            time.sleep(0.2)
            continue
        check(process.returncode == 0, f"after {kills} kills: {errors}")
        return kills
    sys.exit("FAILED: the run did not end")


random.seed(5)
with tempfile.TemporaryDirectory(prefix="gsim-test-") as scratch:
    top = pathlib.Path(scratch)
    uninterrupted = prepare(top, "uninterrupted")
    begin = time.monotonic()
    run(uninterrupted)
    run_seconds = time.monotonic() - begin
    for name in ("killed", "killed_again"):
        folder = prepare(top, name)
        kills = kill_and_resume(folder, run_seconds)
        check_same_files(uninterrupted, folder)
        left_files = [p.name for p in folder.iterdir()
                      if ".ckpt." not in p.name and (".seg." in p.name or ".part" in p.name)]
        check(not left_files, f"left behind: {left_files}")
        print(f"{name}: killed {kills} times, the same files")
    # New runs start from the last frame of either trajectory.
    for kind in ("h5md", "xyz"):
        start = f'kind = "{kind}"\nfile = "../uninterrupted/run.{kind}"'
        output = run(prepare(top, kind, start, 10))
        check("864 atoms" in output, f"from {kind}: {output}")
print("ok")
