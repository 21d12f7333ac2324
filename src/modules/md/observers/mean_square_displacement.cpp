#include "src/modules/md/observers/mean_square_displacement.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {
namespace {

/// A level has enough windows for the error of its diffusion coefficient from this number on.
constexpr Index min_windows = 4;

/// The unwrapped difference `to - from` of two fixed-point coordinates along one axis, in their
/// units, 2^-64 of the period; `crossings`: change of the image flag.
double unwrapped(std::uint64_t to, std::uint64_t from, std::int32_t crossings) {
  const std::uint64_t low = to - from;
  const auto nearest = static_cast<std::int64_t>(low);
  const std::int64_t periods =
      std::int64_t{crossings} - (to < from ? 1 : 0) + (nearest < 0 ? 1 : 0);
  return static_cast<double>(periods) * 0x1p64 + static_cast<double>(nearest);
}

/// Weights of the components x, y and z in the sum that is the part `part`.
std::array<double, 3> weights_of(MeanSquareDisplacement::Part part) {
  std::array<double, 3> w{1, 1, 1};
  if (part != MeanSquareDisplacement::Part::all)
    for (std::size_t a = 0; a < 3; ++a) w[a] = a == static_cast<std::size_t>(part) ? 1.0 : 0.0;
  return w;
}

}  // namespace

// The sums for each lag and type are those of displacements along x, y, z, and of their squares.
MeanSquareDisplacement::MeanSquareDisplacement(std::string name, const SampleSteps& steps,
                                               const DisplacementConfig& config,
                                               const ObserverSetup& setup, Particles& particles)
    : TimeCorrelation(std::move(name), steps, config.plan, config.types, {.rows = 0, .terms = 6},
                      setup, particles) {
  const auto count = static_cast<Index>(reported_groups().size()) * (config.plan.lags + 1);
  for (Index l = 0; l < config.plan.levels; ++l) averages_.emplace_back(count, 3);
  // Copies 0 and 1, for at_origin().
  copy_at_origins("position", particles.store.position(), ElementType::uint64, 3);
  copy_at_origins("image", particles.image, ElementType::int32, 3);
}

void MeanSquareDisplacement::measure(const Snapshot& snapshot,
                                     std::span<const TimeOrigins::Visit> measured, Sums& sums) {
  ParticleStore& store = snapshot.particles.store;
  const Index n = store.locals();
  const std::array<double, 6> m = snapshot.box.matrix(64);
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const HostColumn<FixedPosition> now(store, store.position(), n),
        then(store, at_origin(0, measured[k].slot), n);
    const HostColumn<ImageCount> image(store, snapshot.particles.image, n),
        old_image(store, at_origin(1, measured[k].slot), n);
    const HostColumn<std::int32_t> type(store, snapshot.particles.type, n);
    sum_over_atoms(setup().executor.pool(), n, sums.row(k), [&](Index i, ExactSum* part) {
      double f[3];
      for (std::size_t a = 0; a < 3; ++a)
        f[a] = unwrapped(now[i].x[a], then[i].x[a], image[i][a] - old_image[i][a]);
      const double d[3] = {m[0] * f[0] + (m[3] * f[1] + m[4] * f[2]), m[1] * f[1] + m[5] * f[2],
                           m[2] * f[2]};
      ExactSum* const sums_of_type = part + static_cast<std::size_t>(type[i]) * sums.terms;
      for (std::size_t a = 0; a < 3; ++a) {
        sums_of_type[a].add(in_sum_quanta(d[a]));
        sums_of_type[3 + a].add(in_sum_quanta(d[a] * d[a]));
      }
    });
  }
}

void MeanSquareDisplacement::record(const TimeOrigins::Visit& visit, const Sums& sums,
                                    std::size_t row) {
  const double mass = setup().total_mass();
  double drift[3] = {};
  for (std::size_t t = 0; t < sums.types; ++t)
    for (std::size_t a = 0; a < 3; ++a) drift[a] += setup().type_masses[t] * sums.value(row, t, a);
  const std::span<double> values = window_row(visit.slot, visit.lag);
  for (std::size_t r = 0; r < reported_groups().size(); ++r) {
    const auto n = static_cast<double>(reported_groups()[r].atoms);
    for (std::size_t a = 0; a < 3; ++a) {
      const double shift = drift[a] / mass;
      double sum = 0, squares = 0;
      for (const std::size_t t : reported_groups()[r].types) {
        sum += sums.value(row, t, a);
        squares += sums.value(row, t, 3 + a);
      }
      values[3 * r + a] = (squares - shift * (2 * sum - n * shift)) / n;
    }
  }
}

// Adds the displacements at all lags of the window, and their slope, to the averages of its level.
void MeanSquareDisplacement::complete(Index slot, Index level) {
  const Index lags = origins().plan().lags, first = lags / 2;
  const std::span<const double> window = origins().window(slot);
  const auto msd = [&](Index lag, std::size_t r, std::size_t a) {
    return window[(static_cast<std::size_t>(lag) * reported_groups().size() + r) * 3 + a];
  };
  double mean_time = 0, time_variance = 0;
  const auto n = static_cast<double>(lags - first + 1);
  for (Index k = first; k <= lags; ++k) mean_time += time(level, k) / n;
  for (Index k = first; k <= lags; ++k)
    time_variance += (time(level, k) - mean_time) * (time(level, k) - mean_time);
  std::vector<double> values;
  for (std::size_t r = 0; r < reported_groups().size(); ++r) {
    for (Index k = 1; k <= lags; ++k)
      for (std::size_t a = 0; a < 3; ++a) values.push_back(msd(k, r, a));
    for (std::size_t a = 0; a < 3; ++a) {
      double slope = 0;
      for (Index k = first; k <= lags; ++k)
        slope += msd(k, r, a) * (time(level, k) - mean_time) / time_variance;
      values.push_back(slope / 2);
    }
  }
  averages_[static_cast<std::size_t>(level)].add(values);
}

BlockedMean MeanSquareDisplacement::displacement(Index group, Index level, Index lag,
                                                 Part part) const {
  return averages_[static_cast<std::size_t>(level)].mean(series(group, lag), weights_of(part));
}

BlockedMean MeanSquareDisplacement::diffusion(Index group, Index level, Part part) const {
  std::array<double, 3> w = weights_of(part);
  if (part == Part::all) w = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  return averages_[static_cast<std::size_t>(level)].mean(series(group, origins().plan().lags + 1),
                                                         w);
}

std::vector<Estimate> MeanSquareDisplacement::estimates() const {
  std::vector<Estimate> all;
  const Units& u = *setup().units;
  for (std::size_t r = 0; r < reported_groups().size(); ++r) {
    // The level with the longest windows that has enough of them: shorter windows have smaller
    // errors but include the ballistic regime.
    Index chosen = -1;
    for (Index l = 0; l < origins().plan().levels; ++l) {
      const Index windows = averages_[static_cast<std::size_t>(l)].count();
      if (windows >= min_windows || (chosen < 0 && windows > 0)) chosen = l;
    }
    if (chosen < 0) continue;
    Estimate e = diffusion(static_cast<Index>(r), chosen)
                     .estimate(fmt::format("{}.diffusion.{}", name(), reported_groups()[r].name),
                               unit_of({{u.length_name, 2}, {u.time_name, -1}}));
    prepend_remark(
        e, fmt::format("slope from t = {:.4g} to {:.4g}", time(chosen, origins().plan().lags / 2),
                       time(chosen, origins().plan().lags)));
    all.push_back(std::move(e));
  }
  return all;
}

void MeanSquareDisplacement::save_averages(DatasetWriter& writer) const {
  for (std::size_t l = 0; l < averages_.size(); ++l)
    averages_[l].save(writer, fmt::format("{}/level{}", path(), l));
}

void MeanSquareDisplacement::restore_averages(DatasetReader& reader) {
  for (std::size_t l = 0; l < averages_.size(); ++l)
    averages_[l].restore(reader, fmt::format("{}/level{}", path(), l));
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
  for (Index r = 0; r < static_cast<Index>(reported_groups().size()); ++r)
    for (Index l = 0; l < origins().plan().levels; ++l)
      for (Index k = l == 0 ? 1 : 2; k <= origins().plan().lags;
           ++k) {  // lag 1 equals the last lag of the previous level
        types.push_back(reported_groups()[static_cast<std::size_t>(r)].name);
        times.push_back(time(l, k));
        windows.push_back(averages_[static_cast<std::size_t>(l)].count());
        for (std::size_t p = 0; p < 4; ++p)
          means[p].push_back(displacement(r, l, k, static_cast<Part>(p)));
      }
  const std::string unit = unit_of({{setup().units->length_name, 2}});
  ResultColumns table(writer, "observables/" + name() + "/displacement",
                      "mean-square displacement relative to the centre of mass of all atoms");
  table.texts("type", types);
  table.numbers("time", times, setup().units->time_name, "time since the time origin");
  table.means("msd", means[3], unit, "mean-square displacement");
  table.means("msd_x", means[0], unit, "component along x");
  table.means("msd_y", means[1], unit, "component along y");
  table.means("msd_z", means[2], unit, "component along z");
  table.counts("windows", windows, "time origins");
}

void MeanSquareDisplacement::write_diffusion(DatasetWriter& writer) const {
  std::vector<std::string> types;
  std::vector<double> from, to;
  std::vector<Index> windows;
  std::array<std::vector<BlockedMean>, 4> means;
  const Index lags = origins().plan().lags;
  for (Index r = 0; r < static_cast<Index>(reported_groups().size()); ++r)
    for (Index l = 0; l < origins().plan().levels; ++l) {
      types.push_back(reported_groups()[static_cast<std::size_t>(r)].name);
      from.push_back(time(l, lags / 2));
      to.push_back(time(l, lags));
      windows.push_back(averages_[static_cast<std::size_t>(l)].count());
      for (std::size_t p = 0; p < 4; ++p) means[p].push_back(diffusion(r, l, static_cast<Part>(p)));
    }
  const std::string unit =
      unit_of({{setup().units->length_name, 2}, {setup().units->time_name, -1}});
  ResultColumns table(writer, "observables/" + name() + "/diffusion",
                      "diffusion coefficient from the Einstein relation");
  table.texts("type", types);
  table.numbers("from_time", from, setup().units->time_name, "first lag of the fitted slope");
  table.numbers("to_time", to, setup().units->time_name, "last lag of the fitted slope");
  table.means("diffusion", means[3], unit, "a sixth of the slope of the mean-square displacement");
  table.means("diffusion_x", means[0], unit, "half the slope along x");
  table.means("diffusion_y", means[1], unit, "half the slope along y");
  table.means("diffusion_z", means[2], unit, "half the slope along z");
  table.counts("windows", windows, "time origins");
}

std::uint64_t MeanSquareDisplacement::digest() const {
  Digest digest;
  digest.add(name()).add(samples());
  origins().add_to(digest);
  for (const Blocking& b : averages_) b.add_to(digest);
  return digest.value();
}

namespace {

ObserverPlan describe_mean_square_displacement(Section& s) {
  DisplacementConfig c;
  s.optional("lags", c.plan.lags,
             {.doc = "number of lag times of a level: 1, 2, … times its spacing, which is `every` "
                     "steps at the first level and `lags` times longer at each further level",
              .minimum = 2,
              .maximum = 1e4});
  s.optional("levels", c.plan.levels,
             {.doc = "number of levels; the longest lag time is lags^levels times `every` steps",
              .minimum = 1,
              .maximum = 16});
  s.optional(
      "origins", c.plan.origins,
      {.doc = "number of overlapping windows of a level, a divisor of `lags`; each uses 36 bytes "
              "for each atom",
       .minimum = 1,
       .maximum = 100});
  s.optional("types", c.types, {.doc = "atom types (default: all)"});
  ObserverPlan plan;
  plan.types = c.types;
  plan.validate = [origins = c.plan, keys = s.locations()] {
    if (const PlanProblem problem = problem_of(origins); problem.key != nullptr)
      keys.fail(problem.key, problem.what);
  };
  plan.make = [c](const ObserverArguments& run) {
    return std::make_unique<MeanSquareDisplacement>(run.name, run.steps, c, run.setup,
                                                    run.particles);
  };
  return plan;
}

}  // namespace

void register_mean_square_displacement(Registry& registry) {
  registry.extend(ObserverKind{"mean_square_displacement",
                               "mean-square displacements and diffusion coefficients",
                               describe_mean_square_displacement});
}

}  // namespace gsim::md
