#include <hdf5.h>

#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim {

void start_hdf5() {
  static bool is_started = false;
  if (is_started) return;
  is_started = true;
  // An HDF5 library that is initialised before MPI does not register with MPI_Finalize.
  if (H5dont_atexit() < 0 || H5open() < 0) throw IoError("the HDF5 library cannot be initialised");
}

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
}

}  // namespace gsim
