#!/usr/bin/env python3
"""Tests the reading of results of every module: tables, units, errors, grids, trajectories. usage: results.py GSIM

What is read is compared with what `gsim inspect` and the batch that made the files say.
"""
import csv
import json
import math
import pathlib
import unittest

import support
import gsim
import h5py
import numpy as np
from gsim import hdf5, lazy

CONFIGS = support.ROOT / "configs"
TALLY = {
    "module": "transport", "seed": 1, "transport": {"mode": "fixed_source", "particles": 200, "batches": 4},
    "material": [{"name": "m", "capture": [0.1, 0.2], "scatter": [[0.1, 0.1], [0.0, 0.2]]}],
    "box": [{"name": "b", "lower": [0.0] * 3, "upper": [4.0, 6.0, 8.0], "boundary": "vacuum"}],
    "cell": [{"name": "c", "region": "-b", "fill": "m"}],
    "source": [{"space": {"kind": "point", "position": [1.0, 2.0, 3.0]}, "energy": {"kind": "groups", "weights": [1.0, 0.0]}}],
    "mesh": [{"name": "mesh", "lower_left": [0.0] * 3, "upper_right": [4.0, 6.0, 8.0], "shape": [2, 3, 4]}],
    "tally": [{"name": "flux", "scores": ["flux"], "mesh": "mesh", "energy": "groups"},
              {"name": "all", "scores": ["flux", "absorption"], "mesh": "mesh"}],
}
TASKS = {
    "pricing": (CONFIGS / "pricing/greeks.toml", {"stop.samples": 4096}),
    "risk": (CONFIGS / "risk/value_at_risk.toml", {"stop.samples": 4096}),
    "exposure": (CONFIGS / "exposure/netting_sets.toml", {"stop.samples": 4096}),
    "multilevel": (CONFIGS / "pricing/multilevel.toml", {"multilevel.target": 0.1}),
    "md": (support.ATOMS, {"trajectory": [{"every": 10, "thermo": True, "quantities": ["position", "image", "velocity"],
                                           "precision": "float64"}],
                           "observe": [{"kind": "radial_distribution", "r_max": 2.5, "bins": 20, "every": 10}]}),
    "k": (CONFIGS / "transport/pu_sphere.toml", {"transport.particles": 200, "transport.batches": 12, "transport.inactive": 4}),
    "tally": (TALLY, {}),
}


def make_results():
    """One batch with a task for each module."""
    batch = gsim.Batch("all", folder="all", cores=2)
    for name, (config, overrides) in TASKS.items():
        batch.add(name, str(config) if isinstance(config, pathlib.Path) else config, set=overrides)
    batch.run()


class Tables(unittest.TestCase):
    def setUp(self):
        self.batch = gsim.BatchResults("all")

    def test_as_gsim_inspect_prints_them(self):
        program, rows = gsim.Program(), 0
        for name, results in self.batch.items():
            inspected = json.loads(program.call("inspect", str(results.path), "--json", plugins=False))
            attributes = {dataset["path"]: dataset["attributes"] for dataset in inspected["datasets"]}
            self.assertLessEqual(set(inspected["tables"]), set(results.tables), name)
            self.assertEqual([table for table in results if table in inspected["tables"]], list(inspected["tables"]))
            for table, expected in inspected["tables"].items():
                frame = results[table]
                self.assertEqual((list(frame), len(frame)), (list(expected["columns"]), expected["rows"]))
                for column, values in expected["columns"].items():
                    found = [None if isinstance(value, float) and not math.isfinite(value) else value for value in frame[column].tolist()]
                    self.assertEqual(found, values, f"{name}: {table}/{column}")
                    unit = attributes[f"{table}/{column}"].get("unit", "")
                    self.assertEqual(frame.attrs["units"].get(column, ""), unit)
                rows += len(frame)
            self.assertEqual({k: v for k, v in results.provenance.items() if k != "timing"},
                             {k: v for k, v in inspected["provenance"].items() if k in results.provenance and k != "timing"})
        self.assertGreater(rows, 4000)

    def test_estimates_are_those_of_the_batch(self):
        collected = self.batch.estimates
        for name, results in self.batch.items():
            mine, theirs = results.estimates(), collected[collected["task"] == name]
            self.assertEqual(list(mine["table"] + "/" + mine["quantity"]), list(theirs["estimate"]))
            self.assertEqual(list(mine["row"]), list(theirs["row"]), name)
            np.testing.assert_array_equal(mine["value"], theirs["value"])
            np.testing.assert_array_equal(mine["std_error"], theirs["std_error"])
            self.assertGreater(len(mine), 0)
            given = theirs["unit"].to_numpy() != ""
            self.assertEqual(list(mine["unit"][given]), list(theirs["unit"][given]))
        with open("all/estimates.csv", encoding="utf-8") as file:
            values = [float(row["value"]) for row in csv.DictReader(file)]
        np.testing.assert_array_equal(collected["value"], values)

    def test_names_of_rows_of_other_tables(self):
        greeks = self.batch["pricing"].named("greeks")
        self.assertEqual(set(greeks["trade"]), set(self.batch["pricing"]["trades"]["id"]))
        self.assertEqual(self.batch["pricing"].estimates("greeks")["unit"][0], "currency per unit of spot")
        self.assertIn("monte_carlo, level 0.95, SPX-PUT", set(self.batch["risk"].estimates("contributions")["row"]))

    def test_the_run(self):
        results = self.batch["pricing"]
        self.assertEqual((results.module, len(results.digest)), ("pricing", 16))
        self.assertEqual(results.config["stop"]["samples"], 4096)
        self.assertEqual(results.config["market"]["assets"]["A"]["dividend"], 0.02)
        self.assertIn("SPX", "".join(self.batch["risk"].input_files.values()))
        timing = results.timing()
        self.assertIn("paths", timing.index)
        self.assertTrue((timing["busy_min"] <= timing["busy_max"]).all())
        self.assertEqual(set(results.convergence()["trade"]), set(results["trades"]["id"]))
        generations = self.batch["k"].convergence()
        self.assertEqual((len(generations), generations.attrs["scalars"]["inactive"]), (12, 4))
        self.assertEqual(generations.attrs["units"]["entropy"], "bit")
        self.assertIn("convergence", self.batch["k"].remarks())
        self.assertRaises(KeyError, self.batch["md"].convergence)
        self.assertRaises(KeyError, results.__getitem__, "nothing")
        self.assertRaises(KeyError, results.array, "nothing")
        self.assertEqual(list(results.array("trades/id")), list(results["trades"]["id"]))

    def test_commands(self):
        results = self.batch["pricing"]
        results.verify()
        self.assertEqual(results.compare(results.path)["agreement"], "same_bits")
        self.assertEqual(results.compare(self.batch["exposure"])["agreement"], "different")
        self.assertIn("every bit of", results.replay())
        self.assertIn("<html", results.report("page.html").read_text()[:400])
        damaged = bytearray(results.path.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        pathlib.Path("damaged.h5").write_bytes(damaged)
        self.assertRaises(gsim.ConfigError, gsim.Results("damaged.h5").verify)

    def test_files_that_are_none(self):
        pathlib.Path("text.h5").write_text("no HDF5\n")
        self.assertRaises(gsim.GsimError, gsim.open, "text.h5")
        self.assertRaises(gsim.GsimError, gsim.open, "missing.h5")
        with h5py.File("other.h5", "w") as file:
            file["x"] = [1]
        self.assertRaises(gsim.GsimError, gsim.open, "other.h5")
        self.assertRaises(gsim.GsimError, gsim.Results, "other.h5")


class Grids(unittest.TestCase):
    def setUp(self):
        self.batch = gsim.BatchResults("all")

    def test_grids_of_tables(self):
        axes = {("exposure", "exposures"): ["netting_set", "time"], ("risk", "risk"): ["method", "level"],
                ("risk", "contributions"): ["measure", "trade"], ("md", "observables/radial_distribution"): ["r"],
                ("md", "thermo"): ["step"], ("pricing", "trades"): ["id"], ("tally", "tallies/all"): ["z", "y", "x"],
                ("pricing", "greeks"): ["row"], ("risk", "monte_carlo"): ["row"], ("pricing", "skipped"): ["row"]}
        for (task, table), expected in axes.items():
            data = self.batch[task].dataset(table)
            self.assertEqual(list(data.sizes), expected, table)
            self.assertEqual(math.prod(data.sizes.values()), len(self.batch[task][table]))
        exposures, frame = self.batch["exposure"].dataset("exposures"), self.batch["exposure"].named("exposures")
        row = frame[(frame["netting_set"] == frame["netting_set"].iloc[-1])].iloc[3]
        chosen = exposures["expected_positive"].sel(netting_set=row["netting_set"], time=row["time"])
        self.assertEqual(float(chosen), row["expected_positive"])
        self.assertEqual(chosen.attrs, {"units": "currency", "long_name": chosen.attrs["long_name"], "ancillary_variables": "expected_positive_error"})
        self.assertEqual(exposures["time"].attrs["units"], "years")

    def test_tallies_are_the_fields_for_paraview(self):
        data, fields = self.batch["tally"].dataset("tallies/all"), gsim.Fields("all/tally.all.vtkhdf").dataset()
        np.testing.assert_array_equal(data["flux"].values, fields["flux"].values)
        np.testing.assert_array_equal(data["x_cm"].values, fields["x"].values)
        self.assertEqual(data["x_cm"].dims, ("x",))
        self.assertEqual(data["flux"].attrs["ancillary_variables"], "flux_standard_error")
        groups = self.batch["tally"].dataset("tallies/flux")
        self.assertEqual(dict(groups.sizes), {"z": 4, "y": 3, "x": 2, "group": 2} if list(groups.sizes)[-1] == "group" else
                         {"group": 2, "z": 4, "y": 3, "x": 2})
        np.testing.assert_allclose(groups["flux"].sum("group").transpose("z", "y", "x"), data["flux"], rtol=1e-12)

    def test_grid_of_columns(self):
        def axes(**columns):
            arrays = {name: np.array(values, dtype=object if isinstance(values[0], str) else None) for name, values in columns.items()}
            grid = hdf5.grid_of(arrays, len(next(iter(arrays.values()))))
            return grid.axes, grid.coordinates
        self.assertEqual(axes(a=[1, 1, 2, 2], b=["x", "y", "x", "y"]), ({"a": 2, "b": 2}, {}))
        self.assertEqual(axes(b=["x", "y", "x", "y"], a=[1, 1, 2, 2], c=[5, 5, 5, 5], d=[7, 7, 9, 9]),
                         ({"a": 2, "b": 2}, {"c": (), "d": ("a",)}))
        self.assertEqual(axes(a=[1, 1, 2], b=[1, 2, 1])[0], {"row": 3})
        self.assertEqual(axes(a=[1, 1, 2, 2], b=[1, 2, 1, 3])[0], {"row": 4})
        self.assertEqual(axes(a=[1, 1, 1, 2])[0], {"row": 4})
        self.assertEqual(axes(a=[3, 3])[0], {"row": 2})

    def test_fields_in_a_series(self):
        """The layout that plugins on grids write (gsim/io/vtk_image.hpp)."""
        rng = np.random.default_rng(1)
        scalars, vectors = rng.normal(size=(3, 2, 4, 5)), rng.normal(size=(3, 2, 4, 5, 3))
        with h5py.File("fields.vtkhdf", "w") as file:
            root = file.create_group("VTKHDF")
            root.attrs.update({"Version": [2, 0], "Type": np.bytes_("ImageData"), "WholeExtent": [0, 5, 0, 4, 0, 2],
                               "Origin": [1.0, 0.0, 0.0], "Spacing": [0.5, 1.0, 1.0], "length_unit": np.bytes_("m")})
            root["CellData/temperature"], root["CellData/velocity"] = scalars, vectors
            root["CellData/temperature"].attrs["unit"] = np.bytes_("K")
            root["Steps/Values"] = [0.0, 0.1, 0.2]
            root["Steps"].attrs["NSteps"] = 3
        fields = gsim.open("fields.vtkhdf")
        data = fields.dataset()
        self.assertEqual((len(fields), data["temperature"].dims, data["temperature"].attrs), (3, ("time", "z", "y", "x"), {"units": "K"}))
        self.assertEqual(list(data["x"].values), [1.25, 1.75, 2.25, 2.75, 3.25])
        self.assertEqual(data["x"].attrs, {"units": "m"})
        np.testing.assert_array_equal(data["velocity"].sel(component="y", time=0.1).values, vectors[1, ..., 1])

    def test_lazy_arrays_are_indexed_as_numpy_arrays(self):
        rng = np.random.default_rng(2)
        values = rng.normal(size=(7, 5, 4))
        with h5py.File("lazy.h5", "w") as file:
            file["a"] = values
        with h5py.File("lazy.h5", "r") as file:
            variable = lazy.variable(pathlib.Path("lazy.h5"), file["a"], ("x", "y", "z"))
        parts = [slice(None), slice(1, 6, 2), slice(None, None, -1), slice(5, 1, -2), slice(3, 3), 2, -1, [3, 1, 1], np.array([-1, 0])]
        for _ in range(60):
            key = tuple(parts[i] for i in rng.integers(len(parts), size=3))
            expected = values
            for axis in (2, 1, 0):  # each axis of its own, as xarray does
                expected = expected.take(np.arange(values.shape[axis])[key[axis]], axis)
            np.testing.assert_array_equal(variable[key].values, expected, str(key))


class Trajectories(unittest.TestCase):
    def test_frames(self):
        trajectory = gsim.open("all/md.h5md")
        data = trajectory.dataset()
        self.assertEqual((len(trajectory), dict(data.sizes)), (5, {"frame": 5, "atom": 500, "axis": 3, "edge": 3}))
        self.assertEqual(list(data["step"].values), [0, 10, 20, 30, 40])
        with h5py.File("all/md.h5md") as file:
            positions = file["particles/trajectory/position/value"][...]
        np.testing.assert_array_equal(data["position"].isel(frame=slice(1, 5, 2), atom=[4, 2]).values, positions[1:5:2][:, [4, 2]])
        # Unwrapped positions move by velocity times time, less than the box.
        moved = trajectory.unwrapped().diff("frame")
        drift = data["velocity"].isel(frame=slice(0, 4)).values * 0.05
        self.assertLess(float(np.abs(moved.values - drift).max()), 0.5)
        self.assertEqual(moved.dims, ("frame", "atom", "axis"))
        thermo, frames = gsim.Results("all/md.h5")["thermo"].set_index("step"), trajectory.observables()
        np.testing.assert_allclose(frames["temperature"], thermo["temperature"], rtol=1e-12)
        kinetic = 0.5 * (data["velocity"] ** 2).sum(("atom", "axis"))
        np.testing.assert_allclose(kinetic, thermo["kinetic_energy"], rtol=1e-9)


if __name__ == "__main__":
    support.main(make_results)
