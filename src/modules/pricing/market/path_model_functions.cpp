#include "src/modules/pricing/market/path_model_functions.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {
namespace {

void describe(Section& s, AssetInput& a) { a.model->describe(s, a.key_values); }

// Runs the model's own checks, then checks the number of values and the range of the correlation
// with the spot.
void validate(const Section& s, AssetInput& a) {
  const PathModelKind& kind = *a.model;
  if (kind.validate != nullptr) kind.validate(s, {a.spot}, a.key_values);
  a.numbers = std::move(a.key_values.numbers);
  if (a.numbers.size() > max_plugin_numbers)
    s.fail("model",
           fmt::format("path model `{}` has {} numbers for these keys, and at most {} are allowed",
                       kind.name, a.numbers.size(), max_plugin_numbers),
           "shorten the lists among the model's keys");
  const double correlation = spot_normal_correlation(a);
  if (!(correlation > 0 && correlation <= 1))
    s.fail("model", fmt::format("path model `{}`: the correlation of its normal with the spot is "
                                "{}, and must be in (0, 1]",
                                kind.name, correlation));
}

// Tabulates the step values of a plugin's model over all steps.
void tabulate(const PathModelKind& kind, const std::string& asset, const TimeGrid& grid,
              AssetDynamics& d) {
  constexpr std::size_t max_numbers = 1000;
  if (kind.reach != nullptr) d.reach = kind.reach(d.numbers, grid.times.back());
  if (kind.step_numbers == nullptr) return;
  double from = 0;
  std::size_t numbers_per_step = 0;
  for (std::size_t k = 0; k < grid.times.size(); ++k) {
    const std::vector<double> numbers =
        kind.step_numbers(d.numbers, {from, grid.times[k], d.drift_step[k]});
    if (k == 0) numbers_per_step = numbers.size();
    GSIM_VALIDATE(numbers.size() == numbers_per_step && numbers_per_step <= max_numbers,
                  fmt::format("path model `{}` of asset `{}` gives {} numbers for time step {} and "
                              "{} for the first one",
                              kind.name, excerpt(asset), numbers.size(), k + 1, numbers_per_step),
                  fmt::format("return the same number for every step, at most {}", max_numbers));
    d.step_numbers.insert(d.step_numbers.end(), numbers.begin(), numbers.end());
    from = grid.times[k];
  }
}

void set_up(const AssetConfig& a, const TimeGrid& grid, AssetDynamics& d) {
  d.kind = a.model;
  d.numbers = a.numbers;
  tabulate(*a.model, a.name, grid, d);
  // Only the ratios of the deviations of the assets of a trade matter, and no likelihood ratio
  // depends on them. The reach, which is exceeded with probability 1e-30, is about twelve
  // deviations.
  d.deviation = d.reach > 0 ? d.reach / 12 : 0.2 * std::sqrt(grid.times.back());
}

constexpr PathModelFunctions launched_functions{
    .describe = describe, .validate = validate, .set_up = set_up};

}  // namespace

const PathModelFunctions& functions_of(const AssetConfig& asset) {
  const bool has_own = asset.model != nullptr && asset.model->functions != nullptr;
  return has_own ? *asset.model->functions : launched_functions;
}

bool is_random(const AssetConfig& asset, double until) {
  const PathModelFunctions& model = functions_of(asset);
  return model.is_random == nullptr || model.is_random(asset, until);
}

double spot_normal_correlation(const AssetConfig& asset) {
  const PathModelFunctions& model = functions_of(asset);
  if (model.spot_normal_correlation != nullptr) return model.spot_normal_correlation(asset);
  const bool is_given = asset.model != nullptr && asset.model->spot_normal_correlation != nullptr;
  return is_given ? asset.model->spot_normal_correlation(asset.numbers) : 1;
}

AssetDynamics make_dynamics(const MarketConfig& market, const AssetConfig& asset,
                            const TimeGrid& grid) {
  const PathModelFunctions& model = functions_of(asset);
  AssetDynamics d;
  d.scheme = model.scheme;
  d.has_own_variance = model.has_own_variance;
  d.has_jumps = model.has_jumps;
  if (asset.model != nullptr) d.normals = asset.model->normals;
  d.log_spot = logarithm(asset.spot);
  double from = 0;
  for (const double to : grid.times) {
    d.drift_step.push_back(market.drift(asset, from, to));
    from = to;
  }
  model.set_up(asset, grid, d);
  return d;
}

}  // namespace gsim::pricing
