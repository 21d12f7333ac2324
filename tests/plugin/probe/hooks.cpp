// Extensions of molecular dynamics other than potentials: a thermostat, an observer, a bond and an
// angle.
#include "hooks.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/core/exact_sum.hpp>
#include <gsim/engine/blocking.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/md/bonded/bonded_kind.hpp>
#include <gsim/md/observers/atom_observer.hpp>
#include <gsim/md/thermostats/thermostat.hpp>

#include "examples.hpp"

GSIM_DECLARE_BOND(spring)
GSIM_DECLARE_ANGLE(straight)

namespace {

using namespace gsim;

/// Whether the environment variable HOOKS_FAULT, which plugin_loading.py sets, selects this error.
bool is_selected(std::string_view fault) {
  const char* const selected = std::getenv("HOOKS_FAULT");
  return selected != nullptr && fault == selected;
}
void throw_if_selected(std::string_view place) {
  if (is_selected(place)) throw std::out_of_range("the hook fails as selected");
}

/// Weak coupling to a bath (H. J. C. Berendsen et al., J. Chem. Phys. 81, 3684 (1984), eq. 11):
/// velocities are scaled by sqrt(1 + dt / tau (T_0 / T - 1)). `freedom` is the number of degrees of
/// freedom, `rate` is dt / tau.
class WeakCoupling : public md::Thermostat {
 public:
  WeakCoupling(double freedom, double rate) : freedom_(freedom), rate_(rate) {}
  double scale(double twice_kinetic, double thermal, Index) override {
    throw_if_selected("scale");
    if (is_selected("not a number")) return std::numeric_limits<double>::quiet_NaN();
    if (is_selected("negative scale")) return -1;
    if (!(twice_kinetic > 0)) return 1;
    const double squared = 1 + rate_ * (freedom_ * thermal / twice_kinetic - 1);
    removed_energy_ += 0.5 * twice_kinetic * (1 - squared);
    return std::sqrt(squared);
  }
  double energy() const override {
    return is_selected("infinite energy") ? std::numeric_limits<double>::infinity()
                                          : removed_energy_;
  }
  void save(DatasetWriter& writer, const std::string& path) const override {
    writer.write(path, removed_energy_);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    removed_energy_ = reader.read_value<double>(path);
  }

 private:
  double freedom_, rate_, removed_energy_ = 0;
};

md::ThermostatPlan describe_weak_coupling(Section& s) {
  double time = 0;
  throw_if_selected("describe");
  s.required("time", time,
             {.doc = "relaxation time of the temperature",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  return {[time](const md::ThermostatSetup& setup) {
    md::check_thermostat_time(time, setup.time_step);
    if (is_selected("number"))
      throw 42;  // NOLINT: not an exception of the standard library, on purpose
    if (is_selected("no thermostat")) return std::unique_ptr<WeakCoupling>();
    return std::make_unique<WeakCoupling>(setup.freedom, setup.time_step / time);
  }};
}

/// Observer of the mean square velocity of the atoms.
class Speeds : public md::AtomObserver {
 public:
  Speeds(Index atoms, double factor) : atoms_(atoms), factor_(factor) {}
  void observe(const md::ObservedStep& now) override {
    throw_if_selected("observe");
    std::vector<double> v(static_cast<std::size_t>(now.velocities.size));
    now.executor.synchronize();
    if (!v.empty())
      now.executor.copy_to_host(v.data(), now.velocities.data, v.size() * sizeof(double));
    constexpr double quantum = 0x1p-40;
    std::array<ExactSum, 1> sum;
    for (const double x : v) sum[0].add(static_cast<std::int64_t>(std::rint(x * x / quantum)));
    now.communicator.sum(sum);
    series_.add(factor_ * sum[0].value(quantum) / static_cast<double>(atoms_));
  }
  std::vector<Estimate> estimates() const override {
    throw_if_selected("estimates");
    return {series_.mean().estimate("mean_square", "")};
  }
  void save(DatasetWriter& writer, const std::string& path) const override {
    series_.save(writer, path);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    series_.restore(reader, path);
  }
  void write_results(DatasetWriter& writer, const std::string& path) const override {
    writer.write(path + "/mean_square", series_.mean().mean);
  }
  std::uint64_t digest() const override {
    Digest digest;
    series_.add_to(digest);
    return digest.value();
  }

 private:
  Index atoms_;
  double factor_;
  Blocking series_;
};

md::ObserverPlan describe_speeds(Section& s) {
  double factor = 1;
  s.optional("factor", factor,
             {.doc = is_selected("no documentation")
                         ? ""
                         : "factor by which the mean square velocity is multiplied"});
  return {.make = md::atom_observer([factor](const md::AtomObserverSetup& setup) {
            if (is_selected("no observer")) return std::unique_ptr<Speeds>();
            return std::make_unique<Speeds>(setup.atoms, factor);
          })};
}

void add(Registry& registry) {
  md::ThermostatKind weak_coupling{"weak_coupling", "weak coupling to a bath (Berendsen 1984)",
                                   describe_weak_coupling, fluid};
  md::ObserverKind speeds{"speeds", "mean square velocities", describe_speeds, fluid};
  if (is_selected("thermostat")) weak_coupling.describe = nullptr;
  if (is_selected("observer")) speeds.describe = nullptr;
  if (is_selected("unused")) weak_coupling.example = speeds.example = chains;
  registry.extend(weak_coupling);
  registry.extend(speeds);
#if !defined(HOOKS_WITHOUT_KERNELS)
  md::BondKind spring = GSIM_BOND(spring, Spring);
  md::AngleKind straight = GSIM_ANGLE(straight, Straight);
  spring.example = straight.example = chains;
  if (is_selected("bond")) spring.longest = nullptr;
  if (is_selected("angle")) straight.launch = nullptr;
  if (is_selected("harmonic bond")) spring.name = "harmonic";
  if (is_selected("cosine angle")) straight.name = "cosine";
  if (is_selected("unused")) spring.example = straight.example = fluid;
  registry.extend(spring);
  registry.extend(straight);
#endif
}

}  // namespace

#if !defined(HOOKS_VERSION)
#define HOOKS_VERSION "1"
#endif
GSIM_PLUGIN("hooks", HOOKS_VERSION, "MIT", "a thermostat, an observer, a bond and an angle", add)
