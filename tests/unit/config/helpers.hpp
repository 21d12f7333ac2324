#pragma once
// A small configuration of a pricing run, which the tests of this layer read.

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
/// The message of the ConfigError that `body` throws; empty if it throws none.
template <class Body>
std::string error_message_of(const Body& body) {
  try {
    body();
  } catch (const gsim::ConfigError& error) {
    return error.what();
  }
  return {};
}
/// The error message when `text` is read; empty if there is none.
std::string error_message(const std::string& text, const std::vector<std::string>& overrides = {});

/// A valid configuration of one asset and one trade.
extern const std::string valid_text;

/// An invalid text and its exact error message.
struct InvalidText {
  const char* about;
  std::string text;
  const char* message;
};
/// Checks the message that `message_for` returns for each text.
void check_messages(const std::vector<InvalidText>& cases,
                    std::string (*message_for)(const std::string& text));

/// A change of `valid_text` that makes it invalid, and the exact error message.
struct Edit {
  const char* about;
  std::string before, after;  ///< a part of `valid_text`, and its replacement
  const char* message;
};
void check_edits(const std::vector<Edit>& edits);

}  // namespace config_test
