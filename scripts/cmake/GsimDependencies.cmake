# MPI and parallel HDF5 of one flavour, and the small libraries.
find_package(Threads REQUIRED)

# Debian and Ubuntu install several MPIs side by side; the suffix picks MPICH's compiler and launcher.
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

# Both must stand on the same MPI: mixing them crashes far from the cause.
function(gsim_mpi_flavour out text)
  string(TOLOWER "${text}" text)
  if(text MATCHES "openmpi|open-mpi|libmpi_cxx")
    set(${out} "Open MPI" PARENT_SCOPE)
  elseif(text MATCHES "mpich")
    set(${out} "MPICH" PARENT_SCOPE)
  else()
    set(${out} "" PARENT_SCOPE)
  endif()
endfunction()
gsim_mpi_flavour(GSIM_MPI_FLAVOUR "${MPI_C_LIBRARIES};${MPI_C_INCLUDE_DIRS};${MPI_C_COMPILER}")
gsim_mpi_flavour(GSIM_HDF5_FLAVOUR "${HDF5_C_LIBRARIES};${HDF5_C_INCLUDE_DIRS};${HDF5_INCLUDE_DIRS}")
if(GSIM_MPI_FLAVOUR AND GSIM_HDF5_FLAVOUR AND NOT GSIM_MPI_FLAVOUR STREQUAL GSIM_HDF5_FLAVOUR)
  message(FATAL_ERROR "MPI and HDF5 are of different flavours: MPI is ${GSIM_MPI_FLAVOUR} "
    "(${MPI_C_LIBRARIES}), HDF5 was built with ${GSIM_HDF5_FLAVOUR} (${HDF5_INCLUDE_DIRS}). "
    "Point MPI_C_COMPILER and HDF5_ROOT at builds that belong together, e.g. "
    "-DMPI_C_COMPILER=mpicc.mpich -DHDF5_ROOT=/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/hdf5/mpich")
endif()

find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(fmt REQUIRED)
find_path(GSIM_XXHASH_INCLUDE xxhash.h REQUIRED)
if(GSIM_TESTS)
  find_package(doctest REQUIRED)
endif()
