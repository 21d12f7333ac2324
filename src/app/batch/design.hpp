#pragma once
// Points of parameter studies: which values the varied keys have in each run.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::app {

/// A key whose value varies, or a variable of the study: a list of values, or a range.
struct VariedKey {
  std::string key;                  ///< "market.assets.SPX.volatility"; or the variable's name
  std::vector<std::string> values;  ///< as TOML; empty: a range
  double from = 0, to = 0;
  Index count = 0;              ///< of a range in a grid or a list: equidistant, both ends included
  bool is_logarithmic = false;  ///< equidistant in the logarithm
  bool is_variable = false;     ///< no key: {NAME} in the overrides of the task is its value
};

/// How the points are chosen. grid: all combinations, the last key varies fastest. list: the first
/// values of all keys, then the second ones, and so on. latin_hypercube (McKay, Beckman and Conover
/// 1979) and sobol (with a random digital shift): `points` points in the ranges of all keys.
enum class Design { grid, list, latin_hypercube, sobol };
inline constexpr std::string_view design_words[] = {"grid", "list", "latin_hypercube", "sobol"};

struct DesignOptions {
  Design design = Design::grid;
  Index points = 0;  ///< of latin_hypercube and sobol
  std::uint64_t seed = 0;
};

/// The points, each with the values of all keys as TOML. Deterministic, with the same bits on every
/// machine. InputError if lists have different lengths, or where a random design has a key without
/// a range.
std::vector<std::vector<std::string>> design_points(const std::vector<VariedKey>& keys,
                                                    const DesignOptions& options);

}  // namespace gsim::app
