#include "src/modules/pricing/market/correlation_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/correlation.hpp"
#include "src/modules/pricing/market/path_model_functions.hpp"

namespace gsim::pricing {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Largest number of assets whose matrix is printed in a message.
constexpr Index max_printed = 12;

void check_names(const Section& s, const MarketConfig& market) {
  const auto& names = market.correlated;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (market.find(names[i]) < 0)
      s.fail("assets", fmt::format("no asset `{}` in [market.assets]", excerpt(names[i])),
             suggest_known(names[i], market.names(), "the assets are"));
    if (std::find(names.begin(), names.begin() + static_cast<Index>(i), names[i]) !=
        names.begin() + static_cast<Index>(i))
      s.fail("assets", fmt::format("asset `{}` is named twice", excerpt(names[i])));
  }
}

void check_shape(const Section& s, const std::vector<std::string>& names, const Rows& rows) {
  const std::size_t n = names.size();
  if (rows.size() != n) s.fail("matrix", fmt::format("{} rows for {} assets", rows.size(), n));
  for (const auto& row : rows)
    if (row.size() != n)
      s.fail("matrix", fmt::format("a row has {} entries for {} assets", row.size(), n));
  for (std::size_t i = 0; i < n; ++i) {
    if (rows[i][i] != 1)
      s.fail("matrix",
             fmt::format("the correlation of {0} with itself is {1}, not 1", names[i], rows[i][i]));
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i][j] != rows[j][i])
        s.fail("matrix", fmt::format("not symmetric: {0}–{1} is {2}, {1}–{0} is {3}", names[i],
                                     names[j], rows[i][j], rows[j][i]));
  }
}

// Rejects a matrix that is not positive semidefinite, or replaces it by the nearest one that is.
void check_semidefinite(const Section& s, MarketConfig& market, bool use_nearest) {
  const auto n = static_cast<Index>(market.correlated.size());
  CorrelationDefect defect;
  if (is_positive_semidefinite(market.correlation, n, &defect)) return;
  const auto first = static_cast<std::size_t>(defect.first);
  const auto second = static_cast<std::size_t>(defect.second);
  const double entry = market.correlation[first * static_cast<std::size_t>(n) + second];
  const std::string problem = fmt::format(
      "correlation matrix is not positive semidefinite (smallest eigenvalue {:.3g}); the pair that "
      "contributes most to it is {}–{} ({})",
      defect.smallest_eigenvalue, market.correlated[first], market.correlated[second], entry);
  if (!use_nearest && n > max_printed)
    s.fail(
        "matrix", problem,
        "correct the entries, or set invalid = \"nearest\" to use the nearest correlation matrix");
  const std::vector<double> nearest =
      round_correlation(nearest_correlation(market.correlation, n), n);
  const MatrixDistance d = matrix_distance(market.correlation, nearest, n);
  const std::string change = fmt::format(
      "at Frobenius distance {:.4g} (Higham 2002); the entry that changes most is {}–{}, by {:.4f}",
      d.frobenius, market.correlated[static_cast<std::size_t>(d.first)],
      market.correlated[static_cast<std::size_t>(d.second)], d.largest);
  if (!use_nearest)
    s.fail(
        "matrix", problem,
        fmt::format("correct the entries, or use the nearest correlation matrix, {}:\nmatrix = {}",
                    change, to_toml(nearest, n)));
  market.warnings.push_back(
      fmt::format("{}; the nearest correlation matrix is used instead, {}", problem, change));
  market.correlation = nearest;
}

// Correlation of the spot's Brownian motion with the factors other than the asset's own normal.
double variance_correlation(const AssetConfig& a) {
  if (functions_of(a).has_own_variance) return a.rho;
  const double correlation = spot_normal_correlation(a);
  return std::sqrt(1 - correlation * correlation);
}

// Strong correlations of spot and variance restrict the possible correlations between spots.
void check_independent_normals(const Section& s, const MarketConfig& market) {
  std::vector<Index> assets;
  for (const std::string& name : market.correlated) assets.push_back(market.find(name));
  const auto n = static_cast<Index>(assets.size());
  CorrelationDefect defect;
  if (is_positive_semidefinite(independent_normal_correlation(market, assets), n, &defect)) return;
  const auto asset = [&](Index i) -> const AssetConfig& {
    return market.assets[static_cast<std::size_t>(assets[static_cast<std::size_t>(i)])];
  };
  const AssetConfig &first = asset(defect.first), &second = asset(defect.second);
  s.fail("matrix",
         fmt::format("the spots cannot have these correlations and also the correlations rho with "
                     "their own variances: the correlation matrix of the parts that are "
                     "independent of the variances has the eigenvalue {:.3f}; the pair that "
                     "contributes most to it is {}–{} (rho {} and {})",
                     defect.smallest_eigenvalue, excerpt(first.name), excerpt(second.name),
                     variance_correlation(first), variance_correlation(second)),
         "move the two rho or the correlation of the spots closer to 0");
}

}  // namespace

std::vector<double> independent_normal_correlation(const MarketConfig& market,
                                                   const std::vector<Index>& assets) {
  const std::size_t n = assets.size();
  std::vector<double> correlations(n * n, 0.0);
  const auto correlation_of_asset = [&](std::size_t i) {
    const AssetConfig& a = market.assets[static_cast<std::size_t>(assets[i])];
    return spot_normal_correlation(a);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      bool known = false;
      const double r = market.correlation_of(assets[i], assets[j], &known);
      correlations[i * n + j] =
          i == j ? 1.0 : r / (correlation_of_asset(i) * correlation_of_asset(j));
    }
  return correlations;
}

void describe_correlation(Section& s, CorrelationInput& correlation) {
  static constexpr std::string_view treatments[] = {"stop", "nearest"};
  int treatment = 0;
  s.required("assets", correlation.assets,
             {.doc = "names of the assets, in the order of the matrix"});
  s.required("matrix", correlation.matrix,
             {.doc = "correlations of the spots' Brownian motions, one row per asset",
              .minimum = -1,
              .maximum = 1});
  s.optional_word("invalid", treatment, treatments,
                  {.doc = "treatment of a matrix that is not positive semidefinite: end the run, "
                          "or use the nearest correlation matrix (Higham 2002) with a warning"});
  correlation.use_nearest = treatment == 1;
}

void validate_correlation(const Section& s, const CorrelationInput& correlation,
                          MarketConfig& market) {
  market.correlated = correlation.assets;
  check_names(s, market);
  check_shape(s, market.correlated, correlation.matrix);
  market.correlation.clear();
  for (const auto& row : correlation.matrix)
    market.correlation.insert(market.correlation.end(), row.begin(), row.end());
  check_semidefinite(s, market, correlation.use_nearest);
  check_independent_normals(s, market);
}

}  // namespace gsim::pricing
