#!/usr/bin/env python3
"""Energy and pressure of the diamond crystal against its lattice constant: runs gsim at each, and draws
energy.png. Needs Matplotlib and the built plugin.
usage: picture.py [GSIM]"""
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

FOLDER = pathlib.Path(__file__).resolve().parent
GSIM = sys.argv[1] if len(sys.argv) > 1 else "gsim"


def energy_and_pressure(constant, folder):
    """Energy per atom in eV and pressure in GPa of the crystal at rest."""
    result = pathlib.Path(folder) / "rest.h5"
    settings = ["md.steps=0", "md.skin=0.3", "md.precision=\"double\"", f"start.constant={constant}",
                "start.cells=[4, 4, 4]", "start.temperature=0.0", f'output.file="{result}"']
    keys = [word for setting in settings for word in ("--set", setting)]
    completed = subprocess.run([GSIM, "run", FOLDER / "configs/crystal.toml", "--log", "json", *keys],
                          check=True, capture_output=True, text=True)
    events = [json.loads(line) for line in completed.stdout.splitlines()]
    estimates = {e["name"]: e["mean"] for e in events if e["event"] == "estimate"}
    atoms = 4**3 * 8
    return estimates["potential_energy"] / atoms, estimates["pressure"] / 1e4  # bar to GPa


def main():
    constants = [5.1 + 0.02 * k for k in range(36)]
    with tempfile.TemporaryDirectory() as folder:
        energies, pressures = zip(*(energy_and_pressure(c, folder) for c in constants))
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.plot(constants, energies, "o-", markersize=3, label="energy")
    # Lattice constant and energy of the paper (validation/md/stillinger_weber.toml).
    axes.axvline(5.431, color="grey", linewidth=0.8)
    axes.axhline(-4.3366, color="grey", linewidth=0.8)
    axes.set_xlabel("lattice constant / Å")
    axes.set_ylabel("energy of an atom / eV")
    right = axes.twinx()
    right.plot(constants, pressures, "C1--", label="pressure")
    right.set_ylabel("pressure / GPa")
    figure.legend(loc="upper center")
    figure.tight_layout()
    figure.savefig("energy.png", dpi=150)
    print("energy.png")


if __name__ == "__main__":
    main()
