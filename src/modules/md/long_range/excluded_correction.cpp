#include "src/modules/md/long_range/excluded_correction.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/long_range/excluded_pairs.hpp"

namespace gsim::md {

ExcludedCorrection::ExcludedCorrection(Executor executor, double alpha, double coulomb)
    : executor_(std::move(executor)),
      alpha_(alpha),
      coulomb_(coulomb),
      first_(executor_, 0),
      second_(executor_, 0),
      missing_(executor_, 1),
      terms_(executor_, 0) {}

void ExcludedCorrection::throw_missing(Particles& particles, const Exclusions& exclusions,
                                       std::int64_t id) {
  const auto ids = particles.store.to_host<std::int64_t>(particles.store.id());
  const auto i = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
  const auto first = exclusions.first.to_host();
  const auto rows = exclusions.rows.to_host();
  auto p = static_cast<std::size_t>(first[i]);
  while (rows[p] >= 0) ++p;
  const std::int64_t partner = partner_id(exclusions.codes.to_host()[p]);
  throw NumericalError(fmt::format(
      "the bonded atoms {} and {} are farther apart than the width of the halo of ghost "
      "atoms; bonds have broken, or the time step is too long",
      std::min(id, partner) + 1, std::max(id, partner) + 1));
}

void ExcludedCorrection::rebuild(const ForceContext& context, const Exclusions& exclusions) {
  pairs_ = exclusions.size();
  if (pairs_ == 0) return;
  const Index padded = (pairs_ + excluded_padding - 1) / excluded_padding * excluded_padding;
  first_.resize_uninitialised(padded);
  second_.resize_uninitialised(padded);
  terms_.resize_uninitialised(excluded_terms * padded);
  begin_ = exclusions.first.view();
  std::uint64_t missing = no_particle;
  missing_.assign({&missing, 1});
  md_excluded_rows(executor_, {begin_, exclusions.rows.view(), context.particles.ids(),
                               first_.view(), second_.view(), missing_.view().data});
  executor_.copy_to_host(&missing, missing_.view().data, sizeof missing);
  if (missing == no_particle) return;
  pairs_ = 0;
  throw_missing(context.particles, exclusions, static_cast<std::int64_t>(missing));
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
  job.begin = begin_;
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
