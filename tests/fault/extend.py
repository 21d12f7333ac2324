#!/usr/bin/env python3
"""Checks that a finished run that is extended leaves the same results and files as one long run, for
each physics, on different numbers of ranks. usage: extend.py GSIM MPIEXEC"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from lennard_jones import ATOMS, PAIR, lattice  # noqa: E402
from plutonium_sphere import sphere  # noqa: E402

GSIM, MPIEXEC = sys.argv[1:3]

MD = """
module = "md"
seed = 11
[md]
units = "lj"
steps = 230
time_step = 0.004
""" + ATOMS + lattice(5, 1.2) + PAIR + """
[thermo]
every = 7
[[observe]]
name = "displacement"
kind = "mean_square_displacement"
every = 10
[[trajectory]]
format = "h5md"
every = 20
quantities = ["position", "velocity"]
thermo = true
[[trajectory]]
format = "xyz"
every = 50
quantities = ["position"]
"""

PRICING = """
module = "pricing"
seed = 7
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.2
[[trades]]
id = "call"
product = "european"
asset = "A"
type = "call"
strike = 110.0
maturity = 1.0
[[trades]]
id = "far"
product = "european"
asset = "A"
type = "call"
strike = 240.0
maturity = 1.0
[stop]
samples = 41_000
"""


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def gsim(folder, ranks, *options, expect=0):
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, GSIM, "run", "run.toml", "--output", "run.h5", "--threads",
                           "1", "--log", "plain", *options], capture_output=True, text=True,
                          cwd=folder)
    check(done.returncode == expect, f"{folder.name} {options}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def check_same_files(whole, other, former):
    """Checks that the extended run left the same files as the long run, and the files `former` of its shorter parts."""
    for path in sorted(whole.iterdir()):
        if ".ckpt" in path.name or path.suffix in (".toml", ".lock", ".prom"):
            continue
        if path.suffix == ".xyz":
            check(path.read_bytes() == (other / path.name).read_bytes(), f"{path.name} differs")
            continue
        done = subprocess.run(["h5diff", "--exclude-path", "/provenance", path, other / path.name],
                              capture_output=True, text=True)
        check(done.returncode == 0, f"{path} differs: {done.stdout[:2000]}{done.stderr}")
    # Segments of trajectories and files that were not renamed (.partial).
    names = {p.name for p in whole.iterdir()} | {p.name for p in other.iterdir()}
    left = [n for n in names if ".seg." in n or ".part" in n]
    check(not left, f"left behind: {left}")
    for name in former:
        check((other / name).exists(), f"{name} of a shorter run does not exist")


def extend(top, name, config, settings, former=("run.1.h5",)):
    """Runs with each of `settings` in turn, resuming from the one before, and in one run with the last of them. Checks that
    digests and files are the same."""
    def prepare(kind):
        folder = top / f"{name}-{kind}"
        folder.mkdir()
        (folder / "run.toml").write_text(config)
        return folder
    whole, parts = prepare("whole"), prepare("parts")
    messages = gsim(whole, 1, *settings[-1])
    digests = [re.findall(r"digest (\w+)", messages)[-1]]
    for number, setting in enumerate(settings):
        messages = gsim(parts, (2, 3, 1)[number % 3], *(["--resume"] if number > 0 else []), *setting)
        check("end of a shorter run" not in messages and "repeat" not in messages, f"{name}: {messages}")
    digests.append(re.findall(r"digest (\w+)", messages)[-1])
    check(digests[0] == digests[1], f"{name}: digests {digests}")
    check_same_files(whole, parts, former)
    print(f"{name}: the same results and files")
    return parts


def set_options(*assignments):
    return [word for a in assignments for word in ("--set", a)]


with tempfile.TemporaryDirectory(prefix="gsim-test-") as scratch:
    top = pathlib.Path(scratch)
    ends = [set_options(f"md.steps={n}") for n in (90, 143, 230)]
    md = extend(top, "md", MD, ends, ("run.1.h5", "run.1.h5md", "run.1.xyz", "run.2.h5md"))
    # Messages where a run cannot be extended.
    messages = gsim(md, 1, "--resume", *set_options("md.steps=300", "md.time_step=0.002"), expect=2)
    check("md.time_step (0.004, now 0.002)" in messages and "md.steps" not in messages, messages)
    messages = gsim(md, 1, "--resume", *set_options("md.steps=100"))
    check("resumed with 230 steps done, more than the 100 of this configuration" in messages, messages)

    ramp = MD + '[thermostat]\nkind = "langevin"\nfriction = 1.0\n' \
        'temperature = { start = 1.2, end = 0.8 }\n'
    folder = top / "ramp"
    folder.mkdir()
    (folder / "run.toml").write_text(ramp)
    gsim(folder, 1, *set_options("md.steps=50"))
    messages = gsim(folder, 1, "--resume", *set_options("md.steps=80"), expect=2)
    check("md.steps was 50 and is 80" in messages, messages)

    ends = [set_options(f"stop.samples={n}") for n in (13_000, 20_000, 41_000)]
    extend(top, "pricing", PRICING, ends)
    # An error target that is tightened, without the trade far out of the money, which is priced by importance sampling.
    config_without_far_trade = PRICING[:PRICING.index('[[trades]]\nid = "far"')] + "[stop]\nsamples = 200_000\n"
    ends = [set_options(f"stop.relative_error={e}") for e in (0.02, 0.008)]
    extend(top, "target", config_without_far_trade, ends)

    for mode, keys, radius in (
            ("fixed_source", '[[source]]\nspace = { kind = "point", position = [0.0, 0.0, 0.0] }\n', "3.0"),
            ("k_eigenvalue", "inactive = 5\n", "6.082547")):
        config = sphere(mode, 500, 45, radius, keys)
        ends = [set_options(f"transport.batches={n}") for n in (22, 45)]
        extend(top, mode, config, ends)
print("ok")
