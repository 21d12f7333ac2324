// The search for cluster pairs, and the shortening of their lists. The CUDA executor has no cluster
// lists.
#include "kernels/md/neighbour_lists/cluster_launchers.hpp"
#include "kernels/md/neighbour_lists/cluster_search.hpp"

#define GSIM_CLUSTER_LAUNCHER_(name, Job, Kernel) \
  GSIM_DEFINE_LAUNCHER(name, md::Job) {           \
    (void)executor;                               \
    if (args.tilted)                              \
      md_kernels::Kernel::run<true>(args);        \
    else                                          \
      md_kernels::Kernel::run<false>(args);       \
  }

GSIM_CLUSTER_LAUNCHER_(cluster_search, ClusterSearchJob, ClusterSearch)
GSIM_CLUSTER_LAUNCHER_(cluster_prune, ClusterPruneJob, ClusterPrune)
