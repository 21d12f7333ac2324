#!/usr/bin/env python3
"""Checks that an error in a step of molecular dynamics ends the run with a message that names the step, and that all
output of earlier steps is kept. usage: md_faults.py GSIM MPIEXEC"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from lennard_jones import PAIR  # noqa: E402

GSIM, MPIEXEC = sys.argv[1:3]
# A hot gas whose atoms leave the box through its open faces.
CONFIG = """
module = "md"
seed = 2
[md]
steps = 200000
time_step = 0.004
[[type]]
name = "A"
mass = 1.0
[start]
kind = "random"
atoms = [200]
lengths = [60.0, 60.0, 60.0]
boundaries = ["open", "open", "open"]
distance = 0.9
temperature = 5.0
""" + PAIR + """
[thermo]
every = 20
[[trajectory]]
format = "h5md"
every = 30
[[trajectory]]
format = "xyz"
every = 30
"""
CHECKPOINT = "[checkpoint]\ninterval = \"20 ms\"\n"
MINIMISE = """
[motion]
kind = "minimise"
force_tolerance = 1e-9
max_displacement = 0.05
"""


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def gsim(*arguments, ranks=1):
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run([*launcher, GSIM, *map(str, arguments)], capture_output=True, text=True)


def prepare(top, name, text):
    folder = top / name
    folder.mkdir()
    (folder / "run.toml").write_text(text)
    return folder


def run(folder, *options, ranks=1):
    return gsim("run", folder / "run.toml", "--output", folder / "run.h5", "--threads", 1, *options,
                ranks=ranks)


def inspect(path):
    done = gsim("inspect", path, "--json")
    check(done.returncode == 0, f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def check_earlier_output(folder, step):
    """Checks that all frames and rows of steps before `step` exist, once each."""
    last = (step - 1) // 30 * 30
    [group] = inspect(folder / "run.h5md")["particles"]
    check(group["frames"] == last // 30 + 1 and group["first_step"] == 0 and
          group["last_step"] == last, f"{folder.name}: fault in step {step}, frames are {group}")
    xyz_frames = (folder / "run.xyz").read_text().count("Lattice=")
    check(xyz_frames == group["frames"], f"{folder.name}: {xyz_frames} frames in run.xyz")
    results = inspect(folder / "run.until_fault.h5")
    rows = results["tables"]["thermo"]["columns"]["step"]
    check(rows == list(range(0, step, 20)), f"{folder.name}: rows of steps {rows[-3:]}")
    provenance = results["provenance"]
    check(provenance["stop_reason"] == "fault" and f"step {step}: " in provenance["fault"], f"{provenance}")
    check((folder / "run.last_good.h5md").exists(), "the last valid state is not written")
    check(not (folder / "run.h5").exists(), "results of a run that failed")
    left = [p.name for p in folder.iterdir() if ".seg." in p.name or ".part" in p.name]
    check(not left, f"{folder.name}: left behind: {left}")


def check_failed(done, folder):
    """Checks the message and that all output of earlier steps exists; returns the step of the error."""
    check(done.returncode == 1, f"{folder.name}: exit {done.returncode}: {done.stderr}")
    match = re.search(r"error: step (\d+): atom \d+ has left through an open face.*make the box "
                      r"longer.*until_fault.h5", done.stderr)
    check(match, f"{folder.name}: {done.stderr}")
    check_earlier_output(folder, int(match.group(1)))
    return int(match.group(1))


with tempfile.TemporaryDirectory(prefix="gsim-test-") as scratch:
    top = pathlib.Path(scratch)
    plain = prepare(top, "plain", CONFIG)
    step = check_failed(run(plain), plain)
    for ranks in (2, 3):
        parallel = prepare(top, f"ranks{ranks}", CONFIG)
        check(check_failed(run(parallel, ranks=ranks), parallel) == step, f"{ranks} ranks fail in another step")
    kept = prepare(top, "kept", CONFIG + CHECKPOINT)
    check(check_failed(run(kept), kept) == step, "a run with checkpoints fails in another step")
    check(list(kept.glob("run.ckpt.*")), "no checkpoint was written in time for this test")
    check(check_failed(run(kept, "--resume", ranks=2), kept) == step, "a resumed run fails in another step")
    check((plain / "run.xyz").read_bytes() == (kept / "run.xyz").read_bytes(), "the resumed run wrote other frames")

    # The error is also reported if the results cannot be written.
    blocked = prepare(top, "blocked", CONFIG)
    (blocked / "run.until_fault.h5").mkdir()
    done = run(blocked)
    check(done.returncode == 1 and f"error: step {step}: atom" in done.stderr and
          "run.until_fault.h5" in done.stderr, f"unwritable: {done.stderr}")

    # A run of zero steps computes the forces of the initial state, and so detects overlaps there.
    (top / "close.xyz").write_text("2\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=species:S:1:pos:R:3\n"
                                   "A 1 1 1\nA 1 1 1.000001\n")
    start = CONFIG[CONFIG.index("[start]"):CONFIG.index("[pair]")]
    overlap = prepare(top, "overlap", CONFIG.replace("200000", "0").replace(
        start, f"[start]\nkind = \"xyz\"\nfile = \"{top}/close.xyz\"\n"))
    for ranks in (1, 2):
        done = run(overlap, ranks=ranks)
        check(done.returncode == 1 and "step 0: " in done.stderr and "before the first step" in done.stderr and
              "nan" not in done.stdout, f"overlapping atoms in a run of zero steps: {done.returncode} {done.stdout}{done.stderr}")
    valid = prepare(top, "valid", CONFIG.replace("200000", "0"))
    done = run(valid)
    check(done.returncode == 0 and "nan" not in done.stdout, f"a run of zero steps: {done.stdout}{done.stderr}")
    [energy] = inspect(valid / "run.h5")["tables"]["thermo"]["columns"]["potential_energy"]
    check(energy < 0, f"the row of step 0: {energy}")

    minimisation = CONFIG.replace("temperature = 5.0\n", "").replace("200000", "20") + MINIMISE
    unfinished = prepare(top, "unfinished", minimisation)
    done = run(unfinished)
    expected = "the minimiser has not converged in 20 steps"
    output = done.stdout + done.stderr
    check(done.returncode == 0 and expected in output, output)
    shown = inspect(unfinished / "run.h5")["tables"]["minimiser"]["columns"]["converged"]
    check(shown[0].startswith("no: " + expected), f"in the results: {shown}")
    done = run(unfinished, "--log", "json")
    check(expected in done.stdout + done.stderr, f"as JSON: {done.stdout}{done.stderr}")
print(f"ok: step {step}")
