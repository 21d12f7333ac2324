#!/usr/bin/env python3
"""Writes trades.csv, a portfolio of a few thousand trades, into the folder of this script.

    python3 make_portfolio.py [TRADES]      (default: 3000)

The file depends only on the number of trades. Columns are the keys of [[trades]] (`gsim schema`). An empty
cell means that the key is absent; a list is one cell with items separated by semicolons or blanks.
"""
import csv
import pathlib
import random
import sys

COLUMNS = ["id", "product", "asset", "assets", "type", "kind", "strike", "maturity", "quantity",
           "barrier", "cash", "fixing_count", "monitoring", "average", "average_of", "local_cap"]
ASSETS = ["SPX", "SX5E", "NKY", "UKX"]
MATURITIES = [0.25, 0.5, 0.75, 1.0, 1.5, 2.0]  # standard dates, which trades share


def trade(number, rng):
    product = rng.choices(["european", "asian", "digital", "barrier", "lookback", "cliquet",
                           "basket", "worst_of", "exchange"], [30, 20, 10, 15, 5, 5, 8, 4, 3])[0]
    t = {"id": f"T{number:05d}", "product": product, "maturity": rng.choice(MATURITIES),
         "quantity": rng.choice([-20, -10, -5, 1, 5, 10, 20])}
    option = rng.choice(["call", "put"])
    if product in ("basket", "worst_of", "exchange"):
        count = 2 if product == "exchange" else rng.choice([2, 3])
        t["assets"] = " ".join(rng.sample(ASSETS, count))
    else:
        t["asset"] = rng.choice(ASSETS)
    if product != "exchange":
        t["type"] = option
    if product not in ("exchange", "cliquet"):
        t["strike"] = rng.choice(range(80, 125, 5))
    if product == "asian":
        t["fixing_count"] = int(round(12 * t["maturity"]))
        t["average"] = rng.choice(["arithmetic", "arithmetic", "geometric"])
    elif product == "digital":
        t["cash"] = 10
    elif product == "barrier":
        up = rng.random() < 0.5
        t["kind"] = ("up" if up else "down") + rng.choice(["_and_out", "_and_in"])
        t["barrier"] = rng.choice([115, 120, 130] if up else [70, 80, 85])
        t["monitoring"] = "discrete"
        t["fixing_count"] = int(round(12 * t["maturity"]))
    elif product == "lookback":
        t["kind"] = "fixed"
        t["monitoring"] = "discrete"
        t["fixing_count"] = int(round(12 * t["maturity"]))
    elif product == "cliquet":
        t["type"] = "call"
        t["fixing_count"] = int(round(4 * t["maturity"]))
        t["local_cap"] = 0.08
        t["quantity"] *= 100
    return t


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    rng = random.Random(20261121)
    path = pathlib.Path(__file__).with_name("trades.csv")
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for number in range(1, count + 1):
            writer.writerow(trade(number, rng))


if __name__ == "__main__":
    main()
