#!/usr/bin/env python3
"""Fission rates of the pins of C5G7 by OpenMC in multigroup mode, and
their standard errors: ../data/c5g7_pins_*.toml, which c5g7_2d.toml and c5g7_3d.toml compare with.
Needs h5py, numpy and OpenMC's executable.

usage: c5g7_pins.py OPENMC CASE [GENERATIONS]   (CASE: 2d, unrodded, rodded_a, rodded_b)

Powers are scaled to a mean of 1 over the fuel pins (or thirds of pins). Values are those of a mesh of 34 x 34 bins (x 3
in the three-dimensional core: thirds of its height), x fastest; bins without fuel and fission chambers have the
value 0."""
import pathlib
import subprocess
import sys
import tempfile
import tomllib
from xml.etree import ElementTree

import h5py
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parents[1] / "performance"))
import transport_decks  # noqa: E402: found by the line before

INACTIVE, NEUTRONS, GENERATIONS_PER_BATCH = 100, 10000, 20
THREE_D = ("unrodded", "rodded_a", "rodded_b")


def tables(case):
    """The system of gsim's validation set, in the format of transport_decks."""
    name = "c5g7_3d" if case in THREE_D else "c5g7_2d"
    given = tomllib.loads((FOLDER.parent / f"{name}.toml").read_text())
    values = dict(zip(given["columns"], map(str.strip, given["rows"][
        THREE_D.index(case) if case in THREE_D else 0].split("|"))))
    text = given["config"]
    for column, value in values.items():
        text = text.replace("{" + column + "}", value)
    system = tomllib.loads(text)
    system["material"] = [transport_decks.with_cross_sections(m) for m in system["material"]]
    return transport_decks.geometry(without_unused_universes(system))


def without_unused_universes(system):
    """Removes unused universes, which OpenMC rejects."""
    reached, to_visit = set(), ["root"]
    while to_visit:
        name = to_visit.pop()
        if name in reached:
            continue
        reached.add(name)
        to_visit += [c["fill"] for c in system["cell"] if c.get("universe", "root") == name]
        for lattice in system["lattice"]:
            if lattice["name"] == name:
                rows = [row for layer in lattice.get("layer", [lattice]) for row in layer["universes"]]
                to_visit += [entry.split(" = ")[1] for entry in lattice.get("legend", [])]
                to_visit += [word for row in rows for word in row.split()]
    system["cell"] = [c for c in system["cell"] if c.get("universe", "root") in reached]
    system["lattice"] = [lattice for lattice in system["lattice"] if lattice["name"] in reached]
    return system


def add_tally(root, case):
    part = ElementTree.SubElement(root, "tallies")
    mesh = ElementTree.SubElement(part, "mesh", id="1", type="regular")
    layers = 3 if case in THREE_D else 1
    low, high = (0.0, 42.84) if case in THREE_D else (-10.0, 10.0)
    for key, values in (("dimension", (34, 34, layers)), ("lower_left", (0.0, 0.0, low)),
                        ("upper_right", (42.84, 42.84, high))):
        ElementTree.SubElement(mesh, key).text = " ".join(map(repr, values))
    mesh_filter = ElementTree.SubElement(part, "filter", id="1", type="mesh")
    ElementTree.SubElement(mesh_filter, "bins").text = "1"
    tally = ElementTree.SubElement(part, "tally", id="1")
    ElementTree.SubElement(tally, "filters").text = "1"
    ElementTree.SubElement(tally, "scores").text = "fission"


def powers(openmc, case, generations):
    """Powers, their standard errors, k and its error. Batches contain many generations:
    neighbouring generations are correlated, batches hardly are."""
    deck = transport_decks.Deck(case, case, tables(case), ((0.1, 0.1, -1.0), (42.8, 42.8, 1.0)),
                                NEUTRONS)
    deck.inactive, deck.active = INACTIVE // GENERATIONS_PER_BATCH, generations // GENERATIONS_PER_BATCH
    model = transport_decks.OpenMC(deck)
    with tempfile.TemporaryDirectory() as folder:
        model.write(folder)
        path = pathlib.Path(folder) / "model.xml"
        root = ElementTree.parse(path).getroot()
        settings = root.find("settings")
        ElementTree.SubElement(settings, "generations_per_batch").text = str(GENERATIONS_PER_BATCH)
        add_tally(root, case)
        ElementTree.ElementTree(root).write(path)
        result = subprocess.run([openmc, "-s", "1"], cwd=folder, capture_output=True, text=True,
                                check=False)
        if result.returncode != 0:
            sys.exit(result.stdout + result.stderr)
        with h5py.File(next(pathlib.Path(folder).glob("statepoint.*.h5"))) as f:
            n = int(f["tallies/tally 1/n_realizations"][()])
            sums = f["tallies/tally 1/results"][:, 0, :]
            k = f["k_combined"][()]
            version = ".".join(map(str, f.attrs["openmc_version"]))
    mean = sums[:, 0] / n
    error = np.sqrt(np.maximum(sums[:, 1] / n - mean * mean, 0) / (n - 1))
    is_chamber = mean < 1e-3 * mean.max()  # fission chambers contain traces of fuel, but are not fuel pins
    mean[is_chamber], error[is_chamber] = 0, 0
    # The system has 1056 fuel pins; with three layers each third of a pin is a bin.
    scale = 1056 * (3 if case in THREE_D else 1) / mean.sum()
    return mean * scale, error * scale, k, version


def main():
    openmc, case = sys.argv[1:3]
    generations = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    power, error, k, version = powers(openmc, case, generations)
    relative_error = (error[power > 0] / power[power > 0]).mean()
    lines = [f"# Powers of pins, C5G7 {case}: OpenMC {version}, multigroup, {generations} generations of {NEUTRONS} "
             "neutrons",
             f"# after {INACTIVE} inactive ones, seed 1, by ../references/c5g7_pins.py; k {k[0]:.5f} +- {k[1]:.5f}.",
             f"# Mean relative standard error of the fuel pins: {100 * relative_error:.2f} %.",
             "# Both arrays have 34 x 34 values per layer, x fastest, then y, then z, scaled to a mean power of 1 over",
             f"# the fuel pins{' of all three layers' if case in THREE_D else ''}; 0 where there is no fuel pin."]
    for key, values in (("power", power), ("standard_error", error)):
        words = [f"{v:.5f}" for v in values]
        rows = [", ".join(words[i:i + 17]) for i in range(0, len(words), 17)]
        lines += [f"{key} = [", *(f"  {row}," for row in rows), "]"]
    (FOLDER.parent / "data" / f"c5g7_pins_{case}.toml").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
