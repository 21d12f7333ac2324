#pragma once
// Common parts of the tests of invalid data: a market, temporary files, and checks of messages.

#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

namespace gsim::pricing::test {

inline const std::string three_assets = two_assets + R"(
[market.assets.C]
spot = 90.0
volatility = 0.3
)";

inline const std::string skip_errors = "[pricing]\non_error = \"skip\"\n";

/// A trades_file that is deleted with this object.
struct TemporaryFile {
  gsim::test::ScratchFolder folder;
  std::string path = folder / "trades.csv";

  explicit TemporaryFile(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  std::string key() const { return "trades_file = \"" + path + "\"\n"; }
};

/// Checks that the message contains all parts.
inline void check_contains(const std::string& message, const std::vector<const char*>& parts) {
  CAPTURE(message);
  for (const char* part : parts) {
    CAPTURE(part);
    CHECK(contains(message, part));
  }
}

}  // namespace gsim::pricing::test
