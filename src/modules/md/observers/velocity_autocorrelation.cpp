#include "src/modules/md/observers/velocity_autocorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/sampling/atom_rows.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
/// By type: the velocities along x, y, z; their squares; then, for each look, their products with
/// those at the time origin.
struct VelocityAutocorrelation::Sums {
  std::size_t types;
  std::vector<ExactSum> sums;

  Sums(std::size_t type_count, std::size_t looks)
      : types(type_count), sums((2 + looks) * type_count * 3) {}
  double value(std::size_t which, std::size_t type, std::size_t axis) const {
    return sums[(which * types + type) * 3 + axis].value(sum_quantum);
  }
};

VelocityAutocorrelation::VelocityAutocorrelation(std::string name, const SampleSteps& steps,
                                                 const VelocityAutocorrelationConfig& config,
                                                 const ObserverSetup& setup, Particles& particles)
    : name_(std::move(name)),
      path_("observe/" + name_),
      steps_(steps),
      setup_(setup),
      particles_(particles),
      reports_(TypeGroups(setup, name_, config.types).reports()),
      origins_({config.lags, 1, config.origins}, 3 * static_cast<Index>(reports_.size()), name_),
      old_sums_(static_cast<std::size_t>(config.origins) * setup.type_masses.size() * 3),
      averages_(2 * static_cast<Index>(reports_.size()) * (config.lags + 1)) {
  for (Index s = 0; s < config.origins; ++s)
    velocity_.push_back(particles.store.add_column(fmt::format("{}/velocity{}", name_, s),
                                                   ElementType::float64, 3, Ghosts::none));
}

void VelocityAutocorrelation::observe(const Snapshot& snapshot) {
  if (steps_.index(snapshot.step) != samples_)
    throw Error("internal error: observer `" + name_ + "` has missed a step");
  const std::vector<TimeOrigins::Visit> visits = origins_.visits(samples_++);
  std::vector<TimeOrigins::Visit> looks;
  for (const auto& visit : visits)
    if (visit.lag > 0) looks.push_back(visit);
  if (visits.empty()) return;
  Sums sums(setup_.type_masses.size(), looks.size());
  snapshot.communicator.agree([&] { measure(snapshot, looks, sums); });
  snapshot.communicator.sum(sums.sums);
  const std::size_t stride = sums.types * 3;
  const auto old_of = [&](Index slot) {
    return old_sums_.data() + static_cast<std::size_t>(slot) * stride;
  };
  for (std::size_t k = 0; k < looks.size(); ++k) {
    record(looks[k].slot, looks[k].lag, sums, 2 + k, old_of(looks[k].slot));
    if (looks[k].lag == origins_.plan().lags) complete(looks[k].slot);
  }
  const std::vector<double> now = velocity_sums(sums);
  for (const auto& visit : visits)
    if (visit.begins) {
      copy_rows(particles_.store, particles_.velocity,
                velocity_[static_cast<std::size_t>(visit.slot)]);
      std::copy(now.begin(), now.end(), old_of(visit.slot));
      record(visit.slot, 0, sums, 1, now.data());
    }
}

std::vector<double> VelocityAutocorrelation::velocity_sums(const Sums& sums) const {
  std::vector<double> all;
  for (std::size_t t = 0; t < sums.types; ++t)
    for (std::size_t a = 0; a < 3; ++a) all.push_back(sums.value(0, t, a));
  return all;
}

void VelocityAutocorrelation::measure(const Snapshot& snapshot,
                                      const std::vector<TimeOrigins::Visit>& looks, Sums& sums) {
  ParticleStore& store = particles_.store;
  const Index n = snapshot.particles.locals();
  const HostRows<Vector3> now(store, particles_.velocity, n);
  const HostRows<std::int32_t> type(store, particles_.type, n);
  ThreadPool& pool = setup_.executor.pool();
  const std::size_t stride = sums.types * 3;
  const auto add_products = [&](std::size_t which, const HostRows<Vector3>* then) {
    sum_over_atoms(
        pool, n, std::span(sums.sums).subspan(which * stride, stride),
        [&](Index i, ExactSum* part) {
          ExactSum* const mine = part + static_cast<std::size_t>(type[i]) * 3;
          for (std::size_t a = 0; a < 3; ++a)
            mine[a].add(in_sum_quanta(now[i][a] * (then == nullptr ? 1.0 : (*then)[i][a])));
        });
  };
  add_products(0, nullptr);
  add_products(1, &now);
  for (std::size_t k = 0; k < looks.size(); ++k) {
    const HostRows<Vector3> then(store, velocity_[static_cast<std::size_t>(looks[k].slot)], n);
    add_products(2 + k, &then);
  }
}

// sum of (v - V) (v' - V') = sum of v v' - V' sum of v - V sum of v' + n V V'.
void VelocityAutocorrelation::record(Index slot, Index lag, const Sums& sums, std::size_t product,
                                     const double* old_velocity) {
  const std::vector<double> now = velocity_sums(sums);
  const double mass = setup_.total_mass();
  double drift[3] = {}, old_drift[3] = {};
  for (std::size_t t = 0; t < sums.types; ++t) {
    for (std::size_t a = 0; a < 3; ++a) {
      drift[a] += setup_.type_masses[t] * now[3 * t + a];
      old_drift[a] += setup_.type_masses[t] * old_velocity[3 * t + a];
    }
  }
  const std::size_t values = 3 * reports_.size();
  const std::span<double> row =
      origins_.window(slot).subspan(static_cast<std::size_t>(lag) * values, values);
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    const auto n = static_cast<double>(reports_[r].atoms);
    for (std::size_t a = 0; a < 3; ++a) {
      const double v = drift[a] / mass, old_v = old_drift[a] / mass;
      double products = 0, sum = 0, old_sum = 0;
      for (const std::size_t t : reports_[r].types) {
        products += sums.value(product, t, a);
        sum += now[3 * t + a];
        old_sum += old_velocity[3 * t + a];
      }
      row[3 * r + a] = (products - old_v * sum - v * old_sum + n * (v * old_v)) / n;
    }
  }
}

// The window's values and their running integrals as one value of the series.
void VelocityAutocorrelation::complete(Index slot) {
  const std::span<const double> window = origins_.window(slot);
  const double half_step = 0.5 * time(1);
  std::vector<double> values;
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    double integral = 0, before = 0;
    for (Index k = 0; k <= origins_.plan().lags; ++k) {
      const double* const c =
          window.data() + (static_cast<std::size_t>(k) * reports_.size() + r) * 3;
      const double now = c[0] + (c[1] + c[2]);
      if (k > 0) integral += half_step * (before + now);
      values.push_back(now);
      values.push_back(integral / 3);
      before = now;
    }
  }
  averages_.add(values);
}

BlockedMean VelocityAutocorrelation::correlation(Index report, Index lag) const {
  return averages_.mean(series(report, lag));
}

BlockedMean VelocityAutocorrelation::diffusion(Index report, Index lag) const {
  return averages_.mean(series(report, lag) + 1);
}

std::vector<Estimate> VelocityAutocorrelation::estimates() const {
  std::vector<Estimate> all;
  if (averages_.count() == 0) return all;
  const Units& u = *setup_.units;
  const Index end = origins_.plan().lags;
  for (Index r = 0; r < static_cast<Index>(reports_.size()); ++r) {
    Estimate e = diffusion(r, end).estimate(
        fmt::format("{}.diffusion.{}", name_, reports_[static_cast<std::size_t>(r)].name),
        unit_of({{u.length_name, 2}, {u.time_name, -1}}));
    prepend_remark(e, undecayed(e.name, correlation(r, end), correlation(r, 0)));
    all.push_back(std::move(e));
  }
  return all;
}

void VelocityAutocorrelation::save(DatasetWriter& writer) const {
  const ParticleStore& store = particles_.store;
  writer.write(path_ + "/samples", samples_);
  writer.write(path_ + "/sums", old_sums_);
  origins_.save(writer, path_ + "/windows");
  averages_.save(writer, path_ + "/averages");
  for (const ColumnId c : velocity_)
    save_rows(writer, "observe/" + store.column(c).name, setup_.communicator, store, c,
              setup_.atoms);
}

void VelocityAutocorrelation::restore(DatasetReader& reader) {
  ParticleStore& store = particles_.store;
  samples_ = reader.read_value<Index>(path_ + "/samples");
  auto sums = reader.read<double>(path_ + "/sums");
  if (sums.size() != old_sums_.size())
    throw IoError("the state of observer `" + name_ + "` has other types or origins");
  old_sums_ = std::move(sums);
  origins_.restore(reader, path_ + "/windows");
  averages_.restore(reader, path_ + "/averages");
  for (const ColumnId c : velocity_)
    restore_rows(reader, "observe/" + store.column(c).name, setup_.communicator, store, c,
                 setup_.atoms);
}

void VelocityAutocorrelation::write_results(DatasetWriter& writer) const {
  std::vector<std::string> types;
  std::vector<double> times;
  std::vector<Index> windows;
  std::vector<BlockedMean> correlations, diffusions;
  for (Index r = 0; r < static_cast<Index>(reports_.size()); ++r)
    for (Index k = 0; k <= origins_.plan().lags; ++k) {
      types.push_back(reports_[static_cast<std::size_t>(r)].name);
      times.push_back(time(k));
      windows.push_back(averages_.count());
      correlations.push_back(correlation(r, k));
      diffusions.push_back(diffusion(r, k));
    }
  const Units& u = *setup_.units;
  ResultColumns table(writer, "observables/" + name_,
                      "velocity autocorrelation, without the motion of all atoms' centre of mass");
  table.words("type", types);
  table.numbers("time", times, u.time_name, "from the time origin");
  table.means("correlation", correlations, unit_of({{u.length_name, 2}, {u.time_name, -2}}),
              "mean of v(0) . v(t)");
  table.means("diffusion", diffusions, unit_of({{u.length_name, 2}, {u.time_name, -1}}),
              "a third of its integral from 0 to t");
  table.counts("windows", windows, "time origins");
}

std::uint64_t VelocityAutocorrelation::digest() const {
  Digest digest;
  digest.add(name_).add(samples_).add(std::span<const double>(old_sums_));
  origins_.add_to(digest);
  averages_.add_to(digest);
  return digest.value();
}

}  // namespace gsim::md
