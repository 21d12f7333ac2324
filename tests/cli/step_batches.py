#!/usr/bin/env python3
"""Batches of molecular dynamics steps on the emulated GPU: runs whose lists become stale within batches have the digest of
a CPU, also with bonds, thermostats and barostats, invalid factors of thermostats and boxes that change too fast have the message of a CPU, and atoms that overlap within a batch are
reported for the step in which they are found without batches.
usage: step_batches.py GSIM"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from lennard_jones import ATOMS, PAIR, lattice  # noqa: E402

GSIM = sys.argv[1]
STEPS = 160
FLUID = ('module = "md"\nseed = 87287\n[md]\nsteps = ' + str(STEPS) + '\ntime_step = 0.005\n' + ATOMS + lattice(5, 1.44) + PAIR +
         "[thermo]\nevery = 1000\n")
CHAINS = """module = "md"
seed = 1990
[md]
steps = 160
time_step = 0.005
skin = 0.4
[[type]]
name = "bead"
mass = 1.0
[start]
kind = "chains"
chains = 20
length = 25
density = 0.85
temperature = 1.0
[bonded]
exclude = ["1-2"]
[[bonded.bonds]]
name = "1"
kind = "fene"
k = 30.0
r0 = 1.5
epsilon = 1.0
sigma = 1.0
[thermostat]
kind = "langevin"
temperature = 1.0
friction = 0.5
[pair]
[[pair.potential]]
kind = "wca"
epsilon = 1.0
sigma = 1.0
[thermo]
every = 1000
"""
# A chain of thermostats whose temperature falls; three groups with thermostats of their own, and removal of the momentum.
COOLED = FLUID + """[thermostat]
kind = "nose_hoover"
temperature = { start = 1.2, end = 0.9 }
time = 0.3
"""
GROUPS = FLUID.replace("[thermo]", """[motion]
momentum_removal = 50
[[group]]
name = "first"
ids = [1, 180]
[group.thermostat]
kind = "bussi"
temperature = 1.0
time = 0.2
[[group]]
name = "second"
ids = [181, 440]
[group.thermostat]
kind = "nose_hoover"
temperature = 1.5
time = 0.4
[[group]]
name = "third"
ids = [441, 500]
[group.thermostat]
kind = "langevin"
temperature = 1.0
friction = 0.5
[thermo]""")

# Barostats: one with a piston whose target changes, and removal of the momentum; one with noise, lengths that change alone and a
# tail correction.
PISTON = FLUID.replace("[thermo]", """[motion]
momentum_removal = 50
[thermostat]
kind = "nose_hoover"
temperature = 1.2
time = 0.3
[barostat]
kind = "mtk"
pressure = { start = 2.5, end = 4.0 }
time = 0.6
[thermo]""").replace("every = 1000", "every = 40")
RESCALED = FLUID.replace("cutoff = 2.5", "cutoff = 2.5\ntail = true").replace("[thermo]", """[thermostat]
kind = "langevin"
temperature = 1.2
friction = 0.5
[barostat]
kind = "stochastic_cell_rescaling"
coupling = "xyz"
pressure = 3.0
time = 0.5
compressibility = 0.05
[thermo]""").replace("every = 1000", "every = 40")


def run(folder, name, device, *settings):
    """Output of a run whose steps are not divided by control points, and the emulated GPU's counts of the runtime."""
    report = folder / "report.json"
    environment = dict(os.environ, NO_COLOR="1", GSIM_MAX_SLICE="100000", PTXEMU_REPORT=str(report))
    command = [GSIM, "run", name, "--device", device, "--threads", "1", "--log", "plain", "--output", "run.h5",
               "--set", "checkpoint.interval=0"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=250, env=environment)
    return done.stdout + done.stderr, json.loads(report.read_text())["runtime"] if device == "cuda" else {}


def batches(counts, others=0):
    """The numbers of batches, and of those that were undone: each saves four columns of atoms, the flags of the lists and
    `others` small arrays by copies on the device, and restores them if it is undone."""
    launched = counts["graphs"]["launches"]
    copies = sum(kind["number"] for kind in counts["copies"]["device_to_device"].values())
    return launched, copies / (5 + others) - launched


def waits(counts):
    """The number of synchronisations that found work to wait for."""
    return sum(kind["waited"] for kind in counts["synchronisations"].values())


def check(condition, what, *details):
    if not condition:
        print("FAILED:", what, *details, sep="\n  ")
        sys.exit(1)


def digest(text):
    found = re.search(r"digest ([0-9a-f]+)", text)
    check(found is not None, "the run prints a digest", text)
    return found[1]


def overlap(text):
    """The step of the message of an overlap, and the atom."""
    found = re.search(r"error: step (\d+): atoms? (\d+)", text)
    check(found is not None, "atoms overlap", text)
    return int(found[1]), int(found[2])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "fluid.toml").write_text(FLUID)
        (folder / "chains.toml").write_text(CHAINS)
        (folder / "cooled.toml").write_text(COOLED)
        (folder / "groups.toml").write_text(GROUPS)
        (folder / "piston.toml").write_text(PISTON)
        (folder / "rescaled.toml").write_text(RESCALED)
        # Chains: the energy that the thermostat has given, and the fault of a bond. Thermostats: their states and factors.
        for name, others, *settings in (("fluid.toml", 0, "md.skin=0.07"), ("chains.toml", 2, "md.skin=0.07"),
                                        ("cooled.toml", 2, "md.skin=0.07"), ("groups.toml", 3), ("piston.toml", 2, "md.skin=0.12"),
                                        ("rescaled.toml", 3)):
            text, counts = run(folder, name, "cuda", *settings)
            expected, _ = run(folder, name, "cpu", *settings)
            check(digest(text) == digest(expected), f"the digest of a CPU, {name} {settings}", text, expected)
            launched, undone = batches(counts, others)
            print(f"{name} {settings}: {launched} batches, {undone:.0f} undone, {waits(counts)} waits, digest {digest(text)}")
            check(launched > 5, "steps run in batches")
            if settings:
                check(undone > 0 and undone == int(undone), "some batches are undone where the skin is thin", undone)
            else:
                # Barostats: the box shrinks at first, so that lists are often rebuilt. A host that waits for sums did so 455 times.
                most = 1.9 if name == "rescaled.toml" else 1.5
                check(waits(counts) < most * STEPS, "the host does not wait for kinetic energies and virials", waits(counts))
        messages = [run(folder, "cooled.toml", device, "thermostat.temperature=1e-300")[0].splitlines()[-1]
                    for device in ("cuda", "cpu")]
        check(messages[0] == messages[1] and "scales velocities by nan in step 0" in messages[0], "an invalid factor", messages)
        texts = [run(folder, "rescaled.toml", device, "barostat.pressure={ start = 2.5, end = 2000 }")[0] for device in ("cuda", "cpu")]
        messages = [re.search(r"error: step \d\d: the barostat would make the box [^;]*;", text) for text in texts]
        check(all(messages) and messages[0][0] == messages[1][0], "a box that changes too fast", *texts)
        fast = ["md.time_step=0.0145", "start.temperature=5.5", "start.cells=[6, 6, 6]"]
        text, counts = run(folder, "fluid.toml", "cuda", *fast)
        expected, _ = run(folder, "fluid.toml", "cpu", *fast)
        (step, atom), (step_on_cpu, atom_on_cpu) = overlap(text), overlap(expected)
        print(f"overlap of atom {atom}: found in step {step}, on a CPU in step {step_on_cpu}")
        check(batches(counts)[0] > 1, "steps run in batches before the overlap")
        # A device finds overlaps when it loads the positions of the next step.
        check(atom == atom_on_cpu and step == step_on_cpu + 1, "the atom and the step of the overlap", text, expected)


main()
