#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {
namespace {

class GroupWeights : public EnergySpectrum {
 public:
  explicit GroupWeights(Section& s) {
    s.required("weights", weights_,
               {.doc = "relative probability of each group, the fastest first; gsim normalises "
                       "them",
                .min_size = 1});
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& groups) const override {
    validate_count(keys_, "weights", weights_.size(), static_cast<std::size_t>(groups.groups),
                   "groups");
    validate_weights(keys_, "weights", weights_);
    return scaled_to_groups(keys_, "weights", {weights_, 0});
  }

 private:
  std::vector<double> weights_;
  KeyLocations keys_;
};

std::unique_ptr<EnergySpectrum> describe_groups(Section& s) {
  return std::make_unique<GroupWeights>(s);
}

}  // namespace

void register_groups_spectrum(Registry& registry) {
  registry.extend(SpectrumKind{"groups", "a weight for each group", describe_groups});
}

}  // namespace gsim::transport
