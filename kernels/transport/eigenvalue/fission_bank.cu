#include "kernels/domain/atomics.hpp"
#include "kernels/transport/eigenvalue/fission_bank.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::FissionSite;

struct CountSites {
  transport::CountSitesArgs args;
  GSIM_HD void operator()(Index i) const {
    domain_kernels::atomic_increment(args.counts + (args.sites[i].parent - args.first_parent));
  }
};

struct GroupSites {
  transport::GroupSitesArgs args;
  GSIM_HD void operator()(Index i) const {
    const std::int64_t parent = args.sites[i].parent - args.first_parent;
    args.order[domain_kernels::atomic_increment(args.next + parent)] = static_cast<std::int32_t>(i);
  }
};

/// Insertion sort, since a parent has few sites.
struct SortSites {
  transport::SortSitesArgs args;
  GSIM_HD void operator()(Index parent) const {
    const std::int32_t first = parent == 0 ? 0 : args.ends[parent - 1], last = args.ends[parent];
    for (std::int32_t n = first + 1; n < last; ++n) {
      const std::int32_t inserted = args.order[n];
      const FissionSite site = args.sites[inserted];
      std::int32_t place = n;
      for (; place > first && site < args.sites[args.order[place - 1]]; --place)
        args.order[place] = args.order[place - 1];
      args.order[place] = inserted;
    }
  }
};

struct SelectSites {
  transport::SelectSitesArgs args;
  GSIM_HD void operator()(Index j) const {
    const Index n = args.comb.site(args.first_tooth + j) - args.first_site;
    args.to[j] = args.from.sites[args.from.order.size > 0 ? args.from.order[n] : n];
  }
};

struct CountInBoxes {
  transport::CountInBoxesArgs args;
  GSIM_HD void operator()(Index i) const {
    domain_kernels::atomic_increment(args.counts + box_of(args.mesh, args.sites[i].position));
  }
};

}  // namespace transport_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(transport_count_sites, transport::CountSitesArgs) {
  launch(executor, "count_sites", args.sites.size, transport_kernels::CountSites{args});
}
GSIM_DEFINE_LAUNCHER(transport_group_sites, transport::GroupSitesArgs) {
  launch(executor, "group_sites", args.sites.size, transport_kernels::GroupSites{args});
}
GSIM_DEFINE_LAUNCHER(transport_sort_sites, transport::SortSitesArgs) {
  launch(executor, "sort_sites", args.ends.size, transport_kernels::SortSites{args});
}
GSIM_DEFINE_LAUNCHER(transport_select_sites, transport::SelectSitesArgs) {
  launch(executor, "select_sites", args.to.size, transport_kernels::SelectSites{args});
}
GSIM_DEFINE_LAUNCHER(transport_count_in_boxes, transport::CountInBoxesArgs) {
  launch(executor, "count_in_boxes", args.sites.size, transport_kernels::CountInBoxes{args});
}
