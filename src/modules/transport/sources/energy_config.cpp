#include "src/modules/transport/sources/energy_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/plural.hpp"
#include "src/modules/transport/sources/spectra.hpp"

namespace gsim::transport {
namespace {

using Doubles = std::vector<double>;

class EnergyReader {
 public:
  EnergyReader(const MaterialSet& materials, SourceConfig& c, std::vector<std::string>& notes)
      : materials_(materials), c_(c), notes_(notes) {}

  void group(Section& s) {
    Index group = 1;
    s.required("group", group, {.doc = "number of the group; 1 is the fastest", .minimum = 1});
    if (s.describing()) return;
    if (group > materials_.groups)
      s.fail("group", fmt::format("there is no group {}: the materials have {}", group,
                                  count_of(materials_.groups, "group")));
    c_.groups.assign(static_cast<std::size_t>(materials_.groups), 0.0);
    c_.groups[static_cast<std::size_t>(group) - 1] = 1;
  }
  void groups(Section& s) {
    Doubles weights;
    s.required("weights", weights,
               {.doc = "how often each group comes, the fastest first; scaled to a sum of 1",
                .min_size = 1});
    if (s.describing()) return;
    if (static_cast<Index>(weights.size()) != materials_.groups)
      s.fail("weights", fmt::format("{} weights for {} groups", weights.size(), materials_.groups));
    check_weights(s, "weights", weights);
    keep(s, "weights", {weights, 0});
  }
  void lines(Section& s) {
    Doubles energies, intensities;
    required_energies(s, energies, "of the lines", 1);
    s.required("intensities", intensities,
               {.doc = "how often each energy comes; scaled to a sum of 1", .min_size = 1});
    if (s.describing()) return;
    if (energies.size() != intensities.size())
      s.fail("intensities",
             fmt::format("{} intensities for {} energies", intensities.size(), energies.size()));
    check_weights(s, "intensities", intensities);
    keep(s, "energies", line_spectrum(bounds(s), energies, intensities));
  }
  void tabulated(Section& s) {
    Doubles energies, densities;
    required_energies(s, energies, "rising", 2);
    s.required("densities", densities,
               {.doc = "probability per eV at each energy, linear between them; or, one less, "
                       "between each two of them; scaled to a sum of 1",
                .min_size = 1});
    if (s.describing()) return;
    if (!std::is_sorted(energies.begin(), energies.end(), std::less_equal<>()))
      s.fail("energies", "energies do not rise");
    if (densities.size() != energies.size() && densities.size() + 1 != energies.size())
      s.fail("densities",
             fmt::format("{} densities for {} energies", densities.size(), energies.size()));
    check_weights(s, "densities", densities);
    keep(s, "energies", tabulated_spectrum(bounds(s), energies, densities));
  }
  void maxwell(Section& s) {
    double temperature = 1;
    required_energy(s, "temperature", temperature, "kT in sqrt(E) exp(-E / kT)");
    if (!s.describing()) keep(s, "temperature", maxwell_spectrum(bounds(s), temperature));
  }
  void watt(Section& s) {
    double a = 1, b = 1;
    required_energy(s, "a", a, "in exp(-E / a) sinh(sqrt(b E)); U-235: 0.988e6");
    s.required("b", b,
               {.doc = "in the same; U-235: 2.249e-6",
                .unit = "1/eV",
                .minimum = 0,
                .exclusive_minimum = true});
    if (!s.describing()) keep(s, "a", watt_spectrum(bounds(s), a, b));
  }

 private:
  static void required_energies(Section& s, Doubles& energies, const char* doc, Index least) {
    s.required("energies", energies, {.doc = doc, .unit = "eV", .minimum = 0, .min_size = least});
  }
  static void required_energy(Section& s, const char* key, double& value, const char* doc) {
    s.required(key, value, {.doc = doc, .unit = "eV", .minimum = 0, .exclusive_minimum = true});
  }
  static void check_weights(const Section& s, const char* key, const Doubles& weights) {
    double sum = 0;
    for (const double w : weights) {
      if (!(w >= 0)) s.fail(key, fmt::format("{} is negative", w));
      sum += w;
    }
    if (!(sum > 0)) s.fail(key, "all of them are 0");
  }
  const Doubles& bounds(const Section& s) const {
    if (materials_.bounds.empty())
      s.fail("kind", "energies are given, and the energies of the groups are not known",
             "give [groups] bounds, or name groups instead");
    return materials_.bounds;
  }
  /// Takes what lies within the groups.
  void keep(const Section& s, const char* key, GroupSpectrum spectrum) {
    double sum = 0;
    for (const double p : spectrum.probability) sum += p;
    if (!(sum > 0)) s.fail(key, "nothing of the spectrum lies within the groups");
    if (spectrum.outside > 1e-9)
      notes_.push_back(
          fmt::format("a source has {:.2g} of its spectrum outside of the groups; it "
                      "is left out, and the rest scaled to 1",
                      spectrum.outside));
    for (double& p : spectrum.probability) p /= sum;
    c_.groups = std::move(spectrum.probability);
  }

  const MaterialSet& materials_;
  SourceConfig& c_;
  std::vector<std::string>& notes_;
};

}  // namespace

void describe_energy(Section& s, const MaterialSet& materials, SourceConfig& config,
                     std::vector<std::string>& notes) {
  EnergyReader reader(materials, config, notes);
  const auto with = [&reader](void (EnergyReader::*read)(Section&)) {
    return [&reader, read](Section& a) { (reader.*read)(a); };
  };
  s.alternatives(
      "kind",
      {{"group", "one group", with(&EnergyReader::group)},
       {"groups", "a weight for each group", with(&EnergyReader::groups)},
       {"discrete", "lines", with(&EnergyReader::lines)},
       {"tabulated", "a density at given energies", with(&EnergyReader::tabulated)},
       {"maxwell", "sqrt(E) exp(-E / kT)", with(&EnergyReader::maxwell)},
       {"watt", "exp(-E / a) sinh(sqrt(b E)), of fission neutrons", with(&EnergyReader::watt)}},
      -1, {.doc = "the spectrum, which is binned exactly to the groups"});
}

}  // namespace gsim::transport
