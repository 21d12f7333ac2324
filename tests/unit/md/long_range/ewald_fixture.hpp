#pragma once
// Small systems of charges whose long-range forces are computed by Ewald summation on any number of
// ranks, and by direct sums in long double.

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "src/modules/md/bonded/topology/topology_columns.hpp"
#include "src/modules/md/long_range/ewald.hpp"
#include "support/test_executor.hpp"
#include "unit/md/forces/exclusion_lists.hpp"
#include "unit/md/forces/term_rank.hpp"

namespace gsim::md {

struct ChargedSystem {
  Box box;
  std::vector<Vector3> positions;
  std::vector<double> charges;
  EwaldParameters parameters;
  std::vector<std::pair<Index, Index>> excluded = {};
  double halo = 0;  ///< thickness of the ghost region; 0: no ghosts
};

/// Forces, energies and virial of the long-range part.
struct EwaldResult : ForceTermResult {
  double energy = 0, fourier = 0, self = 0, background = 0;
  double quantum = 0;  ///< unit of integer forces
};

/// The charges of one rank, and their forces.
class EwaldRank : public ForceTermRank {
 public:
  EwaldRank(const Communicator& communicator, const Executor& executor, const ChargedSystem& system)
      : ForceTermRank(communicator, executor, system.box, {.charges = true},
                      static_cast<Index>(system.positions.size())),
        exclusions_(executor),
        ewald(executor, box, system.parameters, sum_charges(comm, own_charges(system.charges)),
              &exclusions_),
        system_(system) {
    quanta = quanta_for(ewald.largest());
    ewald.set_quanta(quanta);
    fill(system_.positions);
    particles.store.assign(particles.charge, own_part(system_.charges));
  }

  /// Migrates atoms, plans the exchange of ghosts and rebuilds lists. `shuffle` != 0 permutes the
  /// rank's atoms.
  void rebuild(std::uint64_t shuffle = 0) {
    migrate(shuffle);
    if (system_.halo > 0) plan.build(particles.store, box, decomposition, system_.halo);
    exclude_pairs();
    ewald.rebuild(context(true));
  }

  EwaldResult compute(bool with_sums = true) {
    EwaldResult result{result_of(ewald, with_sums)};
    result.energy = result.energies[0];
    result.quantum = quanta.force;
    result.fourier = ewald.fourier().energy;
    result.self = ewald.self_energy();
    result.background = ewald.background_energy();
    return result;
  }

 private:
  std::span<const double> own_charges(const std::vector<double>& charges) const {
    return std::span(charges).subspan(static_cast<std::size_t>(own_range().first),
                                      static_cast<std::size_t>(own_range().size()));
  }
  void exclude_pairs() {
    if (system_.excluded.empty()) return;
    const HostRows<std::int64_t> ids(particles.store, particles.store.id());
    exclude(exclusions_, {ids.view().begin(), ids.view().end()}, particles.locals(),
            [&](std::int64_t id) {
              std::vector<std::int64_t> partners;
              for (const auto& [a, b] : system_.excluded) {
                if (id == a) partners.push_back(b);
                if (id == b) partners.push_back(a);
              }
              return partners;
            });
  }
  Exclusions exclusions_;

 public:
  Ewald ewald;

 private:
  ChargedSystem system_;
};

/// Computes the long-range part on `ranks` ranks, and checks that all ranks have the same result.
inline EwaldResult compute(const ChargedSystem& system, int ranks = 1,
                           const Executor& executor = gsim::test::test_executor(),
                           std::uint64_t shuffle = 0) {
  return compute_on_ranks<EwaldRank>(system, ranks, executor, shuffle);
}

/// Charges of +1 and -1, each plus `net` / `ions`, at random positions.
inline ChargedSystem random_ions(const Box& box, int ions, const EwaldParameters& parameters,
                                 double net = 0) {
  ChargedSystem s{box, {}, {}, parameters};
  std::mt19937_64 bits(20261121);
  const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
  for (int i = 0; i < ions; ++i) {
    const double u[3] = {uniform(), uniform(), uniform()};
    const auto &l = box.lengths(), &t = box.tilts();
    s.positions.push_back({box.origin()[0] + u[0] * l[0] + u[1] * t[0] + u[2] * t[1],
                           box.origin()[1] + u[1] * l[1] + u[2] * t[2],
                           box.origin()[2] + u[2] * l[2]});
    s.charges.push_back((i % 2 == 0 ? 1 : -1) + net / ions);
  }
  return s;
}

using Long = long double;
/// Energies of reciprocal space and of the correction of excluded pairs, and the forces of both.
struct DirectSum {
  Long fourier = 0, excluded = 0;
  std::vector<std::array<Long, 3>> forces;
};

/// The reciprocal-space sum over all k-vectors of EwaldParameters::range (both n and -n), computed
/// atom by atom, and the correction of the excluded pairs.
inline DirectSum direct_sum(const ChargedSystem& s) {
  constexpr Long pi = 3.14159265358979323846264338327950288L;
  const auto &l = s.box.lengths(), &t = s.box.tilts();
  const Long volume = Long(l[0]) * l[1] * l[2], alpha = s.parameters.alpha;
  const Long k_coulomb = s.parameters.coulomb;
  const std::size_t n = s.positions.size();
  DirectSum result;
  result.forces.resize(n);
  const auto& f = s.parameters.range.form;
  const auto& max_n = s.parameters.range.max_n;
  for (int x = -max_n[0]; x <= max_n[0]; ++x)
    for (int y = -max_n[1]; y <= max_n[1]; ++y)
      for (int z = -max_n[2]; z <= max_n[2]; ++z) {
        // The k-vectors are those in the ellipsoid form <= 1.
        const double form = f[0] * x * x + f[1] * y * y + f[2] * z * z +
                            2 * (f[3] * x * y + f[4] * x * z + f[5] * y * z);
        if (form > 1 + 1e-9 || (x == 0 && y == 0 && z == 0)) continue;
        // k . a = 2 pi x and so on for the box vectors a, b, c.
        const Long kx = 2 * pi * x / l[0], ky = (2 * pi * y - kx * t[0]) / l[1],
                   kz = (2 * pi * z - kx * t[1] - ky * t[2]) / l[2];
        const Long k2 = kx * kx + ky * ky + kz * kz;
        const Long weight = 2 * pi * k_coulomb / volume * std::exp(-k2 / (4 * alpha * alpha)) / k2;
        std::complex<Long> structure_factor = 0;
        std::vector<std::complex<Long>> phase_factors;
        for (std::size_t i = 0; i < n; ++i) {
          const auto& p = s.positions[i];
          const Long phase = kx * p[0] + ky * p[1] + kz * p[2];
          phase_factors.push_back({std::cos(phase), std::sin(phase)});
          structure_factor += Long(s.charges[i]) * phase_factors.back();
        }
        result.fourier += weight * std::norm(structure_factor);
        for (std::size_t i = 0; i < n; ++i) {
          const Long g =
              2 * weight * s.charges[i] * (std::conj(structure_factor) * phase_factors[i]).imag();
          result.forces[i][0] += g * kx;
          result.forces[i][1] += g * ky;
          result.forces[i][2] += g * kz;
        }
      }
  for (const auto& [i, j] : s.excluded) {
    ImageCount image{};
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    const Vector3 d = s.box.difference(s.box.to_fixed(s.positions[a], image),
                                       s.box.to_fixed(s.positions[b], image));
    const Long r = std::sqrt(Long(d[0]) * d[0] + Long(d[1]) * d[1] + Long(d[2]) * d[2]);
    const Long c = k_coulomb * s.charges[a] * s.charges[b], x = alpha * r;
    result.excluded -= c * std::erf(x) / r;
    const Long force_over_distance =
        c * (2 / std::sqrt(pi) * x * std::exp(-x * x) - std::erf(x)) / (r * r * r);
    for (std::size_t v = 0; v < 3; ++v) {
      result.forces[a][v] += force_over_distance * d[v];
      result.forces[b][v] -= force_over_distance * d[v];
    }
  }
  return result;
}

}  // namespace gsim::md
