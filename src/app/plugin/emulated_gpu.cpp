#include "src/app/plugin/emulated_gpu.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

#include "gsim/exec/executor.hpp"

namespace gsim::app {
namespace {

namespace fs = std::filesystem;

constexpr char marker[] = "GSIM_EMULATED_GPU";  ///< set in the environment of the replaced process

/// The folder of the emulator's runtime library; empty if it is not installed.
std::string emulator_folder() {
  Dl_info library;
  if (::dladdr(reinterpret_cast<const void*>(&cuda_devices), &library) == 0) return {};
  std::error_code error;
  const fs::path path = fs::canonical(library.dli_fname, error);
  if (error) return {};
  const fs::path folder = path.parent_path() / "gsim" / "emulated_gpu";
  return fs::exists(folder / "libcudart.so.13", error) ? folder.string() : std::string();
}

}  // namespace

void restart_with_emulated_gpu(char** argv) {
  if (std::getenv(marker) != nullptr) return;
  const std::string folder = emulator_folder();
  if (folder.empty() || !cuda_devices().empty()) return;
  const char* const before = std::getenv("LD_LIBRARY_PATH");
  const std::string path =
      before == nullptr || *before == '\0' ? folder : folder + ":" + std::string(before);
  ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  ::setenv(marker, "1", 1);
  ::execv("/proc/self/exe", argv);  // returns only if it fails: then the checks run without a GPU
}

}  // namespace gsim::app
