#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {
namespace {

class DiscreteSpectrum : public EnergySpectrum {
 public:
  explicit DiscreteSpectrum(Section& s) {
    required_energies(s, energies_, "energies of the lines", 1);
    s.required("intensities", intensities_,
               {.doc = "relative probability of each energy; gsim normalises them", .min_size = 1});
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& groups) const override {
    validate_count(keys_, "intensities", intensities_.size(), energies_.size(), "energies");
    validate_weights(keys_, "intensities", intensities_);
    return scaled_to_groups(keys_, "energies",
                            line_spectrum(bounds_of(keys_, groups), energies_, intensities_));
  }

 private:
  std::vector<double> energies_, intensities_;
  KeyLocations keys_;
};

std::unique_ptr<EnergySpectrum> describe_discrete(Section& s) {
  return std::make_unique<DiscreteSpectrum>(s);
}

}  // namespace

void register_discrete_spectrum(Registry& registry) {
  registry.extend(SpectrumKind{"discrete", "discrete energies (lines)", describe_discrete});
}

}  // namespace gsim::transport
