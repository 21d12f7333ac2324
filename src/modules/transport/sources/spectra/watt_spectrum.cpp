#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {
namespace {

class WattSpectrum : public EnergySpectrum {
 public:
  explicit WattSpectrum(Section& s) {
    required_energy(s, "a", a_, "parameter a of exp(-E / a) sinh(sqrt(b E)); U-235: 0.988e6");
    s.required("b", b_,
               {.doc = "parameter b of exp(-E / a) sinh(sqrt(b E)); U-235: 2.249e-6",
                .unit = "1/eV",
                .minimum = 0,
                .exclusive_minimum = true});
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& groups) const override {
    return scaled_to_groups(keys_, "a", watt_spectrum(bounds_of(keys_, groups), a_, b_));
  }

 private:
  double a_ = 1, b_ = 1;
  KeyLocations keys_;
};

std::unique_ptr<EnergySpectrum> describe_watt(Section& s) {
  return std::make_unique<WattSpectrum>(s);
}

}  // namespace

void register_watt_spectrum(Registry& registry) {
  registry.extend(
      SpectrumKind{"watt", "exp(-E / a) sinh(sqrt(b E)), of fission neutrons", describe_watt});
}

}  // namespace gsim::transport
