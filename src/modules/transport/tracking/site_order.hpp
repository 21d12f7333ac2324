#pragma once
// The order of fission sites in the memory of an executor.

#include "gsim/exec/array.hpp"
#include "kernels/transport/eigenvalue/fission_bank.hpp"

namespace gsim::transport {

class SiteOrder {
 public:
  explicit SiteOrder(const Executor& executor);

  /// Orders fewer than 2^31 sites in the memory of the executor, whose parents are in `parents`:
  /// the number of sites of each parent, prefix sums of these numbers, and a sort of the few sites
  /// of each parent. Asynchronous on a device; the result is valid until the next call.
  OrderedSites order(View<const FissionSite> sites, IndexRange parents);

 private:
  Executor executor_;
  Array<std::int32_t> ends_;   ///< by parent: prefix sums of the numbers of sites
  Array<std::int32_t> order_;  ///< OrderedSites::order
};

}  // namespace gsim::transport
