#!/usr/bin/env python3
"""Draws the value of a note against the spot today, by gsim and by quadrature: results/value.png.
All spots use the same random numbers, so that the errors of neighbouring points are similar.
Needs Matplotlib and NumPy. usage: picture.py [GSIM]"""
import csv
import pathlib
import subprocess
import sys

import matplotlib
import numpy as np

import reference

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402: the backend must be chosen first

FOLDER = pathlib.Path(__file__).resolve().parent
GSIM = sys.argv[1] if len(sys.argv) > 1 else "gsim"
CONFIG = """module = "pricing"
plugins = ["../build/libautocallable.so"]
stop.samples = 200_000
[market]
rate = 0.03
[market.assets.A]
spot = 100.0
volatility = 0.3
"""
TRADE = """[[trades]]
id = "{start:.4f} {memory}"
product = "autocallable"
assets = ["A"]
initial = [{initial}]
maturity = 3.0
fixing_count = 6
call = [1.05, 1.0, 1.0, 0.95, 0.95, 0.9]
coupon = 0.04
coupon_barrier = 0.75
memory = {memory}
knock_in = 0.65
"""


def prices(starts):
    """(price, standard error) by trade id of notes whose initial levels are today's spot, 100, divided by each of `starts`."""
    results = FOLDER / "results"
    results.mkdir(exist_ok=True)
    trades = [TRADE.format(start=start, initial=100 / start, memory=memory)
              for start in starts for memory in ("true", "false")]
    config = results / "value.toml"
    config.write_text(CONFIG + "".join(trades))
    table = ""
    for arguments in (["run", config], ["inspect", "--csv", "trades", results / "value.h5"]):
        table = subprocess.run([GSIM, *arguments], cwd=FOLDER, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {row["id"]: (float(row["price"]), float(row["standard_error"])) for row in csv.DictReader(table.splitlines())}


def main():
    starts = np.linspace(0.4, 1.4, 41)
    estimates = prices(starts)
    figure, (value_axes, error_axes) = pyplot.subplots(2, sharex=True, height_ratios=(3, 1), figsize=(7, 6),
                                                       constrained_layout=True)
    for memory, colour in (("true", "tab:blue"), ("false", "tab:orange")):
        call = [1.05, 1.0, 1.0, 0.95, 0.95, 0.9]
        note = reference.Note(reference.HALF_YEARLY, call, 0.04, 0.75, memory == "true", 0.65, 1.0)
        exact = np.array([reference.one_underlying(note, rate=0.03, dividend=0.0, volatility=0.3, width=0.5, order=16,
                                                   start=start) for start in starts])
        price, error = np.array([estimates[f"{start:.4f} {memory}"] for start in starts]).T
        label = "with memory" if memory == "true" else "without memory"
        value_axes.plot(starts, exact, color=colour, label=f"{label}, quadrature")
        value_axes.errorbar(starts, price, error, fmt=".", color=colour, label="gsim")
        error_axes.plot(starts, (price - exact) / error, ".", color=colour)
    value_axes.set_ylabel("value / notional")
    value_axes.legend()
    error_axes.axhspan(-2, 2, color="0.9")
    error_axes.set(xlabel="spot / initial level", ylabel="difference / error", ylim=(-4, 4))
    figure.savefig(FOLDER / "results/value.png", dpi=150)
    print("results/value.png")


if __name__ == "__main__":
    main()
