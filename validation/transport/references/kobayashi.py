#!/usr/bin/env python3
"""Uncollided flux in Kobayashi's problems 1, 2 and 3, at points and as means over cubes around them:
the total flux of case i, and the uncollided part of that of case ii. Needs numpy and scipy.

flux(P) = integral of exp(-tau(P, Q)) / (4 pi |P - Q|^2) over the points Q of the source. The
system is unfolded at the reflective planes, so that source, void and shield are on all sides of the
origin. Where P is in the source or touches it, the integral is over directions from P, and exact along each direction.
Sums are over scrambled Sobol points; the scatter of several scramblings gives the error.
"""
import itertools

import numpy as np
from scipy.stats import qmc

SHIELD, VOID = 0.1, 1e-4  # total cross sections, 1/cm
SOURCE = (np.full(3, -10.0), np.full(3, 10.0))
CAVITY = {1: (np.full(3, -50.0), np.full(3, 50.0)),  # around the source
          2: (np.array([-10.0, -100.0, -10.0]), np.array([10.0, 100.0, 10.0]))}


def mirrored(spans):
    """A box [low, high] along x, y, z and its images in the planes at 0, as boxes."""
    sides = [[(-high, high)] if low == 0 else [(low, high), (-high, -low)] for low, high in spans]
    return [tuple(np.array(corner) for corner in zip(*box)) for box in itertools.product(*sides)]


# The dog-leg duct of problem 3, in boxes that do not overlap.
DUCT = [box for spans in (((0.0, 10.0), (10.0, 50.0), (0.0, 10.0)), ((0.0, 40.0), (50.0, 60.0), (0.0, 10.0)),
                          ((30.0, 40.0), (50.0, 60.0), (10.0, 40.0)), ((30.0, 40.0), (60.0, 100.0), (30.0, 40.0)))
        for box in mirrored(spans)]


def entry_and_exit(start, direction, box):
    """The values of s at which the lines start + s direction enter and leave a box."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (box[0] - start) / direction, (box[1] - start) / direction
    low = np.where(direction == 0, -np.inf, np.minimum(a, b))
    high = np.where(direction == 0, np.inf, np.maximum(a, b))
    return low.max(-1), high.min(-1)


def length_inside(start, end, box):
    """Length of the part of the line from start to end that is in a box."""
    enter, leave = entry_and_exit(start, end - start, box)
    part = np.maximum(np.clip(leave, 0, 1) - np.clip(enter, 0, 1), 0)
    return part * np.linalg.norm(end - start, axis=-1)


def optical_distance(problem, start, end):
    if problem == 3:
        empty = sum(length_inside(start, end, box) for box in DUCT)
    else:
        empty = length_inside(start, end, CAVITY[problem]) - length_inside(start, end, SOURCE)
    return SHIELD * (np.linalg.norm(end - start, axis=-1) - empty) + VOID * empty


def integrand_over_source(problem, centre, edge, numbers):
    """Contribution of a random source point to a random point of the cube. `numbers`: rows of 6 uniform numbers, 3 for
    the first point and 3 for the second."""
    source = SOURCE[0] + numbers[:, :3] * (SOURCE[1] - SOURCE[0])
    point_in_cube = np.array(centre, float) + (numbers[:, 3:6] - 0.5) * edge
    square = ((point_in_cube - source)**2).sum(-1)
    volume = np.prod(SOURCE[1] - SOURCE[0])
    return volume * np.exp(-optical_distance(problem, point_in_cube, source)) / (4 * np.pi * square)


def integrand_over_directions(problem, centre, edge, numbers):
    """Contribution of the source in a random direction from a random point of the cube. `numbers`: rows of 6 uniform
    numbers, the first 2 for the direction and the last 3 for the point."""
    point_in_cube = np.array(centre, float) + (numbers[:, 3:6] - 0.5) * edge
    cosine, angle = 2 * numbers[:, 0] - 1, 2 * np.pi * numbers[:, 1]
    sine = np.sqrt(1 - cosine**2)
    direction = np.stack([sine * np.cos(angle), sine * np.sin(angle), cosine], -1)
    enter, leave = entry_and_exit(point_in_cube, direction, SOURCE)
    enter = np.maximum(enter, 0)
    hits = leave > enter
    enter, leave = np.where(hits, enter, 1), np.where(hits, leave, 1)
    tau = optical_distance(problem, point_in_cube, point_in_cube + direction * enter[:, None])
    return hits * np.exp(-tau) * (1 - np.exp(-SHIELD * (leave - enter))) / SHIELD


def flux(problem, centre, edge):
    """Mean over a cube with that edge (0: at its centre), and its standard error."""
    is_far = max(c - edge / 2 for c in centre) > 10  # the cube neither touches nor overlaps the source
    integrand, log2_points, scramblings = (
        (integrand_over_source, 18, 8) if is_far else (integrand_over_directions, 20, 16))
    sums = [integrand(problem, centre, edge, qmc.Sobol(6, seed=seed).random_base2(log2_points)).mean()
            for seed in range(scramblings)]
    return np.mean(sums), np.std(sums, ddof=1) / np.sqrt(scramblings)


def points(problem):
    axis = [(5, y, 5) for y in range(5, 100, 10)]
    if problem == 3:
        return axis + [(x, 55, 5) for x in range(15, 60, 10)] + [(x, 95, 35) for x in range(5, 60, 10)]
    if problem == 2:
        return axis + [(x, 95, 5) for x in range(15, 60, 10)]
    return axis + [(p, p, p) for p in range(15, 100, 10)] + [(x, 55, 5) for x in range(15, 100, 10)]


def main():
    for problem in (1, 2, 3):
        for point in points(problem):
            fluxes = [flux(problem, point, edge) for edge in (0, 2, 10)]
            text = ", ".join(f"{mean:.7g} ({error / mean:.0e})" for mean, error in fluxes)
            print(f"problem {problem} {point}: at the point, mean of 2 cm, of 10 cm: {text}", flush=True)


if __name__ == "__main__":
    main()
