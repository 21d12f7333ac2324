#include "src/modules/transport/tracking/site_order.hpp"

#include <limits>
#include <utility>

#include "kernels/domain/exclusive_scan.hpp"

namespace gsim::transport {

SiteOrder::SiteOrder(const Executor& executor)
    : executor_(executor), ends_(executor, 0), order_(executor, 0) {}

OrderedSites SiteOrder::order(View<const FissionSite> sites, IndexRange parents) {
  GSIM_EXPECT(sites.size <= std::numeric_limits<std::int32_t>::max());
  order_.resize_discard(sites.size);
  ends_.resize_discard(parents.size());
  if (sites.size > 0) {
    std::int32_t* const ends = ends_.view().data;
    transport_count_sites(executor_, {sites, parents.first, ends});
    domain_exclusive_scan(executor_, {ends_.view()});
    transport_group_sites(executor_, {sites, parents.first, ends, order_.view().data});
    transport_sort_sites(executor_, {sites, std::as_const(ends_).view(), order_.view().data});
  }
  return {sites, std::as_const(order_).view()};
}

}  // namespace gsim::transport
