#!/usr/bin/env python3
"""Reference values of window_barrier.toml: integrals over the spots at the window's start and end, with the probability that
a Brownian bridge does not touch the barrier between them. Prints the values for two sets of panels.
usage: window_reference.py (10 seconds)"""
import math

from structured_reference import black_scholes, panels


def window(sign, strike, up, knock_in, barrier, start, end, rate, dividend, vol, rebate, count, n, maturity=1.0, spot=100.0):
    level = math.log(barrier / spot)
    width = 9 * vol

    def density(x, years):
        sd, drift = vol * math.sqrt(years), (rate - dividend - 0.5 * vol * vol) * years
        return math.exp(-0.5 * ((x - drift) / sd) ** 2) / (sd * math.sqrt(2 * math.pi))

    def settled(x, touched):
        left = maturity - end
        if touched != knock_in:
            return rebate * math.exp(-rate * left)
        return black_scholes(sign, spot * math.exp(x), strike, rate, dividend, vol, left)

    def from_start(x, grid):
        """The value at the window's start, not discounted to today."""
        years, is_beyond = end - start, (x >= level) if up else (x <= level)
        total = 0
        for y, w, alive, touched in grid:
            beyond = is_beyond or ((y >= level) if up else (y <= level))
            touch = 1 if beyond else math.exp(-2 * (level - x) * (level - y) / (vol * vol * years))
            total += w * density(y - x, years) * (touch * touched + (1 - touch) * alive)
        return math.exp(-rate * years) * total

    points = sorted({-width, level, math.log(strike / spot), 0.0, width})
    grid = [(y, w, settled(y, False), settled(y, True)) for y, w in panels(points, count, n)]
    if start == 0:
        return from_start(0.0, grid)
    return math.exp(-rate * start) * sum(w * density(x, start) * from_start(x, grid) for x, w in panels(points, count, n))


WINDOWS = ((1, 100, False, False, 90, 0.0, 0.4, 0.05, 0.02, 0.25, 0), (-1, 105, True, False, 120, 0.0, 0.4, 0.05, 0.02, 0.25, 2),
           (-1, 100, False, True, 90, 0.6, 1.0, 0.05, 0.02, 0.25, 1), (1, 100, True, False, 120, 0.6, 1.0, 0.05, 0.02, 0.25, 1),
           (1, 100, True, True, 120, 0.3, 0.6, 0.05, 0.02, 0.25, 1), (-1, 95, False, False, 105, 0.25, 0.75, 0.03, 0.0, 0.3, 0))

if __name__ == "__main__":
    for count, n in ((10, 10), (14, 12)):
        print("window", *(f"{window(*terms, count, n):.12g}" for terms in WINDOWS))
