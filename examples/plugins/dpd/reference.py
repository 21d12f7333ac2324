#!/usr/bin/env python3
"""Second and third virial coefficients of soft spheres with the pair potential u(r) = a (1 - r)^2 / 2 for r < 1, and
the virial pressure of their dilute gas: p / (density k T) = 1 + B2 density + B3 density^2 + ...
    B2 = -2 pi integral f r^2 dr,                 f(r) = exp(-u / k T) - 1
    B3 = -(8 pi^2 / 3) integral r f(r) integral s f(s) (G(r + s) - G(|r - s|)) ds dr,  G(x) = integral_0^x t f(t) dt
(J.-P. Hansen and I. R. McDonald, Theory of Simple Liquids, 4th ed. (2013), section 3.9). Simpson's rule on N parts;
hard spheres, B3 = 5/8 B2^2, are the check.
usage: reference.py [A]"""
import math
import sys

N = 1000


def simpson(values, h):
    return h / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))


def coefficients(f):
    """B2 and B3 of a Mayer function that is 0 beyond 1."""
    h = 1 / N
    r = [i * h for i in range(N + 1)]
    rf = [x * f(x) for x in r]
    # G at all nodes; it is constant beyond 1. Simpson's rule on each interval, with its midpoint.
    g = [0.0]
    for i in range(N):
        middle = (i + 0.5) * h
        g.append(g[-1] + h / 6 * (rf[i] + 4 * middle * f(middle) + rf[i + 1]))
    outer = []
    for i in range(N + 1):
        inner = [rf[j] * (g[min(i + j, N)] - g[abs(i - j)]) for j in range(N + 1)]
        # The integrand has kinks at s = 1 - r and s = r, which are nodes. The intervals between these nodes are
        # integrated separately.
        cuts = sorted({0, N, min(i, N), N - i})
        total = 0.0
        for first, last in zip(cuts, cuts[1:]):
            piece = inner[first:last + 1]
            if len(piece) % 2 == 0:  # an odd number of intervals: the last one by the trapezoidal rule
                total += h / 2 * (piece[-2] + piece[-1])
                piece = piece[:-1]
            if len(piece) > 1:
                total += simpson(piece, h)
        outer.append(rf[i] * total)
    b2 = -2 * math.pi * simpson([x * y for x, y in zip(r, rf)], h)
    return b2, -(8 * math.pi ** 2 / 3) * simpson(outer, h)


def main():
    b2, b3 = coefficients(lambda r: -1.0)
    print(f"hard spheres: B2 {b2:.9f} (exactly {2 * math.pi / 3:.9f})  B3 / B2^2 {b3 / b2 ** 2:.6f} (exactly 0.625)")
    for a in [float(sys.argv[1])] if len(sys.argv) > 1 else [5.0, 25.0]:
        b2, b3 = coefficients(lambda r, a=a: math.exp(-a * (1 - r) ** 2 / 2) - 1)
        print(f"a = {a:g}, k T = 1: B2 {b2:.9f}  B3 {b3:.7f}")


if __name__ == "__main__":
    main()
