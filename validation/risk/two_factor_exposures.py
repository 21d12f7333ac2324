#!/usr/bin/env python3
"""Reference values of exposure_two_factors.toml: a netting set of a payer swap, a sold cap and a put on a zero-coupon bond
under G2++ (Brigo and Mercurio 2006, section 4.2), whose trades have closed forms given the factors. Prints discounted
expected positive and negative exposures by Simpson's rule over both factors under the measure of payments at the date, and
by a simulation of the short rate under the risk-neutral measure in small steps, with its standard error.
usage: two_factor_exposures.py [PATHS]"""
import math
import random
import sys

RATE, A, SIGMA, B, ETA, RHO = 0.03, 0.5, 0.012, 0.05, 0.009, -0.7
DATES = (1, 3, 5)


def normal_cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2))


def part(z, t):
    return (1 - math.exp(-z * t)) / z


def discount(t):
    return math.exp(-RATE * t)


def variance(l, m, t):
    """Of l x + m y after a time t."""
    return (l * l * SIGMA**2 * part(2 * A, t) + m * m * ETA**2 * part(2 * B, t) +
            2 * l * m * RHO * SIGMA * ETA * part(A + B, t))


class State:
    """Bonds at the date t; the factors have the mean 0 under the measure of payments at t."""

    def __init__(self, t, x, y):
        self.t, self.x, self.y = t, x, y

    def bond(self, end):
        l, m = part(A, end - self.t), part(B, end - self.t)
        return (discount(end) / discount(self.t) *
                math.exp(-l * self.x - m * self.y - 0.5 * variance(l, m, self.t)))

    def put(self, expiry, end, strike):
        """On the bond that ends at `end`; Brigo and Mercurio, eq. 4.27."""
        paid, received = strike * self.bond(expiry), self.bond(end)
        sd = math.sqrt(variance(part(A, end - expiry), part(B, end - expiry), expiry - self.t))
        h = math.log(received / paid) / sd + 0.5 * sd
        return paid * normal_cdf(sd - h) - received * normal_cdf(-h)

    def value(self):
        swap = 1 - self.bond(10) - 0.03 * sum(self.bond(T) for T in range(self.t + 1, 11))
        cap = sum(1.032 * self.put(T, T + 1, 1 / 1.032) for T in range(self.t, 8) if T > self.t)
        if self.t > 0:  # the caplet that is fixed at the date
            cap += max(1 - 1.032 * self.bond(self.t + 1), 0)
        return 1000 * swap - 800 * cap + 500 * self.put(6, 9, 0.93)


def simpson(t):
    n, reach = 160, 8.0
    step = 2 * reach / n
    sx, sy = math.sqrt(variance(1, 0, t)), math.sqrt(variance(0, 1, t))
    r = RHO * SIGMA * ETA * part(A + B, t) / (sx * sy)
    weight = [1 if k in (0, n) else 4 if k % 2 else 2 for k in range(n + 1)]
    sums = [0.0, 0.0]
    for i in range(n + 1):
        for j in range(n + 1):
            u, v = -reach + i * step, -reach + j * step
            w = weight[i] * weight[j] * math.exp(-0.5 * (u * u + v * v))
            if w < 1e-16:
                continue
            value = State(t, sx * u, sy * (r * u + math.sqrt(1 - r * r) * v)).value()
            sums[value < 0] += w * abs(value)
    return [discount(t) * s * step * step / 9 / (2 * math.pi) for s in sums]


def shift(t):
    """phi(t): r = x + y + phi, under the risk-neutral measure; eq. 4.12."""
    a, b = SIGMA * part(A, t), ETA * part(B, t)
    return RATE + 0.5 * a * a + 0.5 * b * b + RHO * a * b


def mean(t):
    """Of the factors at t under the measure of payments at t, less that under the risk-neutral one; from eq. 4.30."""
    def moved(z, own, other_z, other):
        return -(own * own / z * (part(z, t) - part(2 * z, t)) +
                 RHO * own * other / other_z * (part(z, t) - part(z + other_z, t)))
    return moved(A, SIGMA, B, ETA), moved(B, ETA, A, SIGMA)


def simulate(paths):
    dt = 0.02
    decay = math.exp(-A * dt), math.exp(-B * dt)
    sx, sy = math.sqrt(variance(1, 0, dt)), math.sqrt(variance(0, 1, dt))
    r = RHO * SIGMA * ETA * part(A + B, dt) / (sx * sy)
    phi = [shift(k * dt) for k in range(round(DATES[-1] / dt) + 1)]
    steps = {round(t / dt): t for t in DATES}
    sums = {t: [0.0, 0.0, 0.0, 0.0] for t in DATES}
    rng = random.Random(20261128)
    for _ in range(paths):
        normals = [(rng.gauss(0, 1), rng.gauss(0, 1)) for _ in range(len(phi) - 1)]
        found = {t: [0.0, 0.0] for t in DATES}
        for sign in (1, -1):  # antithetic paths
            x = y = integral = 0.0
            for k, (u, v) in enumerate(normals, 1):
                before = x + y + phi[k - 1]
                x = decay[0] * x + sign * sx * u
                y = decay[1] * y + sign * sy * (r * u + math.sqrt(1 - r * r) * v)
                integral += 0.5 * dt * (before + x + y + phi[k])
                if k in steps:
                    t = steps[k]
                    mx, my = mean(t)
                    value = State(t, x - mx, y - my).value()
                    found[t][value < 0] += 0.5 * abs(value) * math.exp(-integral)
        for t in DATES:
            for k in (0, 1):
                sums[t][k] += found[t][k]
                sums[t][2 + k] += found[t][k] ** 2
    for t in DATES:
        means = [s / paths for s in sums[t][:2]]
        errors = [math.sqrt((s / paths - m * m) / paths) for s, m in zip(sums[t][2:], means)]
        yield t, means, errors


if __name__ == "__main__":
    for t in DATES:
        print(t, "Simpson   ", *("%.8f" % v for v in simpson(t)))
    for t, means, errors in simulate(int(sys.argv[1]) if len(sys.argv) > 1 else 4000):
        print(t, "simulated ", *("%.3f +- %.3f" % pair for pair in zip(means, errors)))
