#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {
namespace {

class MaxwellSpectrum : public EnergySpectrum {
 public:
  explicit MaxwellSpectrum(Section& s) {
    required_energy(s, "temperature", temperature_, "temperature kT of sqrt(E) exp(-E / kT)");
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& groups) const override {
    return scaled_to_groups(keys_, "temperature",
                            maxwell_spectrum(bounds_of(keys_, groups), temperature_));
  }

 private:
  double temperature_ = 1;
  KeyLocations keys_;
};

std::unique_ptr<EnergySpectrum> describe_maxwell(Section& s) {
  return std::make_unique<MaxwellSpectrum>(s);
}

}  // namespace

void register_maxwell_spectrum(Registry& registry) {
  registry.extend(SpectrumKind{"maxwell", "sqrt(E) exp(-E / kT)", describe_maxwell});
}

}  // namespace gsim::transport
