#include <algorithm>
#include <functional>

#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {
namespace {

class TabulatedSpectrum : public EnergySpectrum {
 public:
  explicit TabulatedSpectrum(Section& s) {
    required_energies(s, energies_, "energies, increasing", 2);
    s.required("densities", densities_,
               {.doc = "probability density: one value per energy (linear interpolation) or one "
                       "per interval between energies (constant); gsim normalises it",
                .min_size = 1});
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& groups) const override {
    if (!std::is_sorted(energies_.begin(), energies_.end(), std::less_equal<>()))
      keys_.fail("energies", "energies do not increase");
    if (densities_.size() + 1 != energies_.size())
      validate_count(keys_, "densities", densities_.size(), energies_.size(), "energies");
    validate_weights(keys_, "densities", densities_);
    return scaled_to_groups(
        keys_, "energies",
        gsim::transport::tabulated_spectrum(bounds_of(keys_, groups), energies_, densities_));
  }

 private:
  std::vector<double> energies_, densities_;
  KeyLocations keys_;
};

std::unique_ptr<EnergySpectrum> describe_tabulated(Section& s) {
  return std::make_unique<TabulatedSpectrum>(s);
}

}  // namespace

void register_tabulated_spectrum(Registry& registry) {
  registry.extend(SpectrumKind{"tabulated", "a density at given energies", describe_tabulated});
}

}  // namespace gsim::transport
