#!/usr/bin/env python3
"""Flux in bare critical slabs, cylinders and spheres of one group: the ratios r and the fractions s of
sood_flux.toml. Needs numpy and scipy.

The integral equation of G. I. Bell, S. Glasstone, Nuclear Reactor Theory (1970), chapter 2: the
flux from a point in every direction is attenuated by exp(-tau). Lengths are mean free paths, c is the
number of neutrons from a collision. In a slab flux(x) = c / 2 int E1(|x - y|) flux(y) dy; in a sphere r flux(r) obeys
the same equation, odd in r; in a cylinder flux = c / (2 pi) int dw int ds Ki1(s) flux(r(s, w)), with the distance s
from the point in the direction w, both in a plane perpendicular to the axis; the Bickley function Ki1 is the integral
over the angle with the axis.
"""
import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import exp1

# ranges of r or x, relative to the radius or half thickness, whose fractions s of the total flux are printed
PARTS = ((0, 0.2), (0.2, 0.3), (0.45, 0.55), (0.7, 0.8), (0.95, 1))
# power of x or r in the volume element
POWER = {"slab": 0, "cylinder": 1, "sphere": 2}
# number, kind, nu, fission, capture, scatter, radius or half thickness in cm
PROBLEMS = ((7, "cylinder", 2.84, 0.0816, 0.019584, 0.225216, 4.27996),
            (8, "sphere", 2.84, 0.0816, 0.019584, 0.225216, 6.082547),
            (14, "sphere", 2.7, 0.06528, 0.013056, 0.248064, 7.428998),
            (22, "slab", 1.7, 0.054628, 0.027314, 0.464338, 10.371065))


def gauss(count, low, high):
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return low + (nodes + 1) / 2 * (high - low), weights * (high - low) / 2


def power_iteration(apply, flux):
    """The converged flux, scaled to 1 at its first value, and k."""
    for _ in range(3000):
        next_flux = apply(flux)
        k = next_flux[0] / flux[0]
        next_flux = next_flux / next_flux[0]
        if np.abs(next_flux - flux).max() < 1e-13:
            break
        flux = next_flux
    return next_flux, k


def solve_slab_or_sphere(half_thickness, c, odd, count=1600):
    """The flux as a spline in t, where x = half_thickness sin(pi t / 2), so that nodes are dense at the
    edge; and k. `odd`: the integral equation is that of r flux(r) in a sphere."""
    t, weights = gauss(count, -1, 1)
    x, dx = half_thickness * np.sin(np.pi / 2 * t), weights * half_thickness * np.pi / 2 * np.cos(np.pi / 2 * t)
    distance = np.abs(x[:, None] - x)
    np.fill_diagonal(distance, 1)
    kernel = exp1(distance) * dx
    np.fill_diagonal(kernel, 0)

    def e2(y):
        return np.exp(-y) - y * exp1(y)
    # The kernel is infinite at x = y: flux(y) - flux(x) is integrated numerically, flux(x) exactly.
    kernel[np.diag_indices(count)] = 2 - e2(half_thickness - x) - e2(half_thickness + x) - kernel.sum(1)
    middle = count // 2
    mirrored = kernel[middle:, ::-1][:, middle:]
    kernel = c / 2 * (kernel[middle:, middle:] + (-mirrored if odd else mirrored))
    flux, k = power_iteration(lambda f: kernel @ f, x[middle:] if odd else np.ones(middle))
    if odd:
        flux = flux / x[middle:]
    t = t[middle:]
    return CubicSpline(np.concatenate([-t[::-1], t]), np.concatenate([flux[::-1], flux])), k


def solve_cylinder(radius, c, count=100):
    """The flux as a spline in t, where r = radius sin(pi t / 2), and k."""
    angle, d_angle = gauss(64, 0, np.pi / 2)
    logs = np.linspace(np.log(1e-10), np.log(40), 6000)
    ki1 = CubicSpline(logs, (np.exp(-np.exp(logs)[:, None] / np.sin(angle)) * d_angle).sum(-1))
    t = np.linspace(0, 1, count)
    w, dw = gauss(300, 0, np.pi)
    u, du = gauss(64, 0, 1)
    fraction, d_fraction = u**2 * (3 - 2 * u), 6 * u * (1 - u) * du  # nodes are dense at both ends of a ray
    rays = []
    for r in radius * np.sin(np.pi / 2 * t):
        length = -r * np.cos(w) + np.sqrt(np.maximum(radius**2 - (r * np.sin(w))**2, 0))
        s = length[:, None] * fraction
        axis_distance = np.sqrt(np.maximum(r * r + s * s + 2 * r * s * np.cos(w)[:, None], 0))
        weight = ki1(np.log(np.maximum(s, 1e-10))) * length[:, None] * d_fraction * dw[:, None]
        rays.append((np.arcsin(np.minimum(axis_distance / radius, 1)) / (np.pi / 2), c / np.pi * weight))

    def spline(f):
        return CubicSpline(t, f, bc_type=((1, 0.0), "not-a-knot"))

    def apply(f):
        spline_of_f = spline(f)
        return np.array([(spline_of_f(t_on_ray) * weight).sum() for t_on_ray, weight in rays])
    flux, k = power_iteration(apply, np.ones(count))
    return spline(flux), k


def main():
    for number, kind, nu, fission, capture, scatter, size in PROBLEMS:
        total = fission + capture + scatter
        c, size = (scatter + nu * fission) / total, size * total
        flux, k = solve_cylinder(size, c) if kind == "cylinder" else solve_slab_or_sphere(size, c, kind == "sphere")

        def integral(low, high):
            t, dt = gauss(60, *(np.arcsin(end) / (np.pi / 2) for end in (low, high)))
            weight = np.sin(np.pi / 2 * t)**POWER[kind] * np.cos(np.pi / 2 * t) * dt
            return (flux(t) * weight).sum()
        ratios = [float(flux(np.arcsin(f) / (np.pi / 2)) / flux(0)) for f in (0.25, 0.5, 0.75, 1)]
        parts = [float(integral(*ends) / integral(0, 1)) for ends in PARTS]
        print(f"{number}: k {k:.8f}, ratios {', '.join(f'{r:.8f}' for r in ratios)}, "
              f"parts {', '.join(f'{p:.9g}' for p in parts)}", flush=True)


if __name__ == "__main__":
    main()
