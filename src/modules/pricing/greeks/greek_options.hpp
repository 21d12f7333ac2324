#pragma once
// The keys of [pricing] that request Greeks.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::pricing {

/// The Greeks of a price V of the whole quantity, as words of pricing.greeks, in this order in the
/// results:
///   delta         dV / dS of each asset of the trade
///   gamma         d2V / dS2 of each asset
///   cross_gamma   d2V / (dS_i dS_j) of each pair of assets
///   vega          dV / d sigma of each asset: all volatilities of the asset rise together. For
///                 heston and bates sqrt(v0) and sqrt(theta) do, for local_volatility all nodes.
///   vega_buckets  the same for each pillar of the asset's volatility alone
///   theta         dV / dt: time passes at constant spots, while trades and curves keep their dates
///   rho           dV / dr: the continuously compounded rate rises at all dates
///   rho_pillars   dV / dz_k: the rate as given at pillar k of the curve rises alone
enum class GreekKind : std::uint8_t {
  delta,
  gamma,
  cross_gamma,
  vega,
  vega_buckets,
  theta,
  rho,
  rho_pillars
};
inline constexpr int greek_kinds = 8;
/// The word of a kind.
std::string_view name_of(GreekKind kind);

/// How Greeks are estimated: by pathwise derivatives, if necessary of conditional expectations,
/// where payoff and model allow it, otherwise by bumps; or all of them by bumps; or those of
/// digitals and barriers by likelihood ratios.
enum class GreekMethod { automatic, bump, likelihood_ratio };

/// Sizes of central bumps.
struct GreekBumps {
  double spot = 0.01;        ///< relative
  double volatility = 0.01;  ///< 1/sqrt(year)
  double rate = 0.01;        ///< 1/year
  double time = 0.01;        ///< years
};

struct GreekOptions {
  std::vector<std::string> words;  ///< pricing.greeks
  GreekMethod method = GreekMethod::automatic;
  GreekBumps bumps;

  bool any() const { return !words.empty(); }
  bool has(GreekKind kind) const;
};

void describe_greeks(Section& pricing, GreekOptions& options);
/// Refuses words of pricing.greeks that are no Greeks or appear twice.
void validate_greeks(const Section& pricing, const GreekOptions& options);

}  // namespace gsim::pricing
