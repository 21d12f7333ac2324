// Density profiles of slabs with known density and of a sheared gas, in open and triclinic boxes;
// several ranks and restarts.

#include "src/modules/md/observers/density_profile.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/memory_datasets.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "tests/unit/md/observers/observed_system.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using Density = DensityProfile::Density;

Vector3 normals_of(std::uint64_t entity, std::uint64_t step) {
  const auto z = normals<double, Strict>(
      philox_block(stream_key({31, Purpose::md_start_velocity}), entity, step, 0));
  return {z[0], z[1], z[2]};
}

/// Atoms throughout the box at temperature 2. The mean x velocity is 0, 5, 10 and 15 in the first
/// to the fourth quarter of the box along z.
std::vector<ObservedAtom> sheared_gas(const Box& box, Index atoms, std::uint64_t step) {
  std::vector<ObservedAtom> all;
  for (Index i = 0; i < atoms; ++i) {
    const auto k = static_cast<std::uint64_t>(i);
    const Vector3 position = normals_of(k, 2 * step), v = normals_of(k, 2 * step + 1);
    ObservedAtom atom = atom_at(box, {9 * position[0], 9 * position[1], 9 * position[2]},
                                static_cast<std::int32_t>(i % 2));
    const double mass = i % 2 == 0 ? 1 : 4, thermal_speed = std::sqrt(2 / mass);
    const double quarter = std::floor(static_cast<double>(atom.position.x[2]) * 0x1p-64 * 4);
    atom.velocity = {thermal_speed * v[0] + 5 * quarter, thermal_speed * v[1],
                     thermal_speed * v[2]};
    atom.charge = i % 2 == 0 ? 0.5 : -0.5;
    all.push_back(atom);
  }
  return all;
}

/// Observes the frames with a profile of `config` (axis, number of bins, types), calls
/// check(profile) on the root, and returns the digest.
std::uint64_t observe(int ranks, const Box& box,
                      const std::vector<std::vector<ObservedAtom>>& frames,
                      const DensityProfileConfig& config, bool charges,
                      const std::function<void(const DensityProfile&)>& check) {
  std::uint64_t digest = 0;
  run_in_process(ranks, [&](Communicator comm) {
    const int threads = ranks;  // another number of threads for each number of ranks
    ObservedSystem system(comm, box, frames[0], {1, 4}, threads, charges);
    DensityProfile profile("profile", {1, 0}, config, system.setup, system.particles);
    system.start(frames[0]);
    for (std::size_t k = 0; k < frames.size(); ++k) {
      system.update(frames[k]);
      profile.observe(system.snapshot(static_cast<Index>(k)));
    }
    if (comm.is_root()) {
      check(profile);
      digest = profile.digest();
    }
  });
  return digest;
}

}  // namespace

TEST_CASE("density profile: slabs with known numbers of atoms in triclinic and open boxes") {
  using B = Boundary;
  const Box tilted({1, 2, 3}, {4, 5, 6}, {1, -1, 2});
  const Box open({1, 2, 3}, {4, 5, 6}, {}, {B::open, B::periodic, B::open});
  for (const Box& box : {tilted, open})
    for (int axis = 0; axis < 3; ++axis) {
      // Slab k of 6 holds k atoms of type A and one of B, at its middle.
      std::vector<ObservedAtom> atoms;
      for (int k = 0; k < 6; ++k)
        for (int i = 0; i <= k; ++i) {
          std::array<double, 3> f = {0.3, 0.4, 0.1 * i};
          f[static_cast<std::size_t>(axis)] = (k + 0.5) / 6;
          const auto& [lx, ly, lz] = box.lengths();
          const auto& [xy, xz, yz] = box.tilts();
          atoms.push_back(atom_at(
              box,
              {1 + f[0] * lx + f[1] * xy + f[2] * xz, 2 + f[1] * ly + f[2] * yz, 3 + f[2] * lz},
              i == k ? 1 : 0));
          atoms.back().charge = 0.25;
          atoms.back().velocity = {1.0 * i, 2, 3};
        }
      if (box.boundary(axis) == B::open) {  // atoms outside an open box are not counted
        Vector3 beyond{3, 4, 5};
        beyond[static_cast<std::size_t>(axis)] = 0;
        atoms.push_back(atom_at(box, beyond));
      }
      std::uint64_t reference_digest = 0;
      for (const int ranks : {1, 2, 3, 5}) {
        CAPTURE(ranks);
        const auto digest =
            observe(ranks, box, {atoms}, {axis, 6, {}}, true, [&](const DensityProfile& profile) {
              const double volume = 4 * 5 * 6 / 6.0;
              for (Index k = 0; k < 6; ++k) {
                const auto n = static_cast<double>(k);
                CHECK(profile.density(k, Density::number).mean == (n + 1) / volume);
                CHECK(profile.density(k, Density::mass).mean == (n + 4) / volume);
                CHECK(profile.density(k, Density::charge).mean == 0.25 * (n + 1) / volume);
                // A's have x velocities 0 … k - 1, the B has k.
                CHECK(profile.velocity(k, 0).mean ==
                      doctest::Approx((n * (n - 1) / 2 + 4 * n) / (n + 4)));
                CHECK(profile.velocity(k, 2).mean == doctest::Approx(3));
                CHECK(
                    profile.coordinate(k) ==
                    doctest::Approx(box.origin()[static_cast<std::size_t>(axis)] +
                                    box.lengths()[static_cast<std::size_t>(axis)] * (n + 0.5) / 6));
                double square = 0;
                const double u = profile.velocity(k, 0).mean;
                for (int i = 0; i <= k; ++i) square += (i == k ? 4 : 1) * (i - u) * (i - u);
                CHECK(profile.temperature(k).mean ==
                      doctest::Approx(square / 3 / (n + 1)).epsilon(1e-9));
              }
            });
        if (reference_digest == 0) reference_digest = digest;
        CHECK(digest == reference_digest);
      }
      observe(2, box, {atoms}, {axis, 6, {"B"}}, false, [&](const DensityProfile& profile) {
        for (Index k = 0; k < 6; ++k) {
          CHECK(profile.density(k, Density::number).mean == 1 / 20.0);
          CHECK(profile.density(k, Density::charge).mean == 0);  // types without charges
        }
      });
    }
}

TEST_CASE(
    "density profile: density, velocity and temperature of a sheared gas agree within standard "
    "errors") {
  const Box box({0, 0, 0}, {5, 4, 3});
  std::vector<std::vector<ObservedAtom>> frames;
  for (std::uint64_t k = 0; k < 200; ++k) frames.push_back(sheared_gas(box, 60, k));
  observe(1, box, frames, {2, 4, {}}, true, [](const DensityProfile& profile) {
    const auto check_near = [](const BlockedMean& value, double exact, double max_error) {
      REQUIRE(value.has_error());
      CHECK(value.count == 200);
      CHECK(std::abs(value.mean - exact) < 4 * value.standard_error);
      CHECK(value.standard_error < max_error);
      CHECK(value.standard_error > max_error / 10);
    };
    for (Index k = 0; k < 4; ++k) {
      check_near(profile.density(k, Density::number), 1, 0.05);
      check_near(profile.density(k, Density::mass), 2.5, 0.15);
      check_near(profile.density(k, Density::charge), 0, 0.025);
      check_near(profile.velocity(k, 0), 5 * static_cast<double>(k), 0.05);
      check_near(profile.velocity(k, 1), 0, 0.05);
      check_near(profile.temperature(k), 2, 0.1);
    }
  });
}

TEST_CASE("density profile: a run resumed on other ranks has the same bits") {
  const Box box({0, 0, 0}, {5, 4, 3});
  std::vector<std::vector<ObservedAtom>> frames;
  for (std::uint64_t k = 0; k < 20; ++k) frames.push_back(sheared_gas(box, 30, k));
  const auto uninterrupted = observe(1, box, frames, {1, 7, {}}, true, [](const auto&) {});
  const auto run = [&](int ranks, std::size_t first, std::size_t last,
                       MemoryDatasets::Contents& state) {
    std::uint64_t digest = 0;
    run_in_process(ranks, [&](Communicator comm) {
      ObservedSystem system(comm, box, frames[0], {1, 4}, 2, true);
      DensityProfile profile("profile", {1, 0}, {1, 7, {}}, system.setup, system.particles);
      system.start(frames[0]);
      MemoryDatasets before(comm, state);
      if (first > 0) profile.restore(before);
      for (std::size_t k = first; k < last; ++k) {
        system.update(frames[k]);
        profile.observe(system.snapshot(static_cast<Index>(k)));
      }
      MemoryDatasets after(comm), results(comm);
      profile.save(after);
      profile.write_results(results);
      if (!comm.is_root()) return;
      state = after.contents();
      digest = profile.digest();
      CHECK(results.shape("observables/profile/temperature_error").rows == 7);
    });
    return digest;
  };
  for (std::size_t restart_frame = 1; restart_frame < frames.size(); restart_frame += 4) {
    MemoryDatasets::Contents state;
    run(3, 0, restart_frame, state);
    CHECK(run(2, restart_frame, frames.size(), state) == uninterrupted);
  }
}
