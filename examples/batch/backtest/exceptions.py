#!/usr/bin/env python3
"""Counts the days of a backtest on which the loss exceeded the value at risk, and tests whether they are too many or clustered.

    python3 exceptions.py [ESTIMATES]      (default: results/backtest/estimates.csv)

For each method and level: the exceptions and the number expected; the likelihood ratios of Kupiec (1995, unconditional
coverage) and of Christoffersen (1998, independence, and conditional coverage, their sum) with their probabilities by the
chi-square distributions with 1, 1 and 2 degrees of freedom; and, of the level 0.99, the zone of the Basel Committee (1996),
by the binomial distribution of the number of exceptions: yellow from 95 %, red from 99.99 %. `close` counts the days on
which gain and value at risk differ by less than two standard errors of the value at risk.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from estimates import rows, value_and_error  # noqa: E402


def chi_square_tail(x, degrees):
    """The probability that a chi-square variable of 1 or 2 degrees of freedom is larger than x."""
    x = max(x, 0.0)
    return math.erfc(math.sqrt(x / 2)) if degrees == 1 else math.exp(-x / 2)


def log_likelihood(failures, trials, probability):
    """The logarithm of p^failures (1 - p)^(trials - failures), with 0 log 0 = 0."""
    return ((failures * math.log(probability) if failures else 0.0)
            + ((trials - failures) * math.log1p(-probability) if trials > failures else 0.0))


def kupiec(exceptions, level):
    """The likelihood ratio of the hypothesis that an exception has the probability 1 - level (Kupiec 1995)."""
    n, x = len(exceptions), sum(exceptions)
    return 2 * (log_likelihood(x, n, x / n) - log_likelihood(x, n, 1 - level))


def christoffersen(exceptions):
    """The likelihood ratio of independence against a Markov chain of first order (Christoffersen 1998, eq. 5)."""
    after = {0: [0, 0], 1: [0, 0]}         # days and exceptions after a day without, with an exception
    for before, now in zip(exceptions, exceptions[1:]):
        after[before][0] += 1
        after[before][1] += now
    n, x = (after[0][k] + after[1][k] for k in (0, 1))
    chain = sum(log_likelihood(failures, trials, failures / trials) for trials, failures in after.values() if trials)
    return 2 * (chain - log_likelihood(x, n, x / n)) if n else 0.0


def basel_zone(exceptions, level):
    """green, yellow or red: where the distribution of the number of exceptions of a correct model reaches it."""
    n, x, p = len(exceptions), sum(exceptions), 1 - level
    up_to = sum(math.comb(n, k) * p**k * (1 - p)**(n - k) for k in range(x + 1))
    return "green" if up_to < 0.95 else "yellow" if up_to < 0.9999 else "red"


def read(path):
    """Gains by day, and (value at risk, its error) by method, level and day."""
    gains, measures = {}, {}
    for row in rows(path):
        day = row["date"]
        if row["estimate"] == "stress/gain":
            gains[day] = float(row["value"])
        elif row["estimate"] == "risk/var":
            method, level = row["row"].split(", level ")
            measures.setdefault((method, float(level)), {})[day] = value_and_error(row)
    if not measures:
        sys.exit(f"{path} has no value at risk: no day is done")
    return gains, measures


def main():
    gains, measures = read(sys.argv[1] if len(sys.argv) > 1 else "results/backtest/estimates.csv")
    print("method       level  days  exceptions  expected  close  Kupiec p  independence p  coverage p  zone")
    for (method, level), by_day in sorted(measures.items()):
        days = sorted(by_day)
        hits = [int(-gains[day] > by_day[day][0]) for day in days]
        close = sum(abs(gains[day] + by_day[day][0]) < 2 * by_day[day][1] for day in days)
        coverage, independence = kupiec(hits, level), christoffersen(hits)
        print(f"{method:11}  {level:5}  {len(days):4}  {sum(hits):10}  {(1 - level) * len(days):8.1f}  {close:5}"
              f"  {chi_square_tail(coverage, 1):8.4f}  {chi_square_tail(independence, 1):14.4f}"
              f"  {chi_square_tail(coverage + independence, 2):10.4f}  {basel_zone(hits, level) if level == 0.99 else ''}")


if __name__ == "__main__":
    main()
