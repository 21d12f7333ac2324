// Tables of the assets' dynamics for the schemes of kernels/pricing/path_models, with one entry per
// step, computed in double with gsim's own functions. Which tables an asset has follows from the
// members of AssetDynamics that its path model has set.

#include <algorithm>
#include <string>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/math/elementary.hpp"
#include "src/modules/pricing/paths/asset_step_constants.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
namespace {

/// The constants of a step of Heston's variance, rounded to T.
template <class T>
QeStep<T> rounded_qe_step(const AssetDynamics& a, double dt) {
  const QeStep<double> c = qe_step(a, dt);
  const auto rounded = [](double number) { return static_cast<T>(number); };
  return {rounded(c.decay), rounded(c.mean_offset), rounded(c.s2_slope), rounded(c.s2_offset),
          rounded(c.k0),    rounded(c.k1),          rounded(c.k2),       rounded(c.k3),
          rounded(c.k4),    rounded(c.a),           rounded(c.half_k3),  rounded(c.half_dt)};
}

/// The exponent by which the jumps of a step are tilted, rounded to T as in kernels.
template <class T>
double tilt_of(const AssetDynamics& a, std::size_t step) {
  return a.jump_tilt.empty() ? 0 : static_cast<double>(static_cast<T>(a.jump_tilt[step]));
}

/// E[e^(theta J)] of a jump J of the log-spot.
double jump_moment(const AssetDynamics& a, double theta) {
  return exp<Strict>(theta * a.jump_mean + 0.5 * theta * theta * a.jump_sd * a.jump_sd);
}

/// Expected numbers of jumps in each step.
template <class T>
std::vector<double> mean_jump_counts(const AssetDynamics& a, const std::vector<double>& dt) {
  std::vector<double> means;
  for (std::size_t k = 0; k < dt.size(); ++k) {
    means.push_back(a.jump_intensity * dt[k]);
    if (!a.jump_tilt.empty()) means.back() *= jump_moment(a, tilt_of<T>(a, k));
  }
  return means;
}

/// Whether a log-spot that deviates from its drift by at most `reach` is in the range of
/// exp_bounded<T>.
template <class T>
bool is_bounded(const std::vector<double>& drift, double reach) {
  for (const double d : drift) reach += d < 0 ? -d : d;
  return reach < (sizeof(T) == 8 ? 690.0 : 85.0);
}

/// Twelve standard deviations of the log-spot of a lognormal asset at the end of the paths.
double lognormal_reach(const std::vector<double>& variance) {
  double total = 0;
  for (const double v : variance) total += v;
  return 12 * sqrt(total);
}

/// The two rows of a local-volatility grid around a time, and the weight of the later one.
struct TimeInterpolation {
  std::size_t low, high;
  double weight;
};

TimeInterpolation interpolation_at(const std::vector<double>& grid_times, double t) {
  const std::size_t rows = grid_times.size();
  std::size_t after = 0;
  while (after < rows && grid_times[after] <= t) ++after;
  const std::size_t low = after == 0 ? 0 : after - 1, high = std::min(after, rows - 1);
  const double span = grid_times[high] - grid_times[low];
  return {low, high, high > low ? (t - grid_times[low]) / span : 0.0};
}

/// Repeats the last entry of a table with one entry per step: loops over groups of up to four steps
/// also read the entries of the steps that complete the last group.
template <class Value>
std::vector<Value> completed(std::vector<Value> table) {
  table.resize((table.size() + 3) / 4 * 4, table.back());
  return table;
}

/// The constants of the asset and of its steps that a functor reads.
template <class T>
PathModelTerms<T> pack_terms(TablePacker& packer, const AssetDynamics& a) {
  PathModelTerms<T> terms{};
  terms.number = packer.add_rounded<T>(a.numbers);
  terms.step = packer.add_rounded<T>(a.step_numbers);
  terms.step_numbers = static_cast<std::int32_t>(a.step_numbers.size() / a.drift_step.size());
  return terms;
}

}  // namespace

// Sigma is linear in t between the given times and constant outside. For a volatility that depends
// on time alone, the steps are exact.
std::vector<double> local_volatility_of_steps(const AssetDynamics& a,
                                              const std::vector<double>& times) {
  const std::size_t points = a.lv_log_spots.size(), rows = a.lv_times.size();
  GSIM_VALIDATE(points >= 2 && rows >= 1 && a.lv_volatility.size() == points * rows,
                "a local-volatility grid needs one time and two spots at least, and one value "
                "per grid point",
                "check the grid");
  const auto value = [&](const TimeInterpolation& p, std::size_t j) {
    const double y0 = a.lv_volatility[p.low * points + j];
    return y0 + p.weight * (a.lv_volatility[p.high * points + j] - y0);
  };
  std::vector<double> table;
  double from = 0;
  for (const double to : times) {
    std::vector<double> ends;  // sigma is linear between them
    for (const double t : a.lv_times)
      if (t > from && t < to) ends.push_back(t);
    ends.push_back(to);
    std::vector<double> sums(points, 0.0);
    double begin = from;
    for (const double end : ends) {
      const TimeInterpolation p = interpolation_at(a.lv_times, begin);
      const TimeInterpolation q = interpolation_at(a.lv_times, end);
      for (std::size_t j = 0; j < points; ++j) {
        const double y = value(p, j), z = value(q, j);
        sums[j] += (end - begin) * (y * y + y * z + z * z) / 3;
      }
      begin = end;
    }
    for (const double sum : sums) table.push_back(sqrt(sum / (to - from)));
    from = to;
  }
  return table;
}

template <class T>
void pack_tangents(TablePacker& packer, const std::vector<AssetTangent>& tangents, Index& first,
                   Index asset, AssetTable<T>& table) {
  table.first_tangent = static_cast<std::int32_t>(first);
  std::vector<PathTangent<T>> list;
  for (; first < static_cast<Index>(tangents.size()); ++first) {
    const AssetTangent& t = tangents[static_cast<std::size_t>(first)];
    if (t.asset != asset) break;
    std::vector<std::int32_t> rows;
    std::vector<double> deviations;
    std::int32_t next_row = 0;
    for (const std::vector<double>& of_step : t.deviations) {
      rows.push_back(of_step.empty() ? -1 : next_row++);
      deviations.insert(deviations.end(), of_step.begin(), of_step.end());
    }
    list.push_back({static_cast<T>(t.start), t.row, packer.add_rounded<T>(t.drift),
                    packer.add_rounded<T>(t.deviation), packer.add(rows),
                    packer.add_rounded<T>(deviations)});
  }
  table.tangents = static_cast<std::int32_t>(list.size());
  table.tangent = packer.add(list);
}

template void pack_tangents(TablePacker&, const std::vector<AssetTangent>&, Index&, Index,
                            AssetTable<double>&);
template void pack_tangents(TablePacker&, const std::vector<AssetTangent>&, Index&, Index,
                            AssetTable<float>&);

template <class T>
AssetTable<T> pack_asset(TablePacker& packer, const Simulation& simulation, Index index,
                         const AssetRows& rows, Index second_normal) {
  const AssetDynamics& a = simulation.assets[static_cast<std::size_t>(index)];
  const std::vector<double> dt = step_lengths(simulation.grid);
  const bool lognormal = !a.variance_step.empty();
  GSIM_VALIDATE(
      a.drift_step.size() == dt.size() && (!lognormal || a.variance_step.size() == dt.size()),
      "an asset's step tables and the time grid differ in length", "give one entry per step");
  GSIM_VALIDATE(!a.has_own_variance || a.sigma > 0, "a Heston asset without volatility of variance",
                "use model black_scholes for a constant variance");
  std::vector<double> drift = a.drift_step, sd(dt.size(), 0.0);
  for (std::size_t k = 0; k < dt.size(); ++k) {
    if (lognormal) drift[k] -= 0.5 * a.variance_step[k];
    if (a.has_jumps) drift[k] -= a.jump_intensity * dt[k] * mean_jump(a);
    sd[k] = sqrt(lognormal ? a.variance_step[k] : dt[k]);
  }
  AssetTable<T> table{};
  table.scheme = a.scheme;
  table.driver = static_cast<std::int32_t>(index);
  table.second_normal = static_cast<std::int32_t>(second_normal);
  table.log_spot = static_cast<T>(a.log_spot);
  table.spot = static_cast<T>(exp<Strict>(a.log_spot));
  table.drift = packer.add_rounded<T>(completed(drift));
  table.sd = packer.add_rounded<T>(completed(sd));
  table.rows = rows;
  if (lognormal)
    table.bounded = !a.has_jumps && is_bounded<T>(drift, lognormal_reach(a.variance_step));
  else
    table.bounded = a.reach > 0 && is_bounded<T>(drift, a.reach);
  if (a.scheme != StepScheme::launched) table.terms = pack_terms<T>(packer, a);
  if (a.has_own_variance) {
    table.v0 = static_cast<T>(a.v0);
    table.conditional_share = static_cast<T>(1 - a.rho * a.rho);
    std::vector<QeStep<T>> qe;
    qe.reserve(dt.size());
    for (const double d : dt) qe.push_back(rounded_qe_step<T>(a, d));
    table.qe = packer.add(completed(std::move(qe)));
  }
  if (a.has_jumps && a.jump_intensity > 0) {
    Index terms = 0;
    table.jump_cdf = packer.add_rounded<T>(jump_cdf(mean_jump_counts<T>(a, dt), terms));
    table.jump_terms = static_cast<std::int32_t>(terms);
    table.jump_mean = static_cast<T>(a.jump_mean);
    table.jump_sd = static_cast<T>(a.jump_sd);
    if (!a.jump_tilt.empty()) {
      std::vector<double> means;
      for (std::size_t k = 0; k < dt.size(); ++k)
        means.push_back(a.jump_mean + tilt_of<T>(a, k) * a.jump_sd * a.jump_sd);
      table.jump_tilt = packer.add_rounded<T>(a.jump_tilt);
      table.tilted_jump_mean = packer.add_rounded<T>(means);
    }
  }
  if (!a.lv_log_spots.empty()) {
    const auto& x = a.lv_log_spots;
    table.local_vol = packer.add_rounded<T>(local_volatility_of_steps(a, simulation.grid.times));
    table.local_points = static_cast<std::int32_t>(x.size());
    table.local_first = static_cast<T>(x.front() - a.log_spot);
    table.local_inverse_spacing =
        static_cast<T>(static_cast<double>(x.size() - 1) / (x.back() - x.front()));
  }
  return table;
}

template <class T>
double jump_log_ratio_constant(const Simulation& simulation, Index index) {
  const AssetDynamics& a = simulation.assets[static_cast<std::size_t>(index)];
  if (a.jump_tilt.empty()) return 0;
  const std::vector<double> dt = step_lengths(simulation.grid);
  double sum = 0;
  for (std::size_t k = 0; k < dt.size(); ++k)
    sum += a.jump_intensity * dt[k] * (jump_moment(a, tilt_of<T>(a, k)) - 1);
  return sum;
}

template double jump_log_ratio_constant<double>(const Simulation&, Index);
template double jump_log_ratio_constant<float>(const Simulation&, Index);

template <class T>
LaunchedModel<T> pack_model(TablePacker& packer, const Simulation& simulation, Index index,
                            const PathTable<T>& paths, const AssetTable<T>& table,
                            Index first_further) {
  const AssetDynamics& a = simulation.assets[static_cast<std::size_t>(index)];
  LaunchedModel<T> model{};
  const PathModelLaunchers& launchers = a.kind->launchers;
  const bool strict = simulation.arithmetic == Arithmetic::strict;
  if constexpr (sizeof(T) == 8)
    model.simulate = strict ? launchers.f64_strict : launchers.f64_fast;
  else
    model.simulate = strict ? launchers.f32_strict : launchers.f32_fast;
  PathModelJob<T>& job = model.job;
  job.terms = pack_terms<T>(packer, a);
  job.path = {paths.steps, paths.record_of_step, table.spot, table.rows, table.bounded};
  // The launchers may use the addresses of the asset's jumps: gsim's own loops draw no jumps for an
  // asset whose model has launchers, so that no address of a random number is used twice.
  job.streams = {paths.jump_count, paths.jump_size,
                 paths.bridge,     static_cast<std::int32_t>(index),
                 paths.assets,     {}};
  job.correlation = paths.correlation + index * paths.assets;
  job.factors = paths.factors;
  job.first_further = static_cast<std::int32_t>(first_further);
  job.model_normals = static_cast<std::int32_t>(a.normals);
  job.paths_per_sample = paths.paths_per_sample;
  job.normals = paths.normals;
  job.stored_normals = paths.stored_normals;
  job.sobol = paths.sobol;
  job.tilt = paths.tilt;
  job.log_ratio_constant = paths.log_ratio_constant;
  return model;
}

template LaunchedModel<double> pack_model(TablePacker&, const Simulation&, Index,
                                          const PathTable<double>&, const AssetTable<double>&,
                                          Index);
template LaunchedModel<float> pack_model(TablePacker&, const Simulation&, Index,
                                         const PathTable<float>&, const AssetTable<float>&, Index);

template AssetTable<double> pack_asset(TablePacker&, const Simulation&, Index, const AssetRows&,
                                       Index);
template AssetTable<float> pack_asset(TablePacker&, const Simulation&, Index, const AssetRows&,
                                      Index);

}  // namespace gsim::pricing
