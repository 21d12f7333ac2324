#pragma once
// A kind of score that a plugin brings to tallies: what a flux of particles gives, by material and
// group - a dose, heat, the rate of a detector's reaction. It is reckoned once, before the run;
// with filters of all kinds, by track length and by collision, it costs what gsim's own scores
// cost.
//
//   std::vector<double> describe_gas(gsim::Section& s);  // barns by group, and so on
//   void gas(std::span<const double> numbers, const ScoreMaterial& m, std::span<double> response) {
//     for (std::size_t g = 0; g < response.size(); ++g) response[g] = numbers[g] * m.absorption[g];
//   }
//   registry.extend(gsim::transport::ScoreKind{"gas", "…", "1", describe_gas, gas, example});
//
// A configuration names one, with its keys, and has it in tallies:
//
//   [[score]]
//   name = "helium"
//   kind = "gas"
//   [[tally]]
//   scores = ["flux", "helium"]

#include <span>
#include <string_view>
#include <vector>

namespace gsim {
class Section;
}

namespace gsim::transport {

/// What a score may ask of a material, all by group, the fastest first; zeros where it has none.
struct ScoreMaterial {
  std::string_view name;                                           ///< "void" is one
  std::span<const double> total, absorption, fission, nu_fission;  ///< 1/cm, fission absorbed too
  std::span<const double> kappa_fission;                           ///< eV/cm
  std::span<const double> bounds;  ///< of the groups, eV, falling, one more; empty: not known
};

struct ScoreKind {
  static constexpr char extends[] = "score", module[] = "transport";  // Registry::extend
  std::string_view name, doc;
  std::string_view unit = "1";  ///< of its sums: that of response times cm, by source particle
  /// Describes the keys beside name and kind; returns what response() reads.
  std::vector<double> (*describe)(Section& section) = nullptr;
  /// Fills what a way of 1 cm of a particle gives in the material, by group; 0 on entry. Called for
  /// void and for each material.
  void (*response)(std::span<const double> numbers, const ScoreMaterial& material,
                   std::span<double> response) = nullptr;
  /// A whole configuration of module transport with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const {
    return describe != nullptr && response != nullptr ? nullptr : "describe and response";
  }
};

}  // namespace gsim::transport
