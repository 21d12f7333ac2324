#pragma once
// The loop over the particles of a plugin's source (transport/source_kind.hpp): for kernel sources.

#include "gsim/transport/directions.hpp"
#include "gsim/transport/history_random.hpp"
#include "gsim/transport/source_kind.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// One particle a history, from random numbers that are the history's own. Sampler is made of
/// `numbers`.
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

/// At global scope: defines the launcher of the source whose functor is transport_kernels::Sampler.
#define GSIM_DEFINE_SOURCE(name, Sampler)                                      \
  GSIM_DECLARE_SOURCE(name)                                                    \
  GSIM_DEFINE_LAUNCHER(name, transport::SourceJob) {                           \
    launch(executor, #name, args.particles.size,                               \
           transport_kernels::SampleSource<transport_kernels::Sampler>{args}); \
  }
