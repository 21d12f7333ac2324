#include "src/modules/md/long_range/excluded_correction.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/md/long_range/excluded_pairs.hpp"
#include "src/modules/md/simulation/id_rows.hpp"

namespace gsim::md {
namespace {

/// A copy of the ids in host memory.
std::vector<std::int64_t> ids_of(Particles& particles) {
  const View<std::int64_t> ids = particles.ids();
  std::vector<std::int64_t> host(static_cast<std::size_t>(ids.size));
  if (ids.size > 0)
    particles.store.executor().copy_to_host(host.data(), ids.data, host.size() * sizeof(host[0]));
  return host;
}

void assign(Array<std::int32_t>& array, const std::vector<std::int32_t>& values) {
  array.resize_discard(static_cast<Index>(values.size()));
  array.assign(values);
}

}  // namespace

ExcludedCorrection::ExcludedCorrection(Executor executor, double alpha, double coulomb)
    : executor_(std::move(executor)),
      alpha_(alpha),
      coulomb_(coulomb),
      first_(executor_, 0),
      second_(executor_, 0),
      begin_(executor_, 0),
      terms_(executor_, 0) {}

void ExcludedCorrection::rebuild(const ForceContext& context, const Exclusions& exclusions) {
  pairs_ = 0;
  if (exclusions.first.empty()) return;
  const std::vector<std::int64_t> ids = ids_of(context.particles);
  IdRows rows;
  rows.build({ids.data(), static_cast<Index>(ids.size())});
  std::vector<std::int32_t> first, second, begin{0};
  const auto locals = static_cast<std::size_t>(context.particles.locals());
  for (std::size_t i = 0; i < locals; ++i) {
    for (Index p = exclusions.first[i]; p < exclusions.first[i + 1]; ++p) {
      const std::int64_t id = exclusions.partners[static_cast<std::size_t>(p)].id;
      const std::int32_t row = rows.find(id);
      if (row < 0)
        throw NumericalError(
            fmt::format("the bonded atoms {} and {} are farther apart than the width of the halo "
                        "of ghost atoms; "
                        "bonds have broken, or the time step is too long",
                        std::min(ids[i], id) + 1, std::max(ids[i], id) + 1));
      first.push_back(static_cast<std::int32_t>(i));
      second.push_back(row);
    }
    begin.push_back(static_cast<std::int32_t>(first.size()));
  }
  pairs_ = static_cast<Index>(first.size());
  const auto padded = static_cast<std::size_t>((pairs_ + excluded_padding - 1) / excluded_padding *
                                               excluded_padding);
  first.resize(padded, 0);
  second.resize(padded, 0);
  assign(first_, first);
  assign(second_, second);
  assign(begin_, begin);
  terms_.resize_discard(excluded_terms * static_cast<Index>(padded));
}

void ExcludedCorrection::compute(const ForceContext& context, const ForceQuanta& quanta,
                                 ExactSum& energy, ExactSum* virial) {
  if (pairs_ == 0) return;
  Particles& p = context.particles;
  ExcludedPairsJob job;
  job.position = p.positions();
  job.charge = p.store.view<double>(p.charge);
  job.first = first_.view();
  job.second = second_.view();
  job.begin = begin_.view();
  job.pairs = pairs_;
  const auto box_matrix = context.box.matrix(52);
  std::copy(box_matrix.begin(), box_matrix.end(), job.box_matrix);
  const double cube = coulomb_ * alpha_ * alpha_ * alpha_;
  job.alpha = alpha_;
  job.force_scale = cube / quanta.force;
  job.energy_scale = coulomb_ * alpha_ / quanta.energy;
  job.virial_scale = cube / quanta.energy;
  job.with_sums = context.with_sums;
  job.terms = terms_.view();
  job.force = p.store.elements<std::int64_t>(p.force);
  ExactSum sums[7];
  job.sums = sums;
  md_excluded_pairs(executor_, job);
  if (!context.with_sums) return;
  energy.add(sums[0]);
  for (int v = 0; v < 6; ++v) virial[v].add(sums[1 + v]);
}

}  // namespace gsim::md
