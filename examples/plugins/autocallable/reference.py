#!/usr/bin/env python3
"""Values of autocallable notes on one and on two lognormal underlyings, by quadrature: the reference values
of validation/pricing. Needs NumPy. usage: reference.py

The recursion runs backward from date to date: A. D. Andricopoulos, M. Widdicks, P. W. Duck, D. P. Newton, "Universal
option valuation using quadrature methods", Journal of Financial Economics 67 (2003) 447, equations 2 to 6; several
underlyings: same authors and M. Widdicks, ibid. 83 (2007) 471. With x = ln(S / S_0) of each underlying,

  V_i(x, m) = exp(-r dt) * integral of phi(y | x) W_{i+1}(y, m) dy

is the value of a note that was not called up to date i, with m coupons in memory; W is V plus the payment at the date,
and has a jump at each barrier. Gauss-Legendre panels end at the barriers, so that W is smooth within each. On the last
date, W is a polynomial in exp(y) between its barriers. With one underlying its integral has a closed form; with two,
the integral over the second underlying has one, and that over the first is by quadrature. The values are printed for
two sets of panels; the digits on which they agree are correct.
"""
import math

import numpy as np

erfc = np.vectorize(math.erfc, otypes=[float])


def cdf(x):
    return 0.5 * erfc(-np.asarray(x, dtype=float) / math.sqrt(2))


def panels(lower, upper, breaks, width, order):
    """Nodes and weights of Gauss-Legendre panels of at most `width`, none across a break."""
    ends = sorted({lower, upper, *[b for b in breaks if lower < b < upper]})
    x, w = np.polynomial.legendre.leggauss(order)
    nodes, weights = [], []
    for a, b in zip(ends, ends[1:]):
        n = max(1, math.ceil((b - a) / width))
        for k in range(n):
            c, h = a + (b - a) * (k + 0.5) / n, (b - a) / n / 2
            nodes.append(c + h * x)
            weights.append(h * w)
    return np.concatenate(nodes), np.concatenate(weights)


class Note:
    """The terms of a note. `dates` are in years, and call[i] is the call level on dates[i]. All levels are relative to
    the initial ones; coupons are relative to the notional."""

    def __init__(self, dates, call, coupon, coupon_barrier, memory, knock_in, strike):
        self.dates, self.call, self.coupon = dates, call, coupon
        self.coupon_barrier, self.memory = coupon_barrier, memory
        self.knock_in, self.strike = knock_in, strike
        assert knock_in <= strike  # otherwise the redemption has another kink
        assert all(c >= coupon_barrier for c in call)

    def barriers(self, i):
        return [math.log(b) for b in (self.coupon_barrier, self.call[i]) if 0 < b < math.inf]

    def value_at(self, i, level, m, continuation):
        """Payment at date i plus the value after it, with m coupons in memory before the date. `continuation[k]`
        is the value after the date of a note that was not called and has k coupons in memory."""
        pays_coupon = level >= self.coupon_barrier
        coupons = np.where(pays_coupon, (1 + m) * self.coupon, 0)
        after = np.where(pays_coupon, continuation[0], continuation[m + 1 if self.memory else 0])
        return coupons + np.where(level >= self.call[i], 1, after)


def one_underlying(note, rate, dividend, volatility, width, order, start=1.0):
    """The value of a note on one underlying, relative to the notional, with the spot at `start` times the initial level.
    Panels have `order` nodes, and widths of at most `width` standard deviations of the step."""
    def step(i):
        dt = note.dates[i] - (note.dates[i - 1] if i else 0)
        return dt, (rate - dividend - volatility**2 / 2) * dt, volatility * math.sqrt(dt)

    def value_before_last_date(x, m):
        """The value after the last date but one, at x = ln(S / S_0), with m coupons in memory."""
        dt, drift, sd = step(len(note.dates) - 1)
        at_least = lambda level: cdf((x + drift - math.log(level)) / sd)
        payment = at_least(note.knock_in)
        # P(y < ln knock_in) with the density of y weighted by exp(y)
        below = cdf((math.log(note.knock_in) - x - drift - sd**2) / sd)
        payment = payment + np.exp(x + drift + sd**2 / 2) * below / note.strike
        if note.coupon_barrier > 0:
            payment = payment + note.coupon * (1 + m) * at_least(note.coupon_barrier)
        else:
            payment = payment + note.coupon * (1 + m)
        return math.exp(-rate * dt) * payment

    n = len(note.dates)
    memories = range(n if note.memory else 1)
    total_sd = volatility * math.sqrt(note.dates[-1])
    # grids[i]: nodes of date i
    grids = [panels(-13 * total_sd, 13 * total_sd, note.barriers(i), width * step(i)[2], order) for i in range(n - 1)]
    points = [np.array([math.log(start)])] + [g[0] for g in grids]
    values = [value_before_last_date(points[n - 1], m) for m in memories]
    # `values` are those after dates[i] when an iteration starts, and those after dates[i - 1] when it ends.
    for i in range(n - 2, -1, -1):
        y, w = grids[i]
        dt, drift, sd = step(i)
        x = points[i]
        kernel = np.exp(-((y[None, :] - x[:, None] - drift) / sd)**2 / 2) * (w / (sd * math.sqrt(2 * math.pi)))
        level = np.exp(y)
        memories = range(i + 1 if note.memory else 1)
        values = [math.exp(-rate * dt) * (kernel @ note.value_at(i, level, m, values)) for m in memories]
    return float(values[0][0])


def two_underlyings(note, rate, dividends, volatilities, rho, width, order):
    """The value of a note on the worse of two underlyings; `width` and `order` as in one_underlying()."""
    s = np.array(volatilities)
    q = np.array(dividends)
    r = math.sqrt(1 - rho**2)

    def step(i):
        dt = note.dates[i] - (note.dates[i - 1] if i else 0)
        return dt, (rate - q - s**2 / 2) * dt, s * math.sqrt(dt)

    def value_before_last_date(x1, x2, m):
        """The value after the last date but one, at the logarithms x1 and x2, with m coupons in memory."""
        dt, drift, sd = step(len(note.dates) - 1)
        u, v = panels(-1, 1, [], width / 8, order)  # normal() maps them to the interval of each row

        def normal(lower, upper):
            """Nodes on the interval [lower, upper] of each row, and weights times the normal density."""
            half = (upper - lower) / 2
            z = lower[:, None] + half[:, None] * (u + 1)
            return z, np.exp(-z * z / 2) / math.sqrt(2 * math.pi) * v * half[:, None]

        def both_above(level):
            """P(both >= level), integrated over the first underlying above the level."""
            z, d = normal(np.minimum((math.log(level) - x1 - drift[0]) / sd[0], 9.0), 9.0)
            t = ((x2 + drift[1] - math.log(level)) / sd[1])[:, None]
            return (d * cdf((t + rho * z) / r)).sum(axis=1)

        def expectation_if_worst(x_i, x_j, i, j):
            """E[exp(y_i); y_i <= y_j, y_i < ln knock_in], integrated over z, where y_i = x_i + drift_i + sd_i z."""
            lower = np.full_like(x_i, -9 + sd[i])  # exp(y) times the density is negligible below it
            z, d = normal(lower, np.clip((math.log(note.knock_in) - x_i - drift[i]) / sd[i], -9 + sd[i], 9 + sd[i]))
            y = (x_i + drift[i])[:, None] + sd[i] * z
            t = ((x_j + drift[j])[:, None] - y) / sd[j]
            return (d * np.exp(y) * cdf((t + rho * z) / r)).sum(axis=1)

        payment = both_above(note.knock_in)
        payment += (expectation_if_worst(x1, x2, 0, 1) + expectation_if_worst(x2, x1, 1, 0)) / note.strike
        coupons = both_above(note.coupon_barrier) if note.coupon_barrier > 0 else 1.0
        return math.exp(-rate * dt) * (payment + note.coupon * (1 + m) * coupons)

    n = len(note.dates)
    memories = range(n if note.memory else 1)
    grids = []
    for i in range(n - 1):
        axes = []
        for a in range(2):
            half_width = 8.5 * s[a] * math.sqrt(note.dates[i])
            axes.append(panels(-half_width, half_width, note.barriers(i), width * step(i)[2][a], order))
        (y1, w1), (y2, w2) = axes
        grids.append((np.repeat(y1, len(y2)), np.tile(y2, len(y1)), np.outer(w1, w2).ravel()))
    points = [(np.array([0.0]), np.array([0.0]))] + [(g[0], g[1]) for g in grids]
    chunk = 500  # rows that are computed at a time, which limits the memory

    def last_values(x, m):
        return np.concatenate([value_before_last_date(x[0][k:k + chunk], x[1][k:k + chunk], m)
                               for k in range(0, len(x[0]), chunk)])

    values = [last_values(points[n - 1], m) for m in memories]
    for i in range(n - 2, -1, -1):
        y1, y2, w = grids[i]
        dt, drift, sd = step(i)
        level = np.exp(np.minimum(y1, y2))
        memories = range(i + 1 if note.memory else 1)
        weighted_values = np.stack([w * note.value_at(i, level, m, values) for m in memories], axis=1)
        rows = []
        for k in range(0, len(points[i][0]), chunk):
            z1 = (y1[None, :] - points[i][0][k:k + chunk, None] - drift[0]) / sd[0]
            z2 = (y2[None, :] - points[i][1][k:k + chunk, None] - drift[1]) / sd[1]
            phi = np.exp(-(z1 * z1 - 2 * rho * z1 * z2 + z2 * z2) / (2 * r * r))
            rows.append(phi @ weighted_values / (2 * math.pi * r * sd[0] * sd[1]))
        discounted = np.concatenate(rows) * math.exp(-rate * dt)
        values = [discounted[:, m] for m in memories]
    return float(values[0][0])


YEARLY = [1.0, 2.0, 3.0]
HALF_YEARLY = [0.5 * k for k in range(1, 7)]
INF = math.inf
NOTES_ON_ONE = [  # note, rate, dividend, volatility
    ("express", Note(YEARLY, [1.0] * 3, 0.06, 0.0, False, 0.6, 1.0), 0.02, 0.01, 0.22),
    ("phoenix", Note(HALF_YEARLY, [1.05, 1.0, 1.0, 0.95, 0.95, 0.9], 0.04, 0.75, False, 0.65, 1.0), 0.03, 0.0, 0.3),
    ("phoenix with memory", Note(HALF_YEARLY, [1.05, 1.0, 1.0, 0.95, 0.95, 0.9], 0.04, 0.75, True, 0.65, 1.0),
     0.03, 0.0, 0.3),
    ("late first call, geared redemption", Note(YEARLY, [INF, 1.0, 0.9], 0.05, 0.8, True, 0.7, 0.7),
     -0.005, 0.03, 0.18),
]
NOTES_ON_TWO = [  # note, rate, dividends, volatilities, correlation
    ("one date", Note([1.5], [1.0], 0.1, 0.8, False, 0.7, 1.0), 0.03, (0.0, 0.02), (0.2, 0.3), 0.4),
    ("two dates with memory", Note([1.0, 2.0], [1.0, 0.95], 0.07, 0.8, True, 0.6, 1.0), 0.02, (0.01, 0.03),
     (0.25, 0.2), 0.6),
    ("three dates", Note(YEARLY, [1.05, 1.0, 0.95], 0.08, 0.7, True, 0.6, 1.0), 0.025, (0.0, 0.01), (0.22, 0.28), -0.3),
]


def main():
    for name, *terms in NOTES_ON_ONE:
        print(f"{name}: {one_underlying(*terms, 0.5, 16):.14f} {one_underlying(*terms, 0.35, 20):.14f}")
    for name, *terms in NOTES_ON_TWO:
        print(f"{name}: {two_underlyings(*terms, 1.6, 10):.12f} {two_underlyings(*terms, 1.3, 11):.12f}", flush=True)


if __name__ == "__main__":
    main()
