#pragma once
// Counting lost particles. Of all lost particles the first one is kept.

#include "gsim/transport/noinline.hpp"
#include "kernels/transport/tracking/histories.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::HistoriesArgs;
using transport::HistoryScores;
using transport::LostParticle;

#if defined(__CUDACC__)

GSIM_HD void count_atomically(std::int64_t* to) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(to), 1ull);
#endif
}
GSIM_HD void lower_atomically(std::int64_t* to, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<long long*>(to), static_cast<long long>(value));
#endif
}
GSIM_HD void lower_atomically(std::uint64_t* to, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#endif
}

/// Counts a lost particle in HistoriesArgs::scores. Of all lost particles the lowest history number
/// is kept; a replay of that history finds the lowest stream position, and a second replay the
/// particle itself.
GSIM_HD void count_lost(const HistoriesArgs& args, const HistoryScores& /*mine*/,
                        const LostParticle& lost) {
  HistoryScores& scores = *args.scores;
  count_atomically(&scores.lost);
  if (lost.reason == LostParticle::Reason::too_many_secondaries)
    count_atomically(&scores.too_many_secondaries);
  if (lost.reason == LostParticle::Reason::overlap) count_atomically(&scores.overlapping);
  if (args.replay != transport::Replay::find_particle) {
    lower_atomically(&scores.first_lost.history, lost.history);
    if (args.replay == transport::Replay::find_stream)
      lower_atomically(&scores.first_lost.stream, lost.stream);
  } else if (lost.stream == args.replayed_stream &&
             scores.first_lost.reason == LostParticle::Reason::none) {
    scores.first_lost = lost;  // the first one at this position, as on a host
  }
}

#else

/// Counts a lost particle in `mine`.
GSIM_HD void count_lost(const HistoriesArgs& /*args*/, HistoryScores& mine,
                        const LostParticle& lost) {
  if (lost.reason == LostParticle::Reason::too_many_secondaries) ++mine.too_many_secondaries;
  if (lost.reason == LostParticle::Reason::overlap) ++mine.overlapping;
  ++mine.lost;
  if (lost.comes_before(mine.first_lost)) mine.first_lost = lost;
}

#endif

}  // namespace transport_kernels
GSIM_TARGET_END
