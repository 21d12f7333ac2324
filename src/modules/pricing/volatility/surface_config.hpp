#pragma once
// The tables [market.volatility_surfaces.NAME].

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/volatility/smile.hpp"

namespace gsim::pricing {

/// What the coordinate of a quote is.
enum class StrikeKind {
  strike,     ///< absolute
  moneyness,  ///< strike / forward
  delta       ///< Black's delta of an out-of-the-money option, without the premium
};
/// With spot delta, e^(-dividend T) N(d1) of a call; with forward delta N(d1).
enum class DeltaKind { spot, forward };
enum class SmileKind { spline, svi, sabr };

struct SmileQuote {
  /// A strike, a moneyness, or a delta: positive for calls, negative for puts, and 0 for the
  /// delta-neutral straddle.
  double coordinate = 0;
  double volatility = 0;
};
/// The quotes of one expiry, or the parameters of its formula.
struct SmileInput {
  double expiry = 0;  ///< years
  std::vector<SmileQuote> quotes;
  SviTerms svi;
  SabrTerms sabr;
};

/// A surface as given; with the forwards of an asset it becomes a VolatilitySurface.
struct SurfaceInput {
  std::string name;
  KeyLocations keys;
  std::string key;  ///< that of the quotes or parameters, for messages
  StrikeKind strike_kind = StrikeKind::strike;
  DeltaKind delta_kind = DeltaKind::spot;
  SmileKind smile = SmileKind::spline;
  double beta = 1;         ///< of SABR smiles that are fitted to quotes
  bool has_quotes = true;  ///< otherwise the parameters of `smile` are given
  bool is_arbitrage_error = true;
  std::vector<SmileInput> smiles;  ///< increasing expiries
};

/// The surface of that name; ConfigError at `key` without one.
const SurfaceInput& require_surface(const Section& section, std::string_view key,
                                    const std::vector<SurfaceInput>& surfaces,
                                    const std::string& name);

/// Describes and validates the tables, and sets `surfaces` in the order of the file.
void describe_surfaces(Section& market, std::vector<SurfaceInput>& surfaces);

}  // namespace gsim::pricing
