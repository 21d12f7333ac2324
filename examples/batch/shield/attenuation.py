#!/usr/bin/env python3
"""Compares the shields of shield.toml with the law of attenuation, with discrete ordinates, and with published fluxes.

    python3 attenuation.py [ESTIMATES]      (default: results/shield/estimates.csv)

Without scattering a slab of thickness d transmits exp(-0.1 d). With isotropic scattering the transmitted and reflected parts
are computed here by discrete ordinates: Gauss's 16 directions in each half-space, diamond differences, the uncollided
beam by its exact integrals (Lewis and Miller 1984). The build-up is the transmission over that without scattering. Fluxes
in the duct are those of problem 3 of K. Kobayashi, N. Sugimura and Y. Nagaya, Prog. Nucl. Energy 39 (2001) 119.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from estimates import rows, value_and_error  # noqa: E402

TOTAL = 0.1                                                            # 1/cm
POINTS = ["5, 5, 5", "5, 55, 5", "5, 95, 5", "55, 55, 5", "35, 95, 35", "55, 95, 35"]         # cm
PUBLISHED = {0.0: [5.95659, 0.0991726, 9.48324e-4, 9.1421e-5, 3.37981e-5, 3.3646e-6],
             0.05: [8.61578, 0.192698, 0.00339632, 0.00105629, 2.62086e-4, 4.44962e-5]}


def gauss(n):
    """Nodes and weights on [0, 1], by Newton's method on Legendre's polynomial."""
    pairs = []
    for i in range(n):
        x = math.cos(math.pi * (i + 0.75) / (n + 0.5))
        for _ in range(50):
            p, q = 1.0, 0.0
            for k in range(n):
                p, q = ((2 * k + 1) * x * p - k * q) / (k + 1), p
            slope = n * (x * p - q) / (x * x - 1)
            x -= p / slope
        pairs.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return pairs


def discrete_ordinates(depth, c, cells_per_path=25, directions=16):
    """The transmitted and reflected parts of a beam on a slab of `depth` mean free paths that scatters the part c."""
    cells = max(int(depth * cells_per_path), 50)
    h = depth / cells
    beam = [(math.exp(-i * h) - math.exp(-(i + 1) * h)) / h for i in range(cells)]   # mean uncollided flux
    flux, quadrature = [0.0] * cells, gauss(directions)
    transmitted = reflected = 0.0
    for _ in range(2000):
        source = [c / 2 * (f + b) for f, b in zip(flux, beam)]
        new, transmitted, reflected = [0.0] * cells, 0.0, 0.0
        for mu, weight in quadrature:
            a, b = (2 * mu - h) / (2 * mu + h), 2 * h / (2 * mu + h)
            for forward in (True, False):
                edge = 0.0
                for i in range(cells) if forward else range(cells - 1, -1, -1):
                    next_edge = a * edge + b * source[i]
                    new[i] += weight * (edge + next_edge) / 2
                    edge = next_edge
                if forward:
                    transmitted += weight * mu * edge
                else:
                    reflected += weight * mu * edge
        change = max(abs(x - y) / x for x, y in zip(new, flux))
        flux = new
        if change < 1e-6:
            break
    return transmitted + math.exp(-depth), reflected


def read(path):
    """(value, error) by task, estimate and row, and the parameters of each task."""
    values, parameters = {}, {}
    for row in rows(path):
        parameters[row["task"]] = {key: float(row[key]) for key in ("scatter", "cm") if row[key]}
        values.setdefault(row["task"], {}).setdefault(row["estimate"], []).append(value_and_error(row))
    if not values:
        sys.exit(f"{path} has no estimates: no task is done")
    return values, parameters


def compare_slabs(values, parameters):
    print("thickness  scatter      transmitted ± error      exact       z  build-up    reflected ± error     exact     z")
    worst = 0.0
    for task, p in parameters.items():
        if not task.startswith("slab."):
            continue
        depth, c = TOTAL * p["cm"], p["scatter"] / TOTAL
        transmitted, reflected = discrete_ordinates(depth, c) if c > 0 else (math.exp(-depth), 0.0)
        (front, front_error), (back, back_error) = values[task]["tallies/faces/current"]
        z = [(back - transmitted) / back_error, (1 - front - reflected) / front_error if c > 0 else 0.0]
        worst = max(worst, *map(abs, z))
        print(f"{p['cm']:6.0f} cm  {p['scatter']:4.2f}/cm  {back:12.5e} ± {back_error:.1e}  {transmitted:.5e}  {z[0]:+5.1f}"
              f"  {back / math.exp(-depth):8.3f}  {1 - front:11.5f} ± {front_error:.5f}  {reflected:.5f}  {z[1]:+4.1f}")
    return worst


def compare_ducts(values, parameters):
    worst = 0.0
    print("dog-leg duct  scatter      point, cm    computed ± error   published     z")
    for task, p in parameters.items():
        if not task.startswith("duct."):
            continue
        for point, (flux, error), exact in zip(POINTS, values[task]["tallies/points/flux"], PUBLISHED[p["scatter"]]):
            z = (flux - exact) / error
            worst = max(worst, abs(z))
            print(f"              {p['scatter']:4.2f}/cm  {point:>13}  {flux:10.4e} ± {error:.1e}  {exact:10.5e}  {z:+4.1f}")
    return worst


def main():
    values, parameters = read(sys.argv[1] if len(sys.argv) > 1 else "results/shield/estimates.csv")
    worst = max(compare_slabs(values, parameters), compare_ducts(values, parameters))
    print(f"the largest deviation is {worst:.1f} standard errors")
    sys.exit(worst > 5)


if __name__ == "__main__":
    main()
