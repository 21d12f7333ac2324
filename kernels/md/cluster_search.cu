// The search for cluster pairs. The CUDA executor has no cluster lists.
#include "kernels/md/cluster_search.hpp"
#include "kernels/md/launchers.hpp"

GSIM_DEFINE_LAUNCHER(cluster_search, md::ClusterSearchJob) {
  (void)executor;
#if defined(__CUDACC__)
  (void)args;
  launching::no_launcher("cluster_search", Target::cuda);
#else
  md_kernels::ClusterSearch::run(args);
#endif
}
