#pragma once
// The order of the numbers that plugin.cpp stores and autocallable.cu reads.

namespace autocallable {

/// Leading numbers; they are followed by 1 / initial level of each underlying and the call level of
/// each date.
enum Number {
  notional,
  coupon,
  coupon_barrier,
  memory,  ///< 1: a missed coupon is paid with the next one; 0: it is lost
  missed,  ///< number of coupons missed before today
  knock_in,
  inverse_strike,
  shared_numbers  ///< number of these leading numbers
};

}  // namespace autocallable
