#pragma once
// The kernel of a sampler (source_kind.hpp), to be included in .cu files.

#include "gsim/transport/directions.hpp"
#include "gsim/transport/history_random.hpp"
#include "gsim/transport/source_kind.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// Samples one particle per history from the random number stream of the history. The sampler is
/// constructed from SourceJob::numbers.
template <class Sampler>
struct SampleSource {
  transport::SourceJob job;

  GSIM_HD void operator()(Index i) const {
    HistoryRandom random(job.key, static_cast<std::uint64_t>(job.first_history + i));
    job.particles[i] = Sampler{job.numbers.data}(random);
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

/// At global scope: defines the launcher of the functor transport_kernels::Sampler.
#define GSIM_DEFINE_SOURCE(name, Sampler)                                      \
  GSIM_DECLARE_SOURCE(name)                                                    \
  GSIM_DEFINE_LAUNCHER(name, transport::SourceJob) {                           \
    launch(executor, #name, args.particles.size,                               \
           transport_kernels::SampleSource<transport_kernels::Sampler>{args}); \
  }
