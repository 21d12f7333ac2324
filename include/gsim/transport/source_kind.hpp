#pragma once
// A source of particles that a plugin brings: sampled by a kernel of the plugin's, on whatever the
// run is on. One is a functor, in a .cu file that gsim_add_plugin() gets as one of its KERNELS,
//
//   #include <gsim/transport/sample_source.hpp>
//   GSIM_TARGET_BEGIN
//   namespace transport_kernels {
//   struct Lamp {
//     const double* numbers;  // what describe() returned
//     GSIM_HD transport::SourceParticle operator()(HistoryRandom& random) const;
//   };
//   }  // namespace transport_kernels
//   GSIM_TARGET_END
//   GSIM_DEFINE_SOURCE(sample_lamp, Lamp)
//
// and a SourceKind with its name, keys and launcher, which the plugin registers:
//
//   GSIM_DECLARE_SOURCE(sample_lamp)
//   registry.extend(gsim::transport::SourceKind{"lamp", "…", describe_lamp, gsim::sample_lamp});
//
// A configuration has it as its only source: [[source]] sampler = {kind = "lamp", …}.

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

/// What a source's launcher is asked for. All views are in the executor's memory.
struct SourceJob {
  View<SourceParticle> particles;  ///< of consecutive histories; to be filled
  std::int64_t first_history = 0;  ///< of the run
  PhiloxKey key;                   ///< of the random numbers that belong to the source
  View<const double> numbers;      ///< what describe() returned
  std::int32_t groups = 1;         ///< that there are
};

struct SourceKind {
  static constexpr char extends[] = "source", module[] = "transport";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys beside `kind`; returns the numbers that sampling reads. `groups`: of the
  /// materials.
  std::vector<double> (*describe)(Section& section, std::int32_t groups) = nullptr;
  void (*sample)(const Executor&, const SourceJob&) = nullptr;
  /// A whole configuration of module transport with it, that runs within seconds.
  std::string_view example = {};
  /// Whether all directions are alike wherever a particle starts. Point detectors need it: they
  /// estimate what the source sends straight to them.
  bool is_isotropic = false;

  /// What it lacks (Registry::Extension).
  const char* missing() const {
    return describe != nullptr && sample != nullptr ? nullptr : "describe and sample";
  }
};

}  // namespace gsim::transport

/// At global scope: declares the launcher gsim::name, which GSIM_DEFINE_SOURCE defines.
#define GSIM_DECLARE_SOURCE(name) GSIM_DECLARE_LAUNCHER(name, transport::SourceJob)
