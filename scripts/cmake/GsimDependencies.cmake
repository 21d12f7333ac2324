# Finds MPI and a parallel HDF5 that was built with it, and the other libraries.
find_package(Threads REQUIRED)

# Debian and Ubuntu install several MPIs side by side; the suffix selects MPICH's compiler and launcher.
find_program(GSIM_MPICXX NAMES mpicxx.mpich)
if(GSIM_MPICXX AND NOT MPI_CXX_COMPILER)
  set(MPI_EXECUTABLE_SUFFIX .mpich)
endif()
find_package(MPI REQUIRED COMPONENTS C CXX)

set(HDF5_PREFER_PARALLEL ON)
if(GSIM_MPICXX AND NOT HDF5_ROOT AND NOT HDF5_C_COMPILER_EXECUTABLE)
  find_program(GSIM_H5PCC NAMES h5pcc.mpich)
  if(GSIM_H5PCC)
    set(HDF5_C_COMPILER_EXECUTABLE ${GSIM_H5PCC})
  endif()
endif()
find_package(HDF5 REQUIRED COMPONENTS C)
if(NOT HDF5_IS_PARALLEL)
  message(FATAL_ERROR "gsim needs parallel HDF5, and found a serial one (${HDF5_INCLUDE_DIRS}). "
    "Install libhdf5-mpich-dev, or point HDF5_ROOT at a build with --enable-parallel.")
endif()

include(GsimMpiFlavour)
gsim_check_mpi_of_hdf5()

find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(fmt REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(nlohmann_json REQUIRED)
find_path(GSIM_BOOST_MATH_INCLUDE boost/math/special_functions/gamma.hpp REQUIRED)
find_path(GSIM_XXHASH_INCLUDE xxhash.h REQUIRED)
if(GSIM_TESTS)
  find_package(doctest REQUIRED)
endif()
