#include "kernels/pricing/run_cuda.hpp"
#include "tests/unit/pricing/paths/run_as_on_cuda.hpp"

namespace gsim::pricing::test {

void run_as_on_cuda(const PathJob<double>& job) {
  pricing_kernels::run_paths<double, Strict>(Executor::host(1), job);
}

}  // namespace gsim::pricing::test
