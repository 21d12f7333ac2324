#pragma once
// The order of the numbers that plugin.cpp reads from a configuration and autocallable.cu reads.

namespace autocallable {

/// In front; behind them 1 / initial level of each underlying, and the call level of each date.
enum Number {
  notional,
  coupon,
  coupon_barrier,
  memory,  ///< 1: a coupon that is missed is paid with the next one; 0: it is lost
  missed,  ///< coupons that were missed before today
  knock_in,
  inverse_strike,
  shared_numbers
};

}  // namespace autocallable
