#pragma once
// Profiles along one box vector: number, mass and charge density, temperature and velocity in slabs
// between planes parallel to the other two vectors. The slabs are equal parts of the box, also
// where a barostat changes it; along an open axis atoms outside of the box are not counted.
//
// Velocity is <sum of m v> / <sum of m>; the temperature is that of the motion relative to this
// mean flow u, <sum of m |v - u|^2> / (3 kB <n>). They are ratios of means, so that slabs which
// are sometimes nearly empty cause no bias. Their standard errors are propagated to first order
// (Blocking::ratio).

#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/sampling/type_groups.hpp"

namespace gsim::md {

struct DensityProfileConfig {
  int axis = 2;
  Index bins = 100;
  std::vector<std::string> types;  ///< types of the atoms that are counted; empty: all
};

class DensityProfile : public Observer {
 public:
  DensityProfile(std::string name, const SampleSteps& steps, const DensityProfileConfig& config,
                 const ObserverSetup& setup, Particles& particles);

  Index next(Index step) const override { return steps_.next(step); }
  void observe(const Snapshot& snapshot) override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  enum class Density { number, mass, charge };
  /// Number, mass or charge per volume.
  BlockedMean density(Index bin, Density kind) const;
  BlockedMean velocity(Index bin, int axis) const;
  BlockedMean temperature(Index bin) const;
  /// The coordinate of the centre of a slab along the axis.
  double coordinate(Index bin) const;

 private:
  bool has_charges() const;
  std::string name_, path_;
  SampleSteps steps_;
  const ObserverSetup& setup_;
  Particles& particles_;
  std::vector<double> type_charges_;
  int axis_;
  Index bins_;
  TypeGroups types_;
  Blocking averages_;    // by bin, per volume: n, m, q, m v (3), m v^2
  Blocking box_bounds_;  // means of the origin and the length of the box along the axis
};

}  // namespace gsim::md
