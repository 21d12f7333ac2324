#!/usr/bin/env python3
"""Runs the examples of the Python package, which compare their numbers with closed forms. usage: examples.py GSIM"""
import os
import pathlib
import subprocess
import sys
import unittest

import support


class Examples(unittest.TestCase):
    def test_all(self):
        programs = sorted(path for path in support.PACKAGE.glob("*.py") if path.name != "setup.py")
        self.assertGreaterEqual(len(programs), 3)
        environment = {**os.environ, "PYTHONPATH": str(support.PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
        started = [(path, subprocess.Popen([sys.executable, path], env=environment, text=True, stdout=subprocess.PIPE,
                                           stderr=subprocess.STDOUT)) for path in programs]
        for path, process in started:
            text = process.communicate()[0]
            self.assertEqual(process.returncode, 0, f"{path.name}:\n{text}")
            is_drawn = pathlib.Path(f"results/{path.stem}.png").exists()
            self.assertTrue(is_drawn or "no picture" in text, f"{path.name} draws no picture")
            self.assertLess(len(path.read_text().splitlines()), 110, f"{path.name} is long for an example")
            for cell in path.read_text().split("# %% ")[1:]:
                self.assertTrue(cell.splitlines()[0], f"{path.name}: a cell without a title")


if __name__ == "__main__":
    support.main()
