#pragma once
// The order of the numbers that plugin.cpp stores and autocallable.cu reads.

namespace autocallable {

/// Leading numbers; they are followed by 1 / initial level of each underlying and the call level of
/// each date. Levels are those of the worst underlying, as fractions of its initial level.
enum Number {
  notional,
  coupon,          ///< per date, as a fraction of the notional
  coupon_barrier,  ///< lowest level at which a coupon is paid
  memory,          ///< 1: a missed coupon is paid with the next one; 0: it is lost
  missed,          ///< number of coupons missed before today
  knock_in,        ///< level at maturity below which less than the notional is repaid
  inverse_strike,  ///< 1 / strike: below knock_in, notional times level / strike is repaid
  shared_numbers   ///< number of these leading numbers
};

}  // namespace autocallable
