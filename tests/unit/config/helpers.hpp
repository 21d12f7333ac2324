#pragma once
// A small schema, similar to a real one, that the tests of this layer read.

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace config_test {

using gsim::Index;
using gsim::Section;

struct Curve {
  std::vector<double> times, values;
  bool operator==(const Curve&) const = default;
};

struct Asset {
  std::string name = {};
  double spot = 0;
  int model = -1;
  double volatility = 0.2;
  double kappa = 1.5, rho = -0.5;
  double rate = 0.03;
  Curve curve = {};
  bool has_curve = false;
  bool operator==(const Asset&) const = default;
};

enum class Side { call, put };
inline constexpr std::array<std::string_view, 2> sides = {"call", "put"};

struct Trade {
  std::string id;
  Side side = Side::call;
  double strike = 100;
  Index count = 1;
  bool active = true;
  std::vector<std::string> assets;
  std::vector<double> weights = {1.0};
  double rebate = std::numeric_limits<double>::quiet_NaN();
  bool operator==(const Trade&) const = default;
};

struct Setup {
  std::string module = "pricing";
  Index seed = 1;
  std::vector<Asset> assets;
  std::vector<std::vector<double>> correlation;
  std::vector<Trade> trades;
  std::vector<Index> steps = {1, 2};
  double interval = 600;
  double maximum = std::numeric_limits<double>::infinity();
  bool has_stop = false;
  bool operator==(const Setup&) const = default;
};

void describe_asset(Section& s, Asset& asset);
void describe_trade(Section& s, Trade& trade);
void describe(Section& top, Setup& setup);

/// Reads `text` as the file "bad.toml" with overrides.
Setup read(const std::string& text, const std::vector<std::string>& overrides = {});
/// The error message of `body`; empty if there is none.
template <class Body>
std::string complaint_of(const Body& body) {
  try {
    body();
  } catch (const gsim::ConfigError& error) {
    return error.what();
  }
  return {};
}
/// The error message when `text` is read; empty if there is none.
std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {});

/// A valid file: one asset, one trade.
extern const std::string good;

/// A text, and the exact message with which it is refused.
struct Refusal {
  const char* about;
  std::string text;
  const char* message;
};
/// Checks the message that `complain` returns for each text.
void check_refusals(const std::vector<Refusal>& refusals,
                    std::string (*complain)(const std::string& text));

/// A change to `good`, and the exact message with which it is refused.
struct Edit {
  const char* about;
  std::string before, after;  ///< a part of `good`, and its replacement
  const char* message;
};
void check_edits(const std::vector<Edit>& edits);

}  // namespace config_test
