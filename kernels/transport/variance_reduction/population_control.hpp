#pragma once
// Population control of a history: Russian roulette at low weights, splitting and roulette in
// weight windows and between cells of different importance.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tracking/secondaries.hpp"
#include "kernels/transport/variance_reduction/population.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The weight that particles have here on average: the inverse importance of the cell.
template <class Banks>
GSIM_HD double nominal_weight(const History<Banks>& h) {
  const auto& importance = h.args.variance_reduction.importance;
  return has_importances(h) && h.particle.cell >= 0 ? 1 / importance[h.particle.cell] : 1.0;
}

/// Banks count - 1 copies of the particle. `free_paths`: the mean free paths to the next collision
/// of the copies, as BankedParticle::free_paths.
template <class Banks>
GSIM_TRANSPORT_NOINLINE Fate bank_copies(HistoryArgument<Banks> h, std::int32_t count,
                                         double free_paths) {
  auto& p = h.particle;
  // The random number stream of a copy is derived from the position of this stream and the number
  // of the copy. The draw advances the position, so that no secondary banked before has the same
  // stream.
  p.random.uniform();
  for (std::int32_t n = 1; n < count; ++n)
    if (push_secondary(h, banked_here(p, p.direction, p.weight, p.time, free_paths,
                                      p.random.child(static_cast<std::uint32_t>(n)), p.group)) !=
        Fate::alive)
      return Fate::lost;
  return Fate::alive;
}
/// Splits or kills the particle according to `split`.
template <class Banks>
GSIM_HD Fate split_or_kill(History<Banks>& h, const SplitResult& split, double free_paths = -1) {
  auto& p = h.particle;
  if (split.count != 1 || split.weight != p.weight) tally_whole_track(h);
  p.weight = split.weight;
  // Without other features only Russian roulette at low weights is played.
  if (!Banks::features.others || split.count < 2)
    return split.count == 1 ? Fate::alive : Fate::killed;
  return bank_copies(h, split.count, free_paths);
}

template <class Banks>
GSIM_TRANSPORT_NOINLINE Fate apply_window_here(HistoryArgument<Banks> h, double free_paths) {
  auto& p = h.particle;
  const WindowView& windows = h.args.variance_reduction.windows;
  const double lower = window_ahead(windows, position_of(p), p.direction, p.group).lower;
  return lower == 0
             ? Fate::alive
             : split_or_kill(h, apply_window(windows, lower, p.weight, p.random), free_paths);
}
/// Applies the weight window at the particle's position. `free_paths`: as in bank_copies().
template <class Banks>
GSIM_HD Fate apply_weight_window(History<Banks>& h, double free_paths = -1) {
  return !has_windows(h) ? Fate::alive : apply_window_here(h, free_paths);
}
/// Distance to the next plane between weight windows, cm. Free paths are exponentially
/// distributed: at such a plane, the distance that remains to the collision has the distribution of
/// a new one, so that copies made there may sample their own.
template <class Banks>
GSIM_TRANSPORT_NOINLINE double distance_to_window(Argument<History<Banks>> h) {
  const auto& p = h.particle;
  return window_ahead(h.args.variance_reduction.windows, position_of(p), p.direction, p.group)
      .distance;
}

/// Applies the weight window after a collision or, where there is none, the weight cutoff.
template <class Banks>
GSIM_HD Fate apply_weight_cutoff(History<Banks>& h) {
  auto& p = h.particle;
  if (has_windows(h) && window_at(h.args.variance_reduction.windows, position_of(p), p.group) != 0)
    return apply_weight_window(h);
  const double nominal = nominal_weight(h);
  if (p.weight >= h.rules.cutoff * nominal) return Fate::alive;
  return split_or_kill(h, russian_roulette(p.weight, h.rules.survival * nominal, p.random));
}

/// Splits the particle or plays roulette by the ratio of the importances of the cells `to` and
/// `from`; from < 0: the particle starts.
template <class Banks>
GSIM_TRANSPORT_NOINLINE Fate apply_importance(HistoryArgument<Banks> h, std::int32_t from,
                                              std::int32_t to, double free_paths) {
  auto& p = h.particle;
  const auto& importance = h.args.variance_reduction.importance;
  // A particle that starts has the importance of the cell that it starts in.
  if (from < 0) {
    if (importance[to] > 0) return Fate::alive;
    tally_whole_track(h);
    return Fate::killed;
  }
  return split_or_kill(h, cross_importance(importance[from], importance[to], p.weight, p.random),
                       free_paths);
}
/// Records that the particle is in `cell`, and splits it or plays roulette by the ratio of
/// importances.
template <class Banks>
GSIM_HD Fate enter_cell(History<Banks>& h, std::int32_t cell, double free_paths = -1) {
  const std::int32_t from = h.particle.cell;
  h.particle.cell = cell;
  return !has_importances(h) || from == cell ? Fate::alive
                                             : apply_importance(h, from, cell, free_paths);
}

}  // namespace transport_kernels
GSIM_TARGET_END
