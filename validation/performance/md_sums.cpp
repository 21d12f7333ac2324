// The cost of order-independent sums, which add forces as integers in units of a quantum: the pair
// loop of the melt (md_pairs.cpp) with these sums and with ordinary floating-point sums, in
// alternating passes over the same lists. All other code is the same.
//   benchmark_md_sums [mixed|double] [rounds]

#include "validation/performance/md_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"
#include "src/modules/md/pair_forces/scaled_passes.hpp"
#include "validation/performance/md_melt.hpp"
#include "validation/performance/timing.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

void run_fixed_point(const Executor& e, const ClusterForceJob<float>& job) {
  potential_kind("lennard_jones").cluster_f32(e, job);
}
void run_fixed_point(const Executor& e, const ClusterForceJob<double>& job) {
  potential_kind("lennard_jones").cluster_f64(e, job);
}
void run_floating_point(const Executor& e, const RealForceJob<float>& job) {
  lennard_jones_real_sums_f32(e, job);
}
void run_floating_point(const Executor& e, const RealForceJob<double>& job) {
  lennard_jones_real_sums_f64(e, job);
}

/// Atoms displaced from their sites by about as much as in a liquid.
void shake(Melt& melt) {
  std::mt19937_64 random(2);
  for (FixedPosition& p : melt.positions)
    for (std::size_t a = 0; a < 3; ++a) {
      const double u = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
      p.x[a] += static_cast<std::uint64_t>(
          static_cast<std::int64_t>(std::ldexp(0.3 * u / melt.box.lengths()[a], 64)));
    }
}

template <class Real>
int compare(int rounds) {
  Melt melt = make_melt(20);
  shake(melt);
  const auto n = static_cast<Index>(melt.positions.size());
  const Executor executor = Executor::host(1);
  PairTable table({"A"});
  table.add(0, 0, lennard_jones(1, 1, 2.5));
  const ScaledPasses<Real> passes(table, 0);  // Lennard-Jones has no charges
  const auto& pass = passes.passes()[0];
  ClusterPairs<Real> pairs(executor, melt.box, 2.5, 0.3);
  const View<const FixedPosition> positions{melt.positions.data(), n};
  pairs.rebuild({positions, n});
  (void)pairs.load_locals(positions);

  const auto clusters = static_cast<std::size_t>(pairs.locals().clusters());
  // Sums of 32 bits, which mixed precision uses for one type of atoms, and of 64 bits.
  std::vector<Quad<std::int32_t>> narrow(clusters);
  std::vector<Quad<std::int64_t>> wide(clusters);
  std::vector<Quad<Real>> negative_forces(clusters);
  std::uint32_t largest = 0;
  PairSums sums;
  RealForceJob<Real> job;
  static_cast<ClusterPass<Real>&>(job) = pairs.local_pass();
  job.coefficients = pass.coefficients.data();
  job.row_length = static_cast<Index>(pass.pass.row_length());
  job.types = 1;
  job.smoothed = job.with_energy = false;
  job.narrow = narrow.data();
  job.wide = wide.data();
  job.negative_forces = negative_forces.data();
  job.clusters = pairs.locals().clusters();
  job.largest = &largest;
  job.sums = &sums;

  std::vector<double> fixed_point_times, floating_point_times;
  for (int round = 0; round < rounds; ++round) {
    std::fill(narrow.begin(), narrow.end(), Quad<std::int32_t>{});
    std::fill(wide.begin(), wide.end(), Quad<std::int64_t>{});
    std::fill(negative_forces.begin(), negative_forces.end(), Quad<Real>{});
    const double start = thread_cpu_seconds();
    run_fixed_point(executor, job);
    const double middle = thread_cpu_seconds();
    run_floating_point(executor, job);
    fixed_point_times.push_back(middle - start);
    floating_point_times.push_back(thread_cpu_seconds() - middle);
  }
  // Both give the same forces, except for rounding.
  double max_difference = 0, max_force = 0;
  for (std::size_t c = 0; c < clusters; ++c)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < cluster_size; ++b) {
        const auto fixed_point =
            static_cast<double>(sizeof(Real) == 4 ? narrow[c].c[a][b] : wide[c].c[a][b]);
        max_difference =
            std::max(max_difference,
                     std::abs(fixed_point - static_cast<double>(negative_forces[c].c[a][b])));
        max_force = std::max(max_force, std::abs(fixed_point));
      }
  const double fixed_point = median(fixed_point_times),
               floating_point = median(floating_point_times);
  std::printf(
      "%s %s: fixed point %.2f ns per atom, floating point %.2f ns, %+.1f %%; largest difference "
      "of a force "
      "%.1e of the strongest one\n",
      executor.describe().c_str(), sizeof(Real) == 4 ? "mixed" : "double",
      fixed_point * 1e9 / static_cast<double>(n), floating_point * 1e9 / static_cast<double>(n),
      100 * (fixed_point / floating_point - 1), max_difference / max_force);
  return max_difference < 1e-4 * max_force ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 200;
  return argc > 1 && std::string(argv[1]) == "double" ? compare<double>(rounds)
                                                      : compare<float>(rounds);
}
