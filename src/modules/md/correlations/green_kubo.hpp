#pragma once
// Transport coefficients as integrals of equilibrium autocorrelation functions of a flux J of the
// whole system (M. S. Green, J. Chem. Phys. 22 (1954) 398; R. Kubo, J. Phys. Soc. Japan 12 (1957)
// 570): coefficient(t) = f integral of <J(0) J(t')> dt' from 0 to t. Its value
// should be taken on the plateau while its error is still small; the reported estimate is the value
// at the end of the window.

#include <span>
#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/correlations/window_correlator.hpp"

namespace gsim::md {

struct GreenKuboConfig {
  Index lags = 500;  ///< length of the window, in samples
};

/// Describes the key `lags`.
GreenKuboConfig describe_green_kubo(Section& section);

/// Base class of observers of Green-Kubo integrals.
class GreenKubo : public Observer {
 public:
  Index next(Index step) const override { return steps_.next(step); }
  bool needs_thermo() const override { return true; }
  void observe(const Snapshot& snapshot) override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  double time(Index lag) const {
    return static_cast<double>(lag * steps_.every) * setup_.time_step;
  }
  BlockedMean correlation(Index lag) const { return correlator_.correlation(lag); }
  /// The coefficient from the integral up to `lag`. Its error is that of the integral alone; the
  /// errors of mean temperature and volume are much smaller.
  Estimate coefficient(Index lag) const;

 protected:
  /// Name and unit of the coefficient, and unit of the flux.
  struct Quantity {
    std::string name, unit, flux_unit, description;
  };
  GreenKubo(std::string name, const SampleSteps& steps, const GreenKuboConfig& config,
            const ObserverSetup& setup, int components, Quantity quantity);

  /// The components of the flux. Collective.
  virtual std::vector<double> flux(const Snapshot& snapshot) = 0;
  /// The factor f by which the time integral (averaged over components) is multiplied.
  virtual double factor(double volume, double temperature) const = 0;

  const std::string& name() const { return name_; }
  const ObserverSetup& setup() const { return setup_; }

 private:
  std::string name_, path_;
  SampleSteps steps_;
  const ObserverSetup& setup_;
  Quantity quantity_;
  WindowCorrelator correlator_;
  Blocking state_;  // volume and temperature
};

}  // namespace gsim::md
