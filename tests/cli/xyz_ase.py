#!/usr/bin/env python3
"""Reads extended XYZ trajectories with ASE and compares them with the thermo table of the run. usage: xyz_ase.py GSIM MPIEXEC

Exits with status 77 (skipped) where ASE is missing."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import ase.io
    import ase.units
    import numpy as np
except ImportError as error:  # try the distribution's Python, which may have the package
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print(f"SKIPPED: {error} (apt: python3-ase): ASE has not read gsim's trajectories", flush=True)
    sys.exit(77)

GSIM, MPIEXEC = sys.argv[1:]
TRAJECTORY = """
[thermo]
every = 5
[[trajectory]]
format = "xyz"
every = 5
precision = "float64"
quantities = ["position", "image", "velocity", "force"]
"""
COPPER = """
module = "md"
seed = 3
[md]
units = "metal"
steps = 10
time_step = 0.002
[[type]]
name = "Cu"
[start]
kind = "lattice"
lattice = "fcc"
constant = 3.61
cells = [6, 6, 6]
temperature = 300
boundaries = ["periodic", "periodic", "open"]
origin = [1.0, 0.0, 0.0]
[eam]
format = "sutton_chen"
""" + TRAJECTORY
ARGON = """
module = "md"
seed = 4
[md]
units = "real"
steps = 10
time_step = 1.0
TYPES
[start]
kind = "lammps_data"
file = "gas.data"
temperature = 200
[pair]
cutoff = 8.0
[[pair.potential]]
kind = "lennard_jones"
epsilon = 0.24
sigma = 3.4
""" + TRAJECTORY


def check(condition, message, *details):
    if not condition:
        sys.exit("\n  ".join(["FAILED: " + message, *map(str, details)]))


def close(a, b, tolerance=1e-7):  # gsim has the constants of CODATA 2018, ASE those of 2014
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=tolerance, atol=tolerance)


def run(folder, text, name, ranks=0):
    (folder / f"{name}.toml").write_text(text)
    launcher = [MPIEXEC, "-n", str(ranks)] if ranks else []
    done = subprocess.run([*launcher, GSIM, "run", f"{name}.toml"], cwd=folder, capture_output=True, text=True,
                          check=False, timeout=300)
    check(done.returncode == 0, f"{name} runs", done.stdout, done.stderr)
    path = folder / f"results/{name}.xyz"
    table = subprocess.run([GSIM, "inspect", "--json", f"results/{name}.h5"], cwd=folder, capture_output=True,
                           text=True, check=True).stdout
    return path, json.loads(table)["tables"]["thermo"]["columns"]


def check_energies(path, thermo, energy_unit):
    """Checks that the energies of all frames are those of the run's thermo table, whose unit is `energy_unit` (eV), and
    that forces add up to 0; returns the frames."""
    frames = ase.io.read(path, index=":")
    check(len(frames) == 3, f"{path}: three frames, not {len(frames)}")
    for i, atoms in enumerate(frames):
        potential, kinetic = (thermo[f"{kind}_energy"][i] * energy_unit for kind in ("potential", "kinetic"))
        check(close(atoms.get_potential_energy(), potential), "the potential energy is that of the thermo table",
              atoms.get_potential_energy(), potential)
        check(close(atoms.get_kinetic_energy(), kinetic), "the kinetic energy is that of the thermo table",
              atoms.get_kinetic_energy(), kinetic)
        check(close(atoms.get_forces().sum(axis=0), np.zeros(3), 1e-6), "forces add up to 0")
    return frames


def check_motion(frames, step):
    """Checks Newton's second law between two frames: the change of momentum is the mean force times `step`, in ASE's units."""
    first, last = frames[0], frames[1]
    change = (last.get_velocities() - first.get_velocities()) * first.get_masses()[:, None]
    impulse = (first.get_forces() + last.get_forces()) / 2 * step
    deviation = np.abs(change - impulse).max() / np.abs(change).max()
    check(deviation < 0.05, f"momenta change by the forces: {deviation}")
    # map_shift counts the periodic images that an atom has crossed.
    displacements = last.get_positions() - first.get_positions() + (last.arrays["map_shift"] - first.arrays["map_shift"]
                                                            ) @ np.array(first.get_cell())
    check(close(displacements, (first.get_velocities() + last.get_velocities()) / 2 * step, 0.02), "positions change by the velocities")


def gas():
    """64 atoms of two types on a lattice, as a LAMMPS data file without names."""
    rows = "".join(f"{i + 1} {i % 2 + 1} {5 * (i % 4)} {5 * (i // 4 % 4)} {5 * (i // 16)}\n" for i in range(64))
    return ("gas\n\n64 atoms\n2 atom types\n0 20.5 xlo xhi\n0 20.5 ylo yhi\n0 20.5 zlo zhi\n\n"
            f"Masses\n\n1 39.948\n2 30\n\nAtoms # atomic\n\n{rows}")


with tempfile.TemporaryDirectory(prefix="gsim-test-") as scratch:
    here = pathlib.Path(scratch)
    trajectories = []
    for ranks in (0, 2, 3):
        copper, thermo = run(here, COPPER, "copper", ranks)
        trajectories.append(copper.read_bytes())
    check(len(set(trajectories)) == 1, "the same bytes on 1, 2 and 3 ranks")
    frames = check_energies(copper, thermo, 1)
    check(set(frames[0].get_chemical_symbols()) == {"Cu"} and len(frames[0]) == 864, "864 atoms of copper")
    check(frames[0].get_pbc().tolist() == [True, True, False], "boundaries are periodic along x and y")
    check(close(np.array(frames[0].get_cell()), np.diag([21.66] * 3)), "the cell is a cube of 21.66 Angstrom")
    check_motion(frames, 5 * 0.002 * 1000 * ase.units.fs)

    (here / "gas.data").write_text(gas())
    kcal = ase.units.kcal / ase.units.mol
    for types, symbols in (("", ["Ar", "X"]),  # symbols follow from the masses; no element has 30 g/mol (X)
                           ('[[type]]\nname = "C3"\nin_file = "2"\nelement = "C"', ["Ar", "C"])):
        argon, thermo = run(here, ARGON.replace("TYPES", types), "argon")
        frames = check_energies(argon, thermo, kcal)
        check(frames[0].get_chemical_symbols()[:4] == 2 * symbols, "elements", frames[0].get_chemical_symbols()[:4])
        names = ["1", "C3" if types else "2"]
        check(frames[0].arrays["type"][:4].tolist() == 2 * names, "names of types", frames[0].arrays["type"][:4])
        check(close(frames[0].get_masses()[:2], [39.948, 30]), "masses are those of the data file")
        check_motion(frames, 5 * ase.units.fs)

    # gsim can start from a file that ASE wrote.
    ase.io.write(here / "from_ase.xyz", frames[-1], format="extxyz", columns=["symbols", "positions", "momenta", "masses"])
    from_ase = ARGON.replace("TYPES", "").replace('kind = "lammps_data"\nfile = "gas.data"\ntemperature = 200',
                                              'kind = "xyz"\nfile = "from_ase.xyz"').replace("steps = 10", "steps = 0")
    _, restarted = run(here, from_ase, "from_ase")
    for name in ("potential_energy", "kinetic_energy"):
        check(close(restarted[name][0], thermo[name][-1], 1e-5), f"{name} from ASE's file", restarted[name][0], thermo[name][-1])
print("ok: ASE", ase.__version__)
