#include "src/modules/md/observers/velocity_autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
// The rows of the sums, by type: velocities along x, y, z; their squares; then, for each lag of the
// sample, the products with the velocities at the time origin.
VelocityAutocorrelation::VelocityAutocorrelation(std::string name, const SampleSteps& steps,
                                                 const VelocityAutocorrelationConfig& config,
                                                 const ObserverSetup& setup, Particles& particles)
    : TimeCorrelation(std::move(name), steps, {config.lags, 1, config.origins}, config.types,
                      {.rows = 2, .terms = 3}, setup, particles),
      old_sums_(static_cast<std::size_t>(config.origins) * setup.type_masses.size() * 3),
      averages_(2 * static_cast<Index>(reported_groups().size()) * (config.lags + 1)) {
  copy_at_origins("velocity", particles.velocity, ElementType::float64, 3);
}

std::span<double> VelocityAutocorrelation::old_sums(Index slot) {
  const std::size_t size = setup().type_masses.size() * 3;
  return std::span(old_sums_).subspan(static_cast<std::size_t>(slot) * size, size);
}

void VelocityAutocorrelation::begin_window(Index slot, const Sums& sums) {
  const std::vector<double> now = velocity_sums(sums);
  std::copy(now.begin(), now.end(), old_sums(slot).begin());
  record({slot, 0, 0, true}, sums, 1);
}

std::vector<double> VelocityAutocorrelation::velocity_sums(const Sums& sums) const {
  std::vector<double> all;
  for (std::size_t t = 0; t < sums.types; ++t)
    for (std::size_t a = 0; a < 3; ++a) all.push_back(sums.value(0, t, a));
  return all;
}

void VelocityAutocorrelation::measure(const Snapshot& snapshot,
                                      std::span<const TimeOrigins::Visit> measured, Sums& sums) {
  ParticleStore& store = snapshot.particles.store;
  const Index n = snapshot.particles.locals();
  const HostColumn<Vector3> now(store, snapshot.particles.velocity, n);
  const HostColumn<std::int32_t> type(store, snapshot.particles.type, n);
  ThreadPool& pool = setup().executor.pool();
  const auto add_products = [&](std::size_t row, const HostColumn<Vector3>* then) {
    sum_over_atoms(pool, n, sums.row(row), [&](Index i, ExactSum* part) {
      ExactSum* const sums_of_type = part + static_cast<std::size_t>(type[i]) * 3;
      for (std::size_t a = 0; a < 3; ++a)
        sums_of_type[a].add(in_sum_quanta(now[i][a] * (then == nullptr ? 1.0 : (*then)[i][a])));
    });
  };
  add_products(0, nullptr);
  add_products(1, &now);
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const HostColumn<Vector3> then(store, at_origin(0, measured[k].slot), n);
    add_products(2 + k, &then);
  }
}

// With the velocities v' of atoms and V' of the centre of mass at the time origin, v and V now:
// sum of (v - V) (v' - V') = sum of v v' - V' sum of v - V sum of v' + n V V'.
void VelocityAutocorrelation::record(const TimeOrigins::Visit& visit, const Sums& sums,
                                     std::size_t row) {
  const std::span<const double> old_velocity = old_sums(visit.slot);
  const std::vector<double> now = velocity_sums(sums);
  const double mass = setup().total_mass();
  double drift[3] = {}, old_drift[3] = {};
  for (std::size_t t = 0; t < sums.types; ++t) {
    for (std::size_t a = 0; a < 3; ++a) {
      drift[a] += setup().type_masses[t] * now[3 * t + a];
      old_drift[a] += setup().type_masses[t] * old_velocity[3 * t + a];
    }
  }
  const std::span<double> values = window_row(visit.slot, visit.lag);
  for (std::size_t r = 0; r < reported_groups().size(); ++r) {
    const auto n = static_cast<double>(reported_groups()[r].atoms);
    for (std::size_t a = 0; a < 3; ++a) {
      const double v = drift[a] / mass, old_v = old_drift[a] / mass;
      double products = 0, sum = 0, old_sum = 0;
      for (const std::size_t t : reported_groups()[r].types) {
        products += sums.value(row, t, a);
        sum += now[3 * t + a];
        old_sum += old_velocity[3 * t + a];
      }
      values[3 * r + a] = (products - old_v * sum - v * old_sum + n * (v * old_v)) / n;
    }
  }
}

// Adds the correlation function of the window and its running integral to the averages.
void VelocityAutocorrelation::complete(Index slot, Index /*level*/) {
  const std::span<const double> window = origins().window(slot);
  const double half_step = 0.5 * time(1);
  std::vector<double> values;
  for (std::size_t r = 0; r < reported_groups().size(); ++r) {
    double integral = 0, before = 0;
    for (Index k = 0; k <= origins().plan().lags; ++k) {
      const double* const c =
          window.data() + (static_cast<std::size_t>(k) * reported_groups().size() + r) * 3;
      const double now = c[0] + (c[1] + c[2]);
      if (k > 0) integral += half_step * (before + now);
      values.push_back(now);
      values.push_back(integral / 3);
      before = now;
    }
  }
  averages_.add(values);
}

BlockedMean VelocityAutocorrelation::correlation(Index group, Index lag) const {
  return averages_.mean(series(group, lag));
}

BlockedMean VelocityAutocorrelation::diffusion(Index group, Index lag) const {
  return averages_.mean(series(group, lag) + 1);
}

std::vector<Estimate> VelocityAutocorrelation::estimates() const {
  std::vector<Estimate> all;
  if (averages_.count() == 0) return all;
  const Units& u = *setup().units;
  const Index end = origins().plan().lags;
  for (Index r = 0; r < static_cast<Index>(reported_groups().size()); ++r) {
    Estimate e = diffusion(r, end).estimate(
        fmt::format("{}.diffusion.{}", name(), reported_groups()[static_cast<std::size_t>(r)].name),
        unit_of({{u.length_name, 2}, {u.time_name, -1}}));
    prepend_remark(e, short_window_remark(correlation(r, end), correlation(r, 0)));
    all.push_back(std::move(e));
  }
  return all;
}

void VelocityAutocorrelation::save_averages(DatasetWriter& writer) const {
  writer.write(path() + "/sums", old_sums_);
  averages_.save(writer, path() + "/averages");
}

void VelocityAutocorrelation::restore_averages(DatasetReader& reader) {
  auto sums = reader.read<double>(path() + "/sums");
  if (sums.size() != old_sums_.size())
    throw IoError("the state of observer `" + name() + "` has other numbers of types or origins");
  old_sums_ = std::move(sums);
  averages_.restore(reader, path() + "/averages");
}

void VelocityAutocorrelation::write_results(DatasetWriter& writer) const {
  std::vector<std::string> types;
  std::vector<double> times;
  std::vector<Index> windows;
  std::vector<BlockedMean> correlations, diffusions;
  for (Index r = 0; r < static_cast<Index>(reported_groups().size()); ++r)
    for (Index k = 0; k <= origins().plan().lags; ++k) {
      types.push_back(reported_groups()[static_cast<std::size_t>(r)].name);
      times.push_back(time(k));
      windows.push_back(averages_.count());
      correlations.push_back(correlation(r, k));
      diffusions.push_back(diffusion(r, k));
    }
  const Units& u = *setup().units;
  ResultColumns table(writer, "observables/" + name(),
                      "velocity autocorrelation relative to the centre of mass of all atoms");
  table.texts("type", types);
  table.numbers("time", times, u.time_name, "time since the time origin");
  table.means("correlation", correlations, unit_of({{u.length_name, 2}, {u.time_name, -2}}),
              "mean of v(0) . v(t)");
  table.means("diffusion", diffusions, unit_of({{u.length_name, 2}, {u.time_name, -1}}),
              "a third of the integral of the correlation from 0 to t");
  table.counts("windows", windows, "time origins");
}

std::uint64_t VelocityAutocorrelation::digest() const {
  Digest digest;
  digest.add(name()).add(samples()).add(std::span<const double>(old_sums_));
  origins().add_to(digest);
  averages_.add_to(digest);
  return digest.value();
}

namespace {

ObserverPlan describe_velocity_autocorrelation(Section& s) {
  VelocityAutocorrelationConfig c;
  s.optional("lags", c.lags,
             {.doc = "number of lag times: 1, 2, … times `every` steps; the function must decay "
                     "within them, and `every` must be short compared with its decay",
              .minimum = 2,
              .maximum = 2e4});
  s.optional(
      "origins", c.origins,
      {.doc = "number of overlapping windows, a divisor of `lags`; each uses 24 bytes per atom",
       .minimum = 1,
       .maximum = 100});
  s.optional("types", c.types, {.doc = "atom types (default: all)"});
  ObserverPlan plan;
  plan.types = c.types;
  plan.validate = [c, keys = s.locations()] {
    if (c.lags % c.origins != 0)
      keys.fail("origins", fmt::format("{} does not divide `lags` = {}", c.origins, c.lags));
  };
  plan.make = [c](const ObserverArguments& run) {
    return std::make_unique<VelocityAutocorrelation>(run.name, run.steps, c, run.setup,
                                                     run.particles);
  };
  return plan;
}

}  // namespace

void register_velocity_autocorrelation(Registry& registry) {
  registry.extend(ObserverKind{"velocity_autocorrelation",
                               "velocity autocorrelation and diffusion coefficients",
                               describe_velocity_autocorrelation});
}

}  // namespace gsim::md
