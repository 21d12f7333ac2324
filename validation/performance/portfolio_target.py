#!/usr/bin/env python3
"""The work that is saved on a portfolio whose value has an error target (pricing.total_error), by trades that rest. The
portfolio is that of examples/portfolio with 200 mixed trades. The same error is reached by runs in which no trade rests, with
the first number of samples that suffices; both times are those of the paths. A benchmark, not a test.

    portfolio_target.py GSIM [--trades N] [--target ERROR …]"""
import argparse
import csv
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/portfolio"


def run(gsim, folder, target, samples):
    """The error of the portfolio's value, the number of samples of all trades, and the seconds of the paths."""
    text = subprocess.run([gsim, "run", folder / "portfolio.toml", "--set", f"pricing.total_error={target}", "--set",
                           f"stop.samples={samples}", "--set", "output.existing=replace"],
                          text=True, capture_output=True, check=True, cwd=folder).stdout
    error = float(re.search(r"^total value \S+ ± ([0-9.e+-]+)", text, re.M)[1])
    seconds = float(re.search(r"^time.* paths ([0-9.]+)", text, re.M)[1])
    table = subprocess.run([gsim, "inspect", folder / "results/portfolio.h5", "--csv", "trades"],
                           text=True, capture_output=True, check=True, cwd=folder).stdout
    return error, sum(int(row["samples"]) for row in csv.DictReader(io.StringIO(table))), seconds


def points():
    """Numbers of samples at the evaluation points, from 32 blocks on."""
    blocks = 32
    while True:
        yield blocks * 4096
        yield blocks * 3 // 2 * 4096
        blocks *= 2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gsim", type=pathlib.Path)
    parser.add_argument("--trades", type=int, default=200)
    parser.add_argument("--target", type=float, nargs="+", default=[1.0, 0.33])
    options = parser.parse_args()
    gsim = options.gsim.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "portfolio"
        shutil.copytree(EXAMPLE, folder)
        subprocess.run([sys.executable, folder / "make_portfolio.py", str(options.trades)], check=True)
        print(f"{'target':>8} {'error':>8} {'samples':>10} {'paths s':>8}   no trade rests: {'error':>8} {'samples':>10} "
              f"{'paths s':>8}   {'samples saved':>14} {'time saved':>11}")
        for target in options.target:
            error, samples, seconds = run(gsim, folder, target, 2**30)
            for limit in points():
                whole = run(gsim, folder, 1e-12, limit)
                if whole[0] <= target:
                    break
            print(f"{target:8g} {error:8.3g} {samples:10.3g} {seconds:8.1f}   {'':>15} {whole[0]:8.3g} {whole[1]:10.3g} {whole[2]:8.1f}"
                  f"   {whole[1] / samples:12.1f} x {whole[2] / seconds:9.1f} x")


if __name__ == "__main__":
    main()
