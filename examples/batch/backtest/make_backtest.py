#!/usr/bin/env python3
"""Writes a made-up market of three indices and the manifest of a backtest on it, into the folder of this script.

    python3 make_backtest.py [DAYS]      (default: 250)

history.csv has the levels of 500 days before the backtest and of its DAYS days. backtest.toml has one task for each day:
the market of that day, the deviations that a RiskMetrics forecast gives for the next day (J.P. Morgan/Reuters 1996, decay
0.94), and, as the stress scenario `next day`, the changes that then happened. Both files depend on DAYS alone.

Logarithmic returns have one common stochastic volatility (a first-order autoregression of its logarithm, Taylor 1986);
implied volatilities follow it, and fall when spots rise; the rate is a random walk.
"""
import datetime
import math
import pathlib
import random
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from estimates import count_argument  # noqa: E402

ASSETS = {"SPX": (5000.0, 0.17), "SX5E": (4800.0, 0.19), "NKY": (38000.0, 0.20)}  # spot on the first day, mean volatility
LOADING = 0.8                          # of each index on the common factor: correlations of 0.64
BEFORE = 500
DECAY = 0.94
FACTORS = [*ASSETS, *(f"{name} volatility" for name in ASSETS), "rate"]


def business_days(count):
    day = datetime.date(2023, 12, 4)
    while count:
        if day.weekday() < 5:
            yield day.isoformat()
            count -= 1
        day += datetime.timedelta(days=1)


def simulate(days):
    """Levels of all factors on each day: lists in the order of FACTORS."""
    rng = random.Random(20261128)
    spots = [spot for spot, _ in ASSETS.values()]
    level, rate, rows = 0.0, 0.03, []      # level: logarithm of the volatility over its mean
    for _ in range(days):
        implied = [mean * (0.35 + 0.65 * math.exp(level)) for _, mean in ASSETS.values()]
        rows.append([*spots, *(round(v, 5) for v in implied), round(rate, 6)])
        common = rng.gauss(0, 1)
        for i, (_, mean) in enumerate(ASSETS.values()):
            z = LOADING * common + math.sqrt(1 - LOADING**2) * rng.gauss(0, 1)
            deviation = mean * math.exp(level) / math.sqrt(252)
            spots[i] *= math.exp(deviation * z - deviation**2 / 2)
        level = 0.97 * level + 0.09 * (-0.6 * common + 0.8 * rng.gauss(0, 1))
        rate = max(rate + 0.0004 * rng.gauss(0, 1), 0.0)
    for i, (first, _) in enumerate(ASSETS.values()):   # the backtest begins with these spots
        scale = first / rows[BEFORE][i]
        for row in rows:
            row[i] = round(scale * row[i], 2)
    return rows


def change(factor, before, after):
    return math.log(after / before) if factor in ASSETS else after - before


def forecasts(rows):
    """Standard deviations over a year of all factors, as forecast on each day from the changes until then."""
    variances, result = None, [None]
    for before, after in zip(rows, rows[1:]):
        squares = [change(f, a, b)**2 for f, a, b in zip(FACTORS, before, after)]
        variances = squares if variances is None else [DECAY * v + (1 - DECAY) * s for v, s in zip(variances, squares)]
        result.append([math.sqrt(252 * v) for v in variances])
    return result


def numbers(values):
    return "[" + ", ".join(f"{v:.7g}" for v in values) + "]"


def manifest(dates, rows, days):
    deviations = forecasts(rows)
    today = range(BEFORE, BEFORE + days)
    lines = ["# Written by make_backtest.py: one task for each day.", 'estimates = ["risk/var", "stress/gain"]', '[[task]]', 'name = "book"', 'config = "book.toml"',
             'design = "list"', "threads = 1", "set = [\"risk.history_until='{date}'\"]"]

    def vary(kind, key, values):
        lines.extend(["[[task.vary]]", f'{kind} = "{key}"', values])

    vary("name", "date", "words = [" + ", ".join(f'"{dates[t]}"' for t in today) + "]")
    for i, asset in enumerate(ASSETS):
        vary("key", f"market.assets.{asset}.spot", "values = " + numbers(rows[t][i] for t in today))
        vary("key", f"market.assets.{asset}.volatility", "values = " + numbers(rows[t][3 + i] for t in today))
    vary("key", "market.rate", "values = " + numbers(rows[t][6] for t in today))
    for i in range(len(FACTORS)):
        vary("key", f"risk.factors.{i}.deviation", "values = " + numbers(deviations[t][i] for t in today))
    changes = []
    for t in today:
        moves = [after / before - 1 if i < 3 else after - before
                 for i, (before, after) in enumerate(zip(rows[t], rows[t + 1]))]
        changes.append('"' + numbers(moves) + '"')
    vary("key", "risk.stress.0.changes", "words = [" + ", ".join(changes) + "]")
    return "\n".join(lines) + "\n"


def main():
    days = count_argument("DAYS", default=250, least=1, most=10000)
    rows = simulate(BEFORE + days + 1)
    dates = list(business_days(len(rows)))
    with open(FOLDER / "history.csv", "w") as file:
        file.write("date," + ",".join(FACTORS) + "\n")
        for date, row in zip(dates, rows):
            file.write(date + "," + ",".join(repr(v) for v in row) + "\n")
    (FOLDER / "backtest.toml").write_text(manifest(dates, rows, days))


if __name__ == "__main__":
    main()
