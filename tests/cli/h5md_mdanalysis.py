#!/usr/bin/env python3
"""Reads trajectories with h5py and MDAnalysis and compares them with the run. usage: h5md_mdanalysis.py WRITER

Skipped (77) where one of them is missing."""
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
try:
    import h5py
    import MDAnalysis
    import numpy as np
except ImportError as error:  # try the distribution's Python, which may have the packages
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print(f"SKIPPED: {error} (apt: python3-mdanalysis python3-h5py): the trajectories of gsim "
          "were not read by another program", flush=True)
    sys.exit(77)

ATOMS, STEPS = 11, np.arange(0, 41, 10)
EDGES = np.array([[8, 0, 0], [2, 6, 0], [-1, 0.5, 7]])
KJ_PER_EV = 96.48533212  # CODATA 2018, for one mole
KJ_PER_KCAL = 4.184
FS_PER_PS = 1e3
# For files without units; MDAnalysis (2.4 to 2.11) counts atoms only where it converts units.
NO_UNITS = {"convert_units": False, "n_atoms": ATOMS}


def check(condition, message):
    if not condition:
        sys.exit(f"FAILED: {message}")


def close(a, b):
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-6, atol=2e-6)


def unwrapped_positions(step):
    """Unwrapped positions of the test system's atoms at a step (trajectory_system.hpp)."""
    i, t = np.arange(ATOMS), 0.01 * step
    return np.stack([0.7 * i + 3 * t, 1.1 * i - t, 0.5 * i + 0.1 * t], axis=1)


def velocities():
    i = np.arange(ATOMS)
    return np.stack([3 + 0 * i, -1 / (i + 1), 0.1 + 0 * i], axis=1)


def forces(step):
    i = np.arange(ATOMS)
    return np.stack([i, 0.5 * step + 0 * i, -1 / 1024 + 0 * i], axis=1)


def unwraps_to(position, image, step):
    """Whether positions are within the box and unwrap, by their image counts, to those of the test system."""
    fraction = (position - [-1, 0.5, 0]) @ np.linalg.inv(EDGES)
    inside = np.all((fraction > -1e-6) & (fraction < 1 + 1e-6))
    return inside and close(position + image @ EDGES, unwrapped_positions(step))


def check_with_h5py(path):
    with h5py.File(path) as file:
        h5md, group = file["h5md"], file["particles/trajectory"]
        check(list(h5md.attrs["version"]) == [1, 1], "version of H5MD")
        check(h5md.attrs["version"].dtype.kind == "i", "type of the version attribute")
        for name, attribute in (("author", "name"), ("creator", "name"), ("creator", "version")):
            kind = h5md[name].attrs.get_id(attribute).get_type()
            check(not kind.is_variable_str(), f"{name} {attribute} has a fixed length")
        check(h5md["creator"].attrs["name"] == b"gsim", "creator")
        box = group["box"]
        check(box.attrs["dimension"] == 3 and list(box.attrs["boundary"]) == [b"periodic"] * 3, "box")
        check(list(group["position/step"]) == list(STEPS), "steps")
        check(close(group["position/time"][:], 0.5 * STEPS), "times")
        for element in ("box/edges", "image", "velocity", "force"):
            for axis in ("step", "time"):
                check(group[f"{element}/{axis}"] == group[f"position/{axis}"], f"{element}/{axis} links")
        position, image = group["position/value"], group["image/value"]
        check(position.shape == (5, ATOMS, 3) and position.dtype == "<f4", "shape of position")
        for frame, step in enumerate(STEPS):
            check(close(box["edges/value"][frame], EDGES), "edges")
            check(unwraps_to(position[frame], image[frame], step), f"unwrapped positions at step {step}")
        check(list(group["id"]) == list(range(1, ATOMS + 1)), "ids")
        check(list(group["species"][:4]) == [1, 1, 2, 1], "species")
        check(list(group["mass"][:3]) == [1.5, 1.5, 40] and list(group["charge"][:3]) == [0.5, 0.5, -1],
              "mass and charge")
        bonds = file["connectivity/bonds"]
        check(bonds[:].tolist() == [[1, 2], [5, 3]], "bonds")
        check(file[bonds.attrs["particles_group"]] == group, "particles group of the bonds")
        check(file["observables/temperature/step"] == group["position/step"], "steps of the observables")
        check(file["observables/pressure_tensor/value"][-1].tolist() == [[1, 4, 5], [4, 2, 6], [5, 6, 3]],
              "pressure tensor")
        check(file["parameters/type_names"].asstr()[:].tolist() == ["A", "B"], "names of types")


def check_with_mdanalysis(path, unit, length, speed, force):
    """Checks a file with times in `unit`, or without units if that is empty. The last three arguments are the factors by
    which MDAnalysis converts lengths, speeds and forces."""
    universe = MDAnalysis.Universe(path, **({} if unit else NO_UNITS))
    check(universe.atoms.n_atoms == ATOMS and len(universe.trajectory) == 5, f"{path}: size")
    for frame, step in zip(universe.trajectory, STEPS):
        image = np.round((unwrapped_positions(step) - frame.positions / length) @ np.linalg.inv(EDGES))
        check(unwraps_to(frame.positions / length, image, step), f"{path}: positions")
        check(close(frame.velocities, velocities() * speed), f"{path}: velocities")
        check(close(frame.forces, forces(step) * force), f"{path}: forces")
        check(close(frame.triclinic_dimensions, EDGES * length), f"{path}: box")
        check(frame.data["step"] == step, f"{path}: steps")
        check(frame.data["temperature"] == step / 4, f"{path}: temperature")
        check(abs(frame.time - 0.5 * step * (1e-3 if unit == "fs" else 1)) < 1e-6, f"{path}: time")


def check_texts_with_mdanalysis(stem):
    dump = MDAnalysis.Universe(f"{stem}.dump", format="LAMMPSDUMP", topology_format="LAMMPSDUMP",
                               convert_units=False)
    xyz = MDAnalysis.Universe(f"{stem}.xyz")
    check(dump.atoms.types[:4].tolist() == ["1", "1", "2", "1"], "types of the dump")
    check(xyz.atoms.names[:4].tolist() == ["A", "A", "B", "A"], "types of the XYZ file")
    check(len(dump.trajectory) == len(xyz.trajectory) == 5, "frames of texts")
    for frame, other, step in zip(dump.trajectory, xyz.trajectory, STEPS):
        check(close(frame.triclinic_dimensions, EDGES), "box of the dump")
        image = np.round((unwrapped_positions(step) - other.positions) @ np.linalg.inv(EDGES))
        check(unwraps_to(other.positions, image, step), "positions of the XYZ file")
        corner = unwrapped_positions(step) - frame.positions - image @ EDGES  # lower corner of the box that bounds the tilted one
        check(close(corner, np.tile(corner[0], (ATOMS, 1))), "positions of the dump")


with tempfile.TemporaryDirectory(prefix="gsim-test-") as folder:
    subprocess.run([sys.argv[1], folder], check=True)
    stem = str(pathlib.Path(folder) / "lj")
    check_with_h5py(f"{stem}.h5md")
    check_with_mdanalysis(f"{stem}.h5md", "", 1, 1, 1)
    metal, real = (str(pathlib.Path(folder) / f"{name}.h5md") for name in ("metal", "real"))
    check_with_mdanalysis(metal, "ps", 1, 1, KJ_PER_EV)
    check_with_mdanalysis(real, "fs", 1, FS_PER_PS, KJ_PER_KCAL)
    check_texts_with_mdanalysis(stem)
print("ok: h5py", h5py.__version__, "MDAnalysis", MDAnalysis.__version__)
