#include "gsim/core/text.hpp"
#include "src/modules/transport/sources/spectra/spectrum.hpp"

namespace gsim::transport {
namespace {

class OneGroup : public EnergySpectrum {
 public:
  explicit OneGroup(Section& s) {
    s.required("group", group_, {.doc = "number of the group; 1 is the fastest", .minimum = 1});
    keys_ = s.locations();
  }
  GroupSpectrum bin(const GroupStructure& groups) const override {
    if (group_ > groups.groups)
      keys_.fail("group", fmt::format("there is no group {}: the materials have {}", group_,
                                      count_of(groups.groups, "group")));
    GroupSpectrum spectrum;
    spectrum.probability.assign(static_cast<std::size_t>(groups.groups), 0.0);
    spectrum.probability[static_cast<std::size_t>(group_) - 1] = 1;
    return spectrum;
  }

 private:
  Index group_ = 1;
  KeyLocations keys_;
};

std::unique_ptr<EnergySpectrum> describe_group(Section& s) { return std::make_unique<OneGroup>(s); }

}  // namespace

void register_group_spectrum(Registry& registry) {
  registry.extend(SpectrumKind{"group", "one group", describe_group});
}

}  // namespace gsim::transport
