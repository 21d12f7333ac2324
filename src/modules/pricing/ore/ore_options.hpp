#pragma once
// The table [ore]: files of Open Source Risk Engine that give market and trades, beside or in place
// of TOML and CSV.

#include <string>

#include "gsim/config/section.hpp"

namespace gsim::pricing {

/// The files, each null if it is not named, and the currency of results. Files stay valid while
/// the configuration is read.
struct OreOptions {
  std::string currency;
  const InputFile* portfolio = nullptr;
  const InputFile* todays_market = nullptr;
  const InputFile* curves = nullptr;
  const InputFile* conventions = nullptr;
  const InputFile* quotes = nullptr;
  const InputFile* fixings = nullptr;
  KeyLocations keys;

  bool has_market() const { return todays_market != nullptr; }
};

/// Describes and validates [ore]; the files are read later.
void describe_ore(Section& top, OreOptions& options);

}  // namespace gsim::pricing
