#!/usr/bin/env python3
"""Checks for each physics that a run that changes between a CPU and a GPU, with other numbers of ranks and a kill in between,
leaves the same results and files as a run on one CPU. usage: resume_across_devices.py GSIM MPIEXEC emulated|device [PHYSICS…]"""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from command import SCRATCH, Running, check, digest_of, events, gsim, same_results  # noqa: E402
from lennard_jones import ATOMS, PAIR, lattice  # noqa: E402
from plutonium_sphere import sphere  # noqa: E402

MD = """
module = "md"
seed = 11
[md]
units = "lj"
steps = 1
time_step = 0.004
""" + ATOMS + lattice(4, 1.2) + PAIR + """
[thermostat]
kind = "langevin"
temperature = 1.2
friction = 0.5
[thermo]
every = 7
[[trajectory]]
format = "h5md"
every = 20
quantities = ["position", "velocity"]
precision = "float64"
"""
PRICING = """
module = "pricing"
seed = 7
[pricing]
steps_per_year = 16
[stop]
samples = 1
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
model = "heston"
v0 = 0.04
kappa = 1.0
theta = 0.06
sigma = 0.8
rho = -0.7
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 110.0
maturity = 2.0
[[trades]]
id = "average"
product = "asian"
asset = "A"
type = "put"
strike = 100.0
maturity = 1.0
fixing_count = 12
"""
SPHERE = sphere("k_eigenvalue", 300, 6, 6.082547, "inactive = 4")
# The key of the length of the run, and the lengths at which the CPU stops, the GPU is to continue on a CPU, and the GPU ends.
# A GPU would have done 1,500 steps before its first checkpoint, the emulated one has not.
STEPS = 1500 if sys.argv[3] == "emulated" else 6000
PHYSICS = {"md": (MD, "md.steps", (40, STEPS, STEPS + 30)),
           "pricing": (PRICING, "stop.samples", (4_096, 61_440, 65_536)),
           "transport": (SPHERE, "transport.batches", (8, 60, 64))}


def options(name, key, length, device, ranks, resume):
    return ["run", SCRATCH / f"{name}.toml", "--output", f"{name}.h5", "--set", f"{key}={length}", "--device", device,
            "--threads", 2 if ranks == 0 else 1, *(["--resume"] if resume else [])]


def run(name, key, length, device, ranks, resume=True):
    """Runs to `length`; returns the digest and, if it was resumed, the number of units done before."""
    done = gsim(*options(name, key, length, device, ranks, resume), "--log", "json", ranks=ranks, limit=240)
    digest = digest_of(done)
    before = [e["units"] for e in events(done.stdout) if e["event"] == "resume"]
    check(len(before) == int(resume), f"{name} on {device}: resumed {len(before)} times: {done.stdout}")
    return digest, before


def kill_after_checkpoint(name, key, length, device, ranks):
    """Resumes a run that would compute up to `length`, and kills all its ranks after its first checkpoint."""
    running = Running(*options(name, key, length, device, ranks, True), "--set", 'checkpoint.interval="0.2 s"', ranks=ranks)
    running.wait_for("checkpoint")
    for rank in running.ranks():
        with contextlib.suppress(ProcessLookupError):  # the launcher ends ranks that have lost one
            os.kill(rank, signal.SIGKILL)
    running.finish()
    check(running.process.returncode != 0, f"{name} on {device} was not killed")


def same_files(name):
    same_results(f"{name}-whole.h5", f"{name}.h5")
    if name != "md":
        return
    done = subprocess.run(["h5diff", SCRATCH / f"{name}-whole.h5md", SCRATCH / f"{name}.h5md"], capture_output=True,
                          text=True, check=False)
    check(done.returncode == 0, f"the trajectories differ: {done.stdout[:2000]}{done.stderr}")


def change_devices(name):
    text, key, (first, second, last) = PHYSICS[name]
    for run_name in (f"{name}-whole", name):
        (SCRATCH / f"{run_name}.toml").write_text(text)
    expected, _ = run(f"{name}-whole", key, last, "cpu", 0, resume=False)
    run(name, key, first, "cpu", 0, resume=False)
    kill_after_checkpoint(name, key, second, "cuda", 2)
    _, (units_of_gpu,) = run(name, key, second, "cpu", 3)
    digest, _ = run(name, key, last, "cuda", 4)
    check(digest == expected, f"{name}: digest {digest}, not {expected}")
    same_files(name)
    print(f"{name}: CPU, GPU (2 ranks, killed after {units_of_gpu} units), CPU (3 ranks), GPU (4 ranks): same bits")


for physics in sys.argv[4:] or PHYSICS:
    change_devices(physics)
