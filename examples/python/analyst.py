"""Criticality and shielding: k of an infinite medium, the critical radius of a sphere by a batch, a beam through an absorber.

Run it as a program, or cell by cell in an editor that knows `# %%` (VS Code, Spyder, Jupyter with jupytext).
"""
# %% A sphere of plutonium in one group: problem 8 of Sood, Forster and Parsons (2003)
from math import inf

import numpy as np

import gsim
from gsim.modules import transport

FISSION, CAPTURE, NU, SCATTER = 0.0816, 0.019584, 2.84, 0.225216  # 1/cm
CRITICAL_RADIUS = 6.082547  # cm, exact (Sood et al.)


def sphere(radius: float, boundary: str = "vacuum") -> transport.Config:
    """A bare sphere; with a reflective boundary an infinite medium."""
    return transport.Config(
        seed=8,
        transport=transport.Transport.KEigenvalue(particles=4000, batches=45, inactive=15),
        material=[transport.Material(name="plutonium", fission=[FISSION], capture=[CAPTURE], nu=[NU], chi=[1.0],
                                     scatter=[[SCATTER]])],
        surface=[{"kind": "sphere", "name": "edge", "radius": radius, "boundary": boundary}],
        cell=[transport.Cell(name="ball", region="-edge", fill="plutonium")])


# %% An infinite medium: k = nu Sigma_f / Sigma_a
infinite = gsim.run(sphere(5.0, "reflective"), name="analyst_infinite", set={"transport.batches": 25, "transport.particles": 500})
k = infinite.estimates("estimates").set_index("row").loc["k_absorption"]
exact = NU * FISSION / (FISSION + CAPTURE)
print(f"k of the infinite medium {k.value:.6f} ± {k.std_error:.6f}, exact {exact:.6f}")
assert abs(k.value - exact) < 4 * k.std_error + 1e-9

# %% The critical radius: five radii as a batch, a line through k, and where it is 1
study = gsim.Batch("analyst_radius", cores=2)
study.add("sphere", sphere(6.0), variables={"radius": [5.6, 5.8, 6.0, 6.2, 6.4]},
          set={"surface": [{"kind": "sphere", "name": "edge", "radius": "{radius}", "boundary": "vacuum"}]})
runs = study.run(resume="auto")
table = runs.estimates.query("row == 'k_effective'")  # with a column for each variable and key that varies
print(table[["radius", "value", "std_error"]].to_string(index=False))
(slope, at_six), covariance = np.polyfit(table["radius"] - 6, table["value"], 1, w=1 / table["std_error"], cov="unscaled")
radius, error = 6 + (1 - at_six) / slope, np.sqrt(covariance[1, 1]) / slope
print(f"critical radius {radius:.3f} ± {error:.3f} cm, exact {CRITICAL_RADIUS:.3f} cm")
assert abs(radius - CRITICAL_RADIUS) < 4 * error

# %% A beam on an absorber: the flux falls as exp(-Sigma x)
SIGMA, CELLS, LENGTH = 0.5, 20, 10.0
beam = transport.Config(
    seed=5,
    transport=transport.Transport.FixedSource(particles=5000, batches=20),
    material=[transport.Material(name="absorber", capture=[SIGMA], scatter=[[0.0]])],
    box=[transport.Box(name="slab", lower=[0.0, -inf, -inf], upper=[LENGTH, inf, inf], boundary="vacuum")],
    cell=[transport.Cell(name="slab", region="-slab", fill="absorber")],
    source=[transport.Source(space=transport.Source.Space.Point(position=[1e-9, 0.0, 0.0]),
                             angle=transport.Source.Angle.Beam(axis=[1.0, 0.0, 0.0]))],
    mesh=[transport.Mesh.Regular(name="depth", lower_left=[0.0, -1.0, -1.0], upper_right=[LENGTH, 1.0, 1.0], shape=[CELLS, 1, 1])],
    tally=[transport.Tally(name="flux", scores=["flux"], mesh="depth")])
print(gsim.check(beam))
shield = gsim.run(beam, name="analyst_beam")
flux = shield.dataset("tallies/flux").swap_dims(x="x_cm")
width = LENGTH / CELLS
left_edge = flux["x_cm"] - width / 2
expected = np.exp(-SIGMA * left_edge) * (1 - np.exp(-SIGMA * width)) / SIGMA  # track length in a cell, per particle
z = (flux["flux"] - expected) / flux["flux_standard_error"]
print(flux["flux"].to_dataframe()[["flux"]].assign(expected=expected.values, z=z.values).round(4).iloc[::4])
print("units:", flux["flux"].attrs["units"], "· chi-square", round(float((z**2).sum()), 1), "for", CELLS, "cells")
assert float(abs(z).max()) < 4.5

# %% How the time was spent, and the picture
print(shield.timing()[["busy_mean", "waiting_mean"]].round(4))
plt = gsim.pyplot()
if plt is not None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.errorbar(table["radius"], table["value"], yerr=table["std_error"], fmt="o")
    left.axline((6.0, at_six), slope=slope)
    left.axvline(CRITICAL_RADIUS, color="black", lw=0.8)
    left.set(xlabel="radius (cm)", ylabel="k", title="bare sphere of plutonium")
    right.errorbar(flux["x_cm"], flux["flux"], yerr=flux["flux_standard_error"], fmt="o")
    right.plot(flux["x_cm"], expected)
    right.set(xlabel="depth (cm)", ylabel="flux", yscale="log", title="beam in an absorber")
    figure.savefig("results/analyst.png")
