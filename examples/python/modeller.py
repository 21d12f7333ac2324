"""A dilute Lennard-Jones gas: temperature, pressure against the virial expansion, velocities against Maxwell and Boltzmann.

Run it as a program, or cell by cell in an editor that knows `# %%` (VS Code, Spyder, Jupyter with jupytext).
"""
# %% The gas, in units of epsilon, sigma and m
import numpy as np

import gsim
from gsim.modules import md

DENSITY, TEMPERATURE, CUTOFF, EQUILIBRIUM = 0.05, 2.0, 2.5, 1000
gas = md.Config(
    seed=11,
    md=md.Md(units="lj", steps=9000, time_step=0.005),
    type=[md.Type(name="Ar", mass=1.0)],
    start=md.Start.Lattice(lattice="fcc", density=DENSITY, cells=[5, 5, 5], temperature=TEMPERATURE),
    pair=md.Pair(cutoff=CUTOFF, potential=[md.Pair.Potential.LennardJones(epsilon=1.0, sigma=1.0, smoothing="shift")]),
    thermostat=md.Thermostat.Langevin(temperature=TEMPERATURE, friction=1.0),
    thermo=md.Thermo(every=10, from_=EQUILIBRIUM),
    observe=[md.Observe.RadialDistribution(r_max=4.0, bins=80, every=50, from_=EQUILIBRIUM)],
    trajectory=[md.Trajectory(every=500, quantities=["position", "image", "velocity"], precision="float64")])
print(gsim.check(gas))

# %% The run, started in the background and followed
with gsim.start(gas, name="modeller") as run:
    for progress in run.follow():
        print(progress)
    results = run.wait()
means = {estimate.name: estimate for estimate in run.estimates}
for name in ("temperature", "pressure"):
    print(f"{name:12} {means[name].value:.5f} ± {means[name].std_error:.5f}")

# %% Pressure: that of the interactions is rho^2 T (B2 + B3 rho + …), with B2 of the shifted potential by quadrature
r = np.linspace(1e-3, CUTOFF, 100_001)
potential = 4 * (r**-12 - r**-6) - 4 * (CUTOFF**-12 - CUTOFF**-6)
second_virial = -2 * np.pi * np.sum((np.exp(-potential / TEMPERATURE) - 1) * r**2) * (r[1] - r[0])
third_virial = 0.44 * (2 * np.pi / 3) ** 2  # of the full potential (Hirschfelder, Curtiss and Bird 1954, table I-C): an estimate
expected, next_term = DENSITY**2 * TEMPERATURE * second_virial, DENSITY**3 * TEMPERATURE * third_virial

thermo = results["thermo"].query("step >= @EQUILIBRIUM")
excess = thermo["pressure"] - 2 * thermo["kinetic_energy"] / (3 * thermo["volume"])
blocks = excess.to_numpy()[: len(excess) // 20 * 20].reshape(20, -1).mean(axis=1)
value, error = blocks.mean(), blocks.std(ddof=1) / np.sqrt(len(blocks))
print(f"pressure of the interactions {value:.6f} ± {error:.6f}; rho^2 T B2 = {expected:.6f}; next term {next_term:+.6f}")
assert abs(value - expected) < 4 * error + 2 * next_term
assert value < -10 * error, "the gas attracts itself at this temperature"

# %% The trajectory: velocities are normal with the variance T / m
frames = gsim.Trajectory("results/modeller.h5md").dataset()
velocity = frames["velocity"].where(frames["step"] >= EQUILIBRIUM, drop=True)
variance, count = float((velocity**2).mean()), velocity.size
kurtosis = float((velocity**4).mean()) / variance**2
print(f"variance of {count} velocities {variance:.4f}, kurtosis {kurtosis:.3f}")
assert abs(variance / TEMPERATURE - 1) < 5 * np.sqrt(2 / count), "the variance is T / m"
assert abs(kurtosis - 3) < 5 * np.sqrt(24 / count), "the distribution is normal"

# %% The radial distribution: g(r) = exp(-u(r) / T) up to terms of the order of the density
distribution = results.dataset("observables/radial_distribution").sel(r=slice(0.95, CUTOFF))
r = distribution["r"].values
dilute = np.exp(-(4 * (r**-12 - r**-6) - 4 * (CUTOFF**-12 - CUTOFF**-6)) / TEMPERATURE)
deviation = np.abs(distribution["g"].values - dilute)
print(f"g(r) rises to {float(distribution['g'].max()):.2f}; exp(-u/T) to {dilute.max():.2f}")
assert (deviation < 4 * distribution["g_error"].values + 3 * DENSITY * dilute).all()

# %% A picture
plt = gsim.pyplot()
if plt is not None:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(thermo["time"], thermo["temperature"], lw=0.5)
    left.axhline(TEMPERATURE, color="black")
    left.set(xlabel="time", ylabel="temperature")
    right.errorbar(r, distribution["g"], yerr=distribution["g_error"], fmt=".", label="g(r)")
    right.plot(r, dilute, label="exp(−u/T)")
    right.set(xlabel="r", ylabel="radial distribution")
    right.legend()
    figure.savefig("results/modeller.png")
