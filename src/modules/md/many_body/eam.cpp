#include "src/modules/md/many_body/eam.hpp"

namespace gsim::md {

std::unique_ptr<ShortRange> make_eam(const Executor& executor, const Box& box,
                                     const EamTables& tables, const EamOptions& options,
                                     Particles& particles) {
  if (executor.is_cuda()) return make_full_list_eam(executor, box, tables, options, particles);
  return make_cluster_eam(executor, box, tables, options, particles);
}

}  // namespace gsim::md
