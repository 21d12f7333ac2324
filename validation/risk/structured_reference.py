#!/usr/bin/env python3
"""Reference values of napoleon.toml and parisian.toml: integrals over the worst return, and backward quadrature from date
to date over Gauss-Legendre panels that end at strike and barrier. Prints the values for two sets of panels.
usage: structured_reference.py (20 seconds)"""
import math


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def legendre(n):
    """Nodes and weights on [-1, 1], by Newton's method."""
    rule = []
    for i in range(n):
        x = math.cos(math.pi * (i + 0.75) / (n + 0.5))
        for _ in range(50):
            before, value = 1.0, x
            for k in range(2, n + 1):
                before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
            slope = n * (x * value - before) / (x * x - 1)
            x -= value / slope
        rule.append((x, 2 / ((1 - x * x) * slope * slope)))
    return rule


def panels(points, count, n):
    """Nodes and weights of `count` panels between each two of the points."""
    rule = legendre(n)
    nodes = []
    for first, last in zip(points, points[1:]):
        half = 0.5 * (last - first) / count
        for k in range(count):
            middle = first + (2 * k + 1) * half
            nodes += [(middle + half * x, half * w) for x, w in rule]
    return nodes


def napoleon(rate, dividend, vol, years, coupons, periods, coupon, floor, count, n):
    dt = years / coupons / periods
    mean, sd = (rate - dividend - 0.5 * vol * vol) * dt, vol * math.sqrt(dt)
    low = floor - coupon
    points = [low] + [p for p in (math.exp(mean - 12 * sd) - 1, 0.0, math.exp(mean + 12 * sd) - 1) if p > low]
    excess = sum(w * normal_cdf((mean - math.log1p(x)) / sd) ** periods for x, w in panels(points, count, n))
    return sum(math.exp(-rate * years * (k + 1) / coupons) * (floor + excess) for k in range(coupons))


def black_scholes(sign, spot, strike, rate, dividend, vol, years):
    if years <= 0:
        return max(sign * (spot - strike), 0.0)
    sd = vol * math.sqrt(years)
    d = (math.log(spot / strike) + (rate - dividend) * years) / sd + 0.5 * sd
    return sign * (spot * math.exp(-dividend * years) * normal_cdf(sign * d)
                   - strike * math.exp(-rate * years) * normal_cdf(sign * (d - sd)))


def parisian(sign, strike, up, knock_in, barrier, consecutive, dates, rate, dividend, vol, rebate, count, n):
    """The spot is 100 and the maturity a year. States are the log-spot and the number of dates beyond the barrier."""
    spot, maturity = 100.0, 1.0
    level = math.log(barrier / spot)
    width = 9 * vol
    grid = panels(sorted({-width, level, math.log(strike / spot), 0.0, width}), count, n)
    beyond = [(x >= level) if up else (x <= level) for x, _ in grid]

    def settled(x, years, touched):
        """The value when nothing is monitored any more."""
        if touched != knock_in:
            return rebate * math.exp(-rate * years)
        return black_scholes(sign, spot * math.exp(x), strike, rate, dividend, vol, years)

    def monitored(values, years):
        """From the values after a date, by run, to those before it."""
        touched = [settled(x, years, True) for x, _ in grid]
        return [[values[0][i] if not is_beyond else touched[i] if run + 1 >= consecutive else values[run + 1][i]
                 for i, is_beyond in enumerate(beyond)] for run in range(consecutive)]

    matrices = {}

    def step(values, dt, start=None):
        """Expectations over an interval, discounted."""
        sd, drift = vol * math.sqrt(dt), (rate - dividend - 0.5 * vol * vol) * dt
        scale = math.exp(-rate * dt) / (sd * math.sqrt(2 * math.pi))

        def row(x):
            return [scale * w * math.exp(-0.5 * ((y - x - drift) / sd) ** 2) for y, w in grid]

        if start is not None:
            return sum(a * b for a, b in zip(row(start), values[0]))
        key = round(dt, 9)
        if key not in matrices:
            matrices[key] = [row(x) for x, _ in grid]
        return [[sum(a * b for a, b in zip(r, v)) for r in matrices[key]] for v in values]

    values = [[settled(x, maturity - dates[-1], False) for x, _ in grid]] * consecutive
    values = monitored(values, maturity - dates[-1])
    for date, next_date in reversed(list(zip(dates, dates[1:]))):
        values = monitored(step(values, next_date - date), maturity - date)
    return step(values, dates[0], 0.0)


NAPOLEONS = ((0.03, 0.01, 0.2, 1.0, 1, 12, 0.08, 0.0), (0.03, 0.01, 0.2, 3.0, 3, 12, 0.08, 0.0),
             (0.01, 0.0, 0.35, 1.0, 1, 4, 0.1, 0.02), (0.02, 0.0, 0.15, 2.0, 2, 6, 0.05, -0.5))
MONTHS = [i / 12 for i in range(1, 13)]
PARISIANS = ((1, 100, False, False, 90, 1, MONTHS, 0.05, 0.0, 0.2, 0), (1, 100, False, False, 95, 3, MONTHS, 0.05, 0.0, 0.2, 0),
             (-1, 100, False, True, 90, 2, MONTHS, 0.05, 0.02, 0.25, 0), (1, 95, True, False, 115, 4, MONTHS, 0.02, 0.0, 0.3, 3),
             (-1, 105, True, True, 110, 2, [0.25, 0.5, 0.75, 1.0], 0.03, 0.0, 0.2, 1),
             (-1, 100, False, True, 85, 1, [0.75 + i / 52 for i in range(1, 14)], 0.03, 0.01, 0.2, 0),
             (1, 100, False, False, 90, 1, [i / 12 for i in range(1, 7)], 0.05, 0.0, 0.25, 0))

if __name__ == "__main__":
    for count, n in ((60, 20), (90, 24)):
        print("napoleon", *(f"{napoleon(*terms, count, n):.15g}" for terms in NAPOLEONS))
    for count, n in ((8, 12), (12, 14)):
        print("parisian", *(f"{parisian(*terms, count, n):.13g}" for terms in PARISIANS))
