#pragma once
// Samplers: sources of particles of plugins, sampled by a kernel on the executor of the run. A
// sampler is a functor in a .cu file that is one of the KERNELS of gsim_add_plugin(),
//
//   #include <gsim/transport/sample_source.hpp>
//   GSIM_TARGET_BEGIN
//   namespace transport_kernels {
//   struct Lamp {
//     const double* numbers;  // the parameters that describe() returned
//     GSIM_HD transport::SourceParticle operator()(HistoryRandom& random) const;
//   };
//   }  // namespace transport_kernels
//   GSIM_TARGET_END
//   GSIM_DEFINE_SOURCE(sample_lamp, Lamp)
//
// and a record with its name, keys and launcher, which the plugin registers:
//
//   GSIM_DECLARE_SOURCE(sample_lamp)
//   registry.extend(gsim::transport::SourceKind{"lamp", "…", describe_lamp, gsim::sample_lamp});
//
// A configuration selects it as its only source: [[source]] sampler = {kind = "lamp", …}.

#include <cstdint>
#include <string_view>
#include <vector>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/transport/source_particle.hpp"

namespace gsim {
class Section;
}

namespace gsim::transport {

/// Arguments of the launcher of a sampler. All views are of the executor's memory.
struct SourceJob {
  View<SourceParticle> particles;  ///< to be filled, one per history
  std::int64_t first_history = 0;  ///< history number of the first particle
  PhiloxKey key;                   ///< of the random number streams of the sampler
  View<const double> numbers;      ///< the parameters that describe() returned
  std::int32_t groups = 1;         ///< number of energy groups
};

struct SourceKind {
  static constexpr char extends[] = "source", module[] = "transport";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys beside `kind`, and returns the parameters of the sampler. `groups`: number
  /// of energy groups.
  std::vector<double> (*describe)(Section& section, std::int32_t groups) = nullptr;
  void (*sample)(const Executor&, const SourceJob&) = nullptr;
  /// A complete configuration of module transport with the source that runs within seconds.
  std::string_view example = {};
  /// Whether its particles are isotropic at every position. Required for point detectors, which use
  /// the angular density of the source.
  bool is_isotropic = false;

  /// Missing members (Registry::Extension).
  const char* missing() const {
    return describe != nullptr && sample != nullptr ? nullptr : "describe and sample";
  }
};

}  // namespace gsim::transport

/// At global scope: declares the launcher gsim::name, which GSIM_DEFINE_SOURCE defines.
#define GSIM_DECLARE_SOURCE(name) GSIM_DECLARE_LAUNCHER(name, transport::SourceJob)
