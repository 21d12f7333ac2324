#include "src/modules/md/observers/mean_square_displacement.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/correlations/atom_sums.hpp"
#include "src/modules/md/sampling/atom_rows.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
namespace {

constexpr Index fewest_windows = 4;

/// `to - from` along one axis in 2^-64 of the integers' range, boundary crossings included.
double unwrapped(std::uint64_t to, std::uint64_t from, std::int32_t crossings) {
  const std::uint64_t low = to - from;
  const auto nearest = static_cast<std::int64_t>(low);
  const std::int64_t turns = std::int64_t{crossings} - (to < from ? 1 : 0) + (nearest < 0 ? 1 : 0);
  return static_cast<double>(turns) * 0x1p64 + static_cast<double>(nearest);
}

std::array<double, 3> weights_of(MeanSquareDisplacement::Part part) {
  std::array<double, 3> w{1, 1, 1};
  if (part != MeanSquareDisplacement::Part::all)
    for (std::size_t a = 0; a < 3; ++a) w[a] = a == static_cast<std::size_t>(part) ? 1.0 : 0.0;
  return w;
}

}  // namespace

/// By look and type: displacement along x, y, z, and the squares.
struct MeanSquareDisplacement::Sums {
  static constexpr std::size_t terms = 6;
  std::size_t types;
  std::vector<ExactSum> sums;

  std::span<ExactSum> of(Index which) {
    return std::span(sums).subspan(static_cast<std::size_t>(which) * types * terms, types * terms);
  }
  double value(Index which, std::size_t type, std::size_t term) const {
    return sums[(static_cast<std::size_t>(which) * types + type) * terms + term].value(sum_quantum);
  }
};

MeanSquareDisplacement::MeanSquareDisplacement(std::string name, const SampleSteps& steps,
                                               const DisplacementConfig& config,
                                               const ObserverSetup& setup, Particles& particles)
    : name_(std::move(name)),
      path_("observe/" + name_),
      steps_(steps),
      setup_(setup),
      particles_(particles),
      reports_(TypeGroups(setup, name_, config.types).reports()),
      origins_(config.plan, 3 * static_cast<Index>(reports_.size()), name_) {
  const auto count = static_cast<Index>(reports_.size()) * (config.plan.lags + 1);
  for (Index l = 0; l < config.plan.levels; ++l) averages_.emplace_back(count, 3);
  ParticleStore& store = particles.store;
  for (Index s = 0; s < config.plan.slots(); ++s) {
    position_.push_back(store.add_column(fmt::format("{}/position{}", name_, s),
                                         ElementType::uint64, 3, Ghosts::none));
    image_.push_back(
        store.add_column(fmt::format("{}/image{}", name_, s), ElementType::int32, 3, Ghosts::none));
  }
}

void MeanSquareDisplacement::observe(const Snapshot& snapshot) {
  if (steps_.index(snapshot.step) != samples_)
    throw Error("internal error: observer `" + name_ + "` has missed a step");
  std::vector<TimeOrigins::Visit> looks;
  const std::vector<TimeOrigins::Visit> visits = origins_.visits(samples_++);
  for (const auto& visit : visits)
    if (visit.lag > 0) looks.push_back(visit);
  Sums sums{setup_.type_masses.size(), {}};
  sums.sums.resize(looks.size() * sums.types * Sums::terms);
  snapshot.communicator.agree([&] {
    for (std::size_t k = 0; k < looks.size(); ++k) {
      Sums one{sums.types, std::vector<ExactSum>(sums.types * Sums::terms)};
      measure(snapshot, looks[k], one);
      std::copy(one.sums.begin(), one.sums.end(), sums.of(static_cast<Index>(k)).begin());
    }
  });
  snapshot.communicator.sum(sums.sums);
  for (std::size_t k = 0; k < looks.size(); ++k) record(looks[k], sums, static_cast<Index>(k));
  for (const auto& visit : visits)
    if (visit.begins) {
      const auto slot = static_cast<std::size_t>(visit.slot);
      copy_rows(particles_.store, particles_.store.position(), position_[slot]);
      copy_rows(particles_.store, particles_.image, image_[slot]);
    }
}

void MeanSquareDisplacement::measure(const Snapshot& snapshot, const TimeOrigins::Visit& visit,
                                     Sums& sums) {
  ParticleStore& store = particles_.store;
  const Index n = store.locals();
  const auto slot = static_cast<std::size_t>(visit.slot);
  const HostRows<FixedPosition> now(store, store.position(), n), then(store, position_[slot], n);
  const HostRows<ImageCount> image(store, particles_.image, n), old_image(store, image_[slot], n);
  const HostRows<std::int32_t> type(store, particles_.type, n);
  const std::array<double, 6> m = snapshot.box.metric(64);
  sum_over_atoms(setup_.executor.pool(), n, sums.sums, [&](Index i, ExactSum* part) {
    double f[3];
    for (std::size_t a = 0; a < 3; ++a)
      f[a] = unwrapped(now[i].x[a], then[i].x[a], image[i][a] - old_image[i][a]);
    const double d[3] = {m[0] * f[0] + (m[3] * f[1] + m[4] * f[2]), m[1] * f[1] + m[5] * f[2],
                         m[2] * f[2]};
    ExactSum* const mine = part + static_cast<std::size_t>(type[i]) * Sums::terms;
    for (std::size_t a = 0; a < 3; ++a) {
      mine[a].add(in_sum_quanta(d[a]));
      mine[3 + a].add(in_sum_quanta(d[a] * d[a]));
    }
  });
}

void MeanSquareDisplacement::record(const TimeOrigins::Visit& visit, const Sums& sums,
                                    Index which) {
  const double mass = setup_.total_mass();
  double drift[3] = {};
  for (std::size_t t = 0; t < sums.types; ++t)
    for (std::size_t a = 0; a < 3; ++a) drift[a] += setup_.type_masses[t] * sums.value(which, t, a);
  const std::size_t values = 3 * reports_.size();
  const std::span<double> row =
      origins_.window(visit.slot).subspan(static_cast<std::size_t>(visit.lag) * values, values);
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    const auto n = static_cast<double>(reports_[r].atoms);
    for (std::size_t a = 0; a < 3; ++a) {
      const double shift = drift[a] / mass;
      double sum = 0, squares = 0;
      for (const std::size_t t : reports_[r].types) {
        sum += sums.value(which, t, a);
        squares += sums.value(which, t, 3 + a);
      }
      row[3 * r + a] = (squares - shift * (2 * sum - n * shift)) / n;
    }
  }
  if (visit.lag == origins_.plan().lags) complete(visit.slot, visit.level);
}

// The window's lags and slopes as one value of the level's series.
void MeanSquareDisplacement::complete(Index slot, Index level) {
  const Index lags = origins_.plan().lags, first = lags / 2;
  const std::span<const double> window = origins_.window(slot);
  const auto msd = [&](Index lag, std::size_t r, std::size_t a) {
    return window[(static_cast<std::size_t>(lag) * reports_.size() + r) * 3 + a];
  };
  double mean_time = 0, spread = 0;
  const auto n = static_cast<double>(lags - first + 1);
  for (Index k = first; k <= lags; ++k) mean_time += time(level, k) / n;
  for (Index k = first; k <= lags; ++k)
    spread += (time(level, k) - mean_time) * (time(level, k) - mean_time);
  std::vector<double> values;
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    for (Index k = 1; k <= lags; ++k)
      for (std::size_t a = 0; a < 3; ++a) values.push_back(msd(k, r, a));
    for (std::size_t a = 0; a < 3; ++a) {
      double slope = 0;
      for (Index k = first; k <= lags; ++k)
        slope += msd(k, r, a) * (time(level, k) - mean_time) / spread;
      values.push_back(slope / 2);
    }
  }
  averages_[static_cast<std::size_t>(level)].add(values);
}

double MeanSquareDisplacement::time(Index level, Index lag) const {
  return static_cast<double>(lag * origins_.plan().stride(level) * steps_.every) * setup_.time_step;
}

BlockedMean MeanSquareDisplacement::displacement(Index report, Index level, Index lag,
                                                 Part part) const {
  return averages_[static_cast<std::size_t>(level)].mean(series(report, lag), weights_of(part));
}

BlockedMean MeanSquareDisplacement::diffusion(Index report, Index level, Part part) const {
  std::array<double, 3> w = weights_of(part);
  if (part == Part::all) w = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  return averages_[static_cast<std::size_t>(level)].mean(series(report, origins_.plan().lags + 1),
                                                         w);
}

std::vector<Estimate> MeanSquareDisplacement::estimates() const {
  std::vector<Estimate> all;
  const Units& u = *setup_.units;
  for (std::size_t r = 0; r < reports_.size(); ++r) {
    // Of the longest windows that came a few times: shorter ones have smaller errors, but also what
    // atoms do before they diffuse.
    Index chosen = -1;
    for (Index l = 0; l < origins_.plan().levels; ++l) {
      const Index windows = averages_[static_cast<std::size_t>(l)].count();
      if (windows >= fewest_windows || (chosen < 0 && windows > 0)) chosen = l;
    }
    if (chosen < 0) continue;
    Estimate e = diffusion(static_cast<Index>(r), chosen)
                     .estimate(fmt::format("{}.diffusion.{}", name_, reports_[r].name),
                               unit_of({{u.length_name, 2}, {u.time_name, -1}}));
    prepend_remark(
        e, fmt::format("{}: slope from t = {:.4g} to {:.4g}", e.name,
                       time(chosen, origins_.plan().lags / 2), time(chosen, origins_.plan().lags)));
    all.push_back(std::move(e));
  }
  return all;
}

void MeanSquareDisplacement::save(DatasetWriter& writer) const {
  const ParticleStore& store = particles_.store;
  writer.write(path_ + "/samples", samples_);
  origins_.save(writer, path_ + "/windows");
  for (std::size_t l = 0; l < averages_.size(); ++l)
    averages_[l].save(writer, fmt::format("{}/level{}", path_, l));
  for (std::size_t s = 0; s < position_.size(); ++s)
    for (const ColumnId c : {position_[s], image_[s]})
      save_rows(writer, "observe/" + store.column(c).name, setup_.communicator, store, c,
                setup_.atoms);
}

void MeanSquareDisplacement::restore(DatasetReader& reader) {
  ParticleStore& store = particles_.store;
  samples_ = reader.read_value<Index>(path_ + "/samples");
  origins_.restore(reader, path_ + "/windows");
  for (std::size_t l = 0; l < averages_.size(); ++l)
    averages_[l].restore(reader, fmt::format("{}/level{}", path_, l));
  for (std::size_t s = 0; s < position_.size(); ++s)
    for (const ColumnId c : {position_[s], image_[s]})
      restore_rows(reader, "observe/" + store.column(c).name, setup_.communicator, store, c,
                   setup_.atoms);
}

void MeanSquareDisplacement::write_results(DatasetWriter& writer) const {
  write_displacements(writer);
  write_diffusion(writer);
}

void MeanSquareDisplacement::write_displacements(DatasetWriter& writer) const {
  std::vector<std::string> types;
  std::vector<double> times;
  std::vector<Index> windows;
  std::array<std::vector<BlockedMean>, 4> means;
  for (Index r = 0; r < static_cast<Index>(reports_.size()); ++r)
    for (Index l = 0; l < origins_.plan().levels; ++l)
      for (Index k = l == 0 ? 1 : 2; k <= origins_.plan().lags; ++k) {  // lag 1 is below's last
        types.push_back(reports_[static_cast<std::size_t>(r)].name);
        times.push_back(time(l, k));
        windows.push_back(averages_[static_cast<std::size_t>(l)].count());
        for (std::size_t p = 0; p < 4; ++p)
          means[p].push_back(displacement(r, l, k, static_cast<Part>(p)));
      }
  const std::string unit = unit_of({{setup_.units->length_name, 2}});
  ResultColumns table(writer, "observables/" + name_ + "/displacement",
                      "mean-square displacement, without the drift of all atoms' centre of mass");
  table.words("type", types);
  table.numbers("time", times, setup_.units->time_name, "from the time origin");
  table.means("msd", means[3], unit, "mean-square displacement");
  table.means("msd_x", means[0], unit, "its part along x");
  table.means("msd_y", means[1], unit, "its part along y");
  table.means("msd_z", means[2], unit, "its part along z");
  table.counts("windows", windows, "time origins");
}

void MeanSquareDisplacement::write_diffusion(DatasetWriter& writer) const {
  std::vector<std::string> types;
  std::vector<double> from, to;
  std::vector<Index> windows;
  std::array<std::vector<BlockedMean>, 4> means;
  const Index lags = origins_.plan().lags;
  for (Index r = 0; r < static_cast<Index>(reports_.size()); ++r)
    for (Index l = 0; l < origins_.plan().levels; ++l) {
      types.push_back(reports_[static_cast<std::size_t>(r)].name);
      from.push_back(time(l, lags / 2));
      to.push_back(time(l, lags));
      windows.push_back(averages_[static_cast<std::size_t>(l)].count());
      for (std::size_t p = 0; p < 4; ++p) means[p].push_back(diffusion(r, l, static_cast<Part>(p)));
    }
  const std::string unit = unit_of({{setup_.units->length_name, 2}, {setup_.units->time_name, -1}});
  ResultColumns table(writer, "observables/" + name_ + "/diffusion",
                      "diffusion coefficient by Einstein's relation");
  table.words("type", types);
  table.numbers("from_time", from, setup_.units->time_name, "first lag of the fitted slope");
  table.numbers("to_time", to, setup_.units->time_name, "last lag of the fitted slope");
  table.means("diffusion", means[3], unit, "a sixth of the slope");
  table.means("diffusion_x", means[0], unit, "half the slope along x");
  table.means("diffusion_y", means[1], unit, "half the slope along y");
  table.means("diffusion_z", means[2], unit, "half the slope along z");
  table.counts("windows", windows, "time origins");
}

std::uint64_t MeanSquareDisplacement::digest() const {
  Digest digest;
  digest.add(name_).add(samples_);
  origins_.add_to(digest);
  for (const Blocking& b : averages_) b.add_to(digest);
  return digest.value();
}

}  // namespace gsim::md
