// Replaces the CUDA backend in builds without a CUDA toolkit.
#include "backend.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/launch.hpp"

namespace gsim {

std::vector<CudaDevice> cuda_devices() { return {}; }
std::string no_cuda_reason() { return "this gsim was built without CUDA"; }

namespace detail {

std::shared_ptr<Executor::Backend> make_cuda_backend(int, int) {
  throw DeviceError(
      "this gsim was built without CUDA; use device = \"cpu\", or rebuild where nvcc 12.4 or later "
      "is found");
}
}  // namespace detail
namespace launching {
void check_launch(const char*, int, void*) {}
}  // namespace launching
}  // namespace gsim
