#!/usr/bin/env python3
"""Flux of a plane pulse in an infinite medium, at points and as means over bins: the columns `point`
and `mean` of azurv1.toml. The program reads the bins from that file and compares its values. Needs
numpy.

B. D. Ganapol et al., LA-UR-01-1854 (2001): with eta = x / t, total cross section and speed 1, the uncollided
flux is exp(-t) / (2 t), and the collided flux is
  exp(-t) c / (8 pi) (1 - eta^2) int_0^pi sec^2(u / 2) Re(xi^2 exp(c t (1 - eta^2) xi / 2)) du
with xi = (log((1 + eta) / (1 - eta)) + i u) / (eta + i tan(u / 2)); the flux is zero beyond |x| = t.
"""
import pathlib
import tomllib

import numpy as np

NODES, WEIGHTS = np.polynomial.legendre.leggauss(200)
U, DU = (NODES + 1) * np.pi / 2, WEIGHTS * np.pi / 2


def flux(x, t, c):
    """The flux at points x and times t, arrays of the same shape."""
    eta = np.where(np.abs(x) < t, np.abs(x) / t, 0)[..., None]
    rate = c * t[..., None] * (1 - eta**2)
    xi = (np.log((1 + eta) / (1 - eta)) + 1j * U) / (eta + 1j * np.tan(U / 2))
    integral = (np.real(xi**2 * np.exp(rate * xi / 2)) / np.cos(U / 2)**2 * DU).sum(-1)
    collided = np.exp(-t) * c / (8 * np.pi) * (1 - eta[..., 0]**2) * integral
    return np.where(np.abs(x) < t, collided + np.exp(-t) / (2 * t), 0)


def mean(c, low, high, begin, end):
    """Mean of the flux over a bin that lies within |x| < t."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    x, t = np.meshgrid(low + (nodes + 1) / 2 * (high - low), begin + (nodes + 1) / 2 * (end - begin),
                       indexing="ij")
    return float((flux(x, t, c) * np.outer(weights, weights)).sum() / 4)


def total(c, t):
    """Integral over all x, which is exp((c - 1) t)."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    angle = np.pi / 2 * (nodes + 1) / 2  # x = t sin(angle): nodes are dense at the fronts, where the flux is steep
    values = flux(t * np.sin(angle), np.full_like(angle, t), c)
    return float((values * t * np.cos(angle) * weights).sum() * np.pi / 2)


def main():
    text = (pathlib.Path(__file__).parents[1] / "azurv1.toml").read_text()
    table = tomllib.loads(text)
    worst = 0
    for line in table["rows"]:
        row = dict(zip(table["columns"], (entry.strip() for entry in line.split("|"))))
        c, t, x, low, high, begin, end, point, stated = (
            float(row[k]) for k in ("c", "t", "x", "low", "high", "from", "to", "point", "mean"))
        at_point = float(flux(np.array(x), np.array(t), c))
        computed = mean(c, low, high, begin, end)
        worst = max(worst, abs(point / at_point - 1), abs(stated / computed - 1))
        print(f"c = {c}, t = {t}, x = {x}: {at_point:.7g}, mean {computed:.7g}")
    for c in (0.9, 1.0, 1.1):
        for t in (1.0, 3.0, 5.0, 10.0):
            print(f"c = {c}, t = {t}: integral over x / exp((c - 1) t) - 1 = "
                  f"{total(c, t) / np.exp((c - 1) * t) - 1:.1e}")
    print(f"azurv1.toml differs by {worst:.1e} at most")


if __name__ == "__main__":
    main()
