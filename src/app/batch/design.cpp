#include "design.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/math/elementary.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/sobol.hpp"
#include "gsim/random/sobol_directions.hpp"

namespace gsim::app {
namespace {

using Points = std::vector<std::vector<std::string>>;

constexpr Index most_points = 10'000'000;

/// The value at the fraction u of a key's range.
std::string value_at(const VariedKey& key, double u) {
  if (u == 0) return fmt::format("{}", key.from);
  if (u == 1) return fmt::format("{}", key.to);
  if (!key.is_logarithmic) return fmt::format("{:.15g}", (1 - u) * key.from + u * key.to);
  const double low = gsim::log<Strict>(key.from), high = gsim::log<Strict>(key.to);
  return fmt::format("{:.15g}", gsim::exp<Strict>((1 - u) * low + u * high));
}

/// The values of a key in a grid or a list.
std::vector<std::string> values_of(const VariedKey& key) {
  if (!key.values.empty()) return key.values;
  std::vector<std::string> values;
  for (Index i = 0; i < key.count; ++i)
    values.push_back(value_at(
        key, key.count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(key.count - 1)));
  return values;
}

Points grid_points(const std::vector<VariedKey>& keys) {
  Points points{{}};
  for (const VariedKey& key : keys) {
    const std::vector<std::string> values = values_of(key);
    if (static_cast<double>(points.size()) * static_cast<double>(values.size()) > most_points)
      throw InputError(fmt::format("the grid has more than {} points", most_points));
    Points longer;
    for (const auto& point : points)
      for (const std::string& value : values) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
  }
  return points;
}

Points list_points(const std::vector<VariedKey>& keys) {
  Points points;
  for (const VariedKey& key : keys) {
    const std::vector<std::string> values = values_of(key);
    if (&key == &keys.front()) points.resize(values.size());
    if (values.size() != points.size())
      throw InputError(
          fmt::format("`{}` has {} values and `{}` has {}; a list needs as many of each",
                      excerpt(keys.front().key), points.size(), excerpt(key.key), values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) points[i].push_back(values[i]);
  }
  return points;
}

/// 64 random bits of (seed, dimension, index).
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t dimension, std::uint64_t index) {
  return mix64(mix64(mix64(seed + 1) + dimension) + index);
}

/// A random number in (0, 1).
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

/// The coordinates of one dimension of a Latin hypercube: one in each of n equal intervals, in
/// random order.
std::vector<double> latin_coordinates(Index n, std::uint64_t seed, std::uint64_t dimension) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto rank = [&](Index i) {
    return random_bits(seed, 2 * dimension, static_cast<std::uint64_t>(i));
  };
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a < b; });
  std::vector<double> coordinates;
  for (const Index place : order) {
    const double jitter =
        unit(random_bits(seed, 2 * dimension + 1, static_cast<std::uint64_t>(place)));
    coordinates.push_back((static_cast<double>(place) + jitter) / static_cast<double>(n));
  }
  return coordinates;
}

std::vector<double> sobol_coordinates(Index n, const std::uint32_t* directions, std::uint64_t seed,
                                      std::uint64_t dimension) {
  const auto shift = static_cast<std::uint32_t>(random_bits(seed, dimension, 0));
  std::vector<double> coordinates;
  for (Index i = 0; i < n; ++i) {
    // Direction numbers that are not reversed give coordinates that are not reversed.
    const std::uint32_t x = sobol_reversed(static_cast<std::uint32_t>(i), directions) ^ shift;
    coordinates.push_back((static_cast<double>(x) + 0.5) * 0x1p-32);
  }
  return coordinates;
}

Points random_points(const std::vector<VariedKey>& keys, const DesignOptions& options) {
  Points points(static_cast<std::size_t>(options.points));
  const SobolDirections directions(options.design == Design::sobol ? static_cast<Index>(keys.size())
                                                                   : 0);
  for (std::size_t d = 0; d < keys.size(); ++d) {
    if (!keys[d].values.empty())
      throw InputError(fmt::format("`{}` needs a range (from, to) in this design, not values",
                                   excerpt(keys[d].key)));
    const std::vector<double> coordinates =
        options.design == Design::sobol
            ? sobol_coordinates(options.points, directions.dimension(static_cast<Index>(d)),
                                options.seed, d)
            : latin_coordinates(options.points, options.seed, d);
    for (std::size_t i = 0; i < points.size(); ++i)
      points[i].push_back(value_at(keys[d], coordinates[i]));
  }
  return points;
}

}  // namespace

Points design_points(const std::vector<VariedKey>& keys, const DesignOptions& options) {
  switch (options.design) {
    case Design::grid:
      return grid_points(keys);
    case Design::list:
      return list_points(keys);
    case Design::latin_hypercube:
    case Design::sobol:
      return random_points(keys, options);
  }
  throw Error("internal error: unknown design");
}

}  // namespace gsim::app
