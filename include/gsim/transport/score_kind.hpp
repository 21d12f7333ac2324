#pragma once
// A kind of score: the response that multiplies the flux in a tally - a dose, heat, the reaction
// rate of a detector - by material and group. The built-in scores (src/modules/transport/tallies/
// scores) and those of plugins are registered through this record. The response is evaluated once,
// before the run, and then works with all filters and with the track-length, collision and
// next-event estimators.
//
//   std::vector<double> describe_gas(gsim::Section& s);  // barns by group, and so on
//   void gas(std::span<const double> numbers, const ScoreMaterial& m, std::span<double> response) {
//     for (std::size_t g = 0; g < response.size(); ++g) response[g] = numbers[g] * m.absorption[g];
//   }
//   registry.extend(gsim::transport::ScoreKind{"gas", "…", "1", describe_gas, gas, example});
//
// A configuration gives the score a name, and its keys, and uses it in tallies:
//
//   [[score]]
//   name = "helium"
//   kind = "gas"
//   [[tally]]
//   scores = ["flux", "helium"]
//
// Scores without keys need no [[score]]: tallies name them directly (ScoreKind::is_direct).

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gsim {
class Section;
}

namespace gsim::transport {

/// The data of a material that a response may use, by group, the fastest group first; zeros where
/// the material has none.
struct ScoreMaterial {
  std::string_view name;  ///< "void" for empty space
  std::span<const double> total, absorption, fission,
      nu_fission;                         ///< 1/cm; absorption includes fission
  std::span<const double> kappa_fission;  ///< eV/cm
  std::span<const double> bounds;  ///< groups + 1 energy bounds, eV, decreasing; empty: unknown
  std::span<const double> scattering = {};  ///< 1/cm
  /// (n,xn): the mean number of neutrons beyond the first from each scattering, times `scattering`,
  /// 1/cm. Zeros in analog tallies, which score these neutrons at the events at_nxn.
  std::span<const double> nxn_production = {};
  bool is_fissile = false;
};

struct ScoreKind {
  static constexpr char extends[] = "score", module[] = "transport";  // Registry::extend

  // Bits of analog_events: the events at which an analog tally scores the weight; at_nxn scores the
  // weight that a scattering adds.
  static constexpr std::int32_t at_collision = 1, at_absorption = 2, at_scatter = 4, at_nxn = 8;

  std::string_view name, doc;
  std::string_view unit = "1";  ///< of the response times a track length in cm, per source particle
  /// Describes the keys beside name and kind; returns their values as `numbers` for response().
  std::vector<double> (*describe)(Section& section) = nullptr;
  /// Sets `response`, whose elements are 0 at first, to the score of a track of 1 cm in the
  /// material, by group. Called for void and for each material.
  void (*response)(std::span<const double> numbers, const ScoreMaterial& material,
                   std::span<double> response) = nullptr;
  /// A complete configuration of module transport with the score that runs within seconds.
  std::string_view example = {};

  // The members below have defaults that suit any response.
  bool is_direct = false;            ///< tallies name it without a [[score]]; it has no keys
  bool depends_on_material = true;   ///< false: the response is the same everywhere
  bool scores_in_void = true;        ///< the response of void may be other than 0
  bool is_scored_in_volumes = true;  ///< by tallies without a filter of surfaces
  bool is_scored_at_surfaces = false;
  bool is_scored_at_points = true;  ///< by tallies at point detectors
  bool is_net_current = false;      ///< the net weight through surfaces instead of the flux
  std::int32_t analog_events = 0;   ///< sum of the bits above; 0: the score has no analog estimator
  /// Values are per particle that starts, from the source or from fission, instead of per source
  /// particle.
  bool is_per_started_particle = false;
  std::string_view unit_at_points = {};  ///< at point detectors; empty: "UNIT / cm3"
  /// The quantum of exact sums, a power of two; 0: it is derived from the largest response.
  double sum_unit = 0;
  /// Checks relations between several keys, and may derive further numbers; null: no check.
  /// `numbers` are those that describe() returned.
  void (*validate)(const Section& section, std::vector<double>& numbers) = nullptr;
  /// The name of the data that the response needs and the material lacks; null: none.
  const char* (*missing_data)(const ScoreMaterial& material) = nullptr;

  /// The names of missing members (Registry::Extension); null: none.
  const char* missing() const {
    return response != nullptr && (is_direct || describe != nullptr) ? nullptr
                                                                     : "describe and response";
  }
};

}  // namespace gsim::transport
