"""What the tests of the Python package share: the interpreter, the package, a scratch folder, and small configurations.

Skipped (77) where pandas, xarray or h5py is missing. usage of every test: TEST.py GSIM [TESTS OF unittest]
"""
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "examples/python"
os.environ["GSIM"] = os.path.abspath(sys.argv[1])
try:
    import h5py  # noqa: F401
    import pandas  # noqa: F401
    import tomllib  # noqa: F401
    import xarray  # noqa: F401
except ImportError as missing:  # try the distribution's Python, which may have the packages
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print(f"SKIPPED: {missing} (Python 3.11; apt: python3-pandas python3-xarray python3-h5py): the Python package is not tested",
          flush=True)
    sys.exit(77)
sys.dont_write_bytecode = True
sys.path.insert(0, str(PACKAGE))

OPTIONS = {
    "module": "pricing", "seed": 3, "stop": {"samples": 8192},
    "market": {"rate": 0.05, "assets": {"S": {"spot": 100.0, "volatility": 0.2}}},
    "trades": [{"id": "CALL", "product": "european", "asset": "S", "type": "call", "strike": 100.0, "maturity": 1.0}],
}
ATOMS = {
    "module": "md", "seed": 4, "md": {"units": "lj", "steps": 40, "time_step": 0.005}, "type": [{"name": "Ar", "mass": 1.0}],
    "start": {"kind": "lattice", "lattice": "fcc", "density": 0.8442, "cells": [5, 5, 5], "temperature": 1.44},
    "pair": {"cutoff": 2.5, "potential": [{"kind": "lennard_jones", "epsilon": 1.0, "sigma": 1.0}]},
    "thermo": {"every": 10},
}


def main(prepare=None):
    """Runs the tests of the calling file in a scratch folder, after `prepare`."""
    with tempfile.TemporaryDirectory(prefix="gsim-python-") as scratch:
        os.chdir(scratch)
        if prepare is not None:
            prepare()
        program = unittest.main("__main__", argv=[sys.argv[0], *sys.argv[2:]], exit=False)
        os.chdir("/")
    sys.exit(0 if program.result.wasSuccessful() else 1)
