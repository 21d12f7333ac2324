# Compares the MPI implementation (flavour) of the headers with that of the HDF5 library. Two flavours in one
# process have incompatible communicator types, and crash far from the cause. The flavour is determined from the
# contents of the files, not from their folders: sites install under any prefix. MVAPICH and Intel MPI count as MPICH,
# whose binary interface they share (the MPICH ABI Compatibility Initiative).

# Sets OUT to the flavour to which FILE belongs: "Open MPI" or "MPICH", or "" if FILE has no text that matches the regular
# expression MARKS.
function(gsim_flavour_of out file marks)
  file(STRINGS ${file} found REGEX "${marks}")
  set(${out} "" PARENT_SCOPE)
  if(found MATCHES "OPEN_MPI|ompi_mpi_")
    set(${out} "Open MPI" PARENT_SCOPE)
  elseif(found)
    set(${out} "MPICH" PARENT_SCOPE)
  endif()
endfunction()

# Ends the configuration with an error if the flavours of MPI and HDF5 are known and differ.
function(gsim_check_mpi_of_hdf5)
  find_file(header mpi.h PATHS ${MPI_C_INCLUDE_DIRS} ${MPI_C_HEADER_DIR} NO_DEFAULT_PATH NO_CACHE)
  if(header)
    gsim_flavour_of(mpi ${header} "define[ \t]+(OPEN_MPI|MPICH_VERSION)[ \t]")
  endif()
  # Open MPI's predefined handles are symbols (ompi_mpi_*) and MPICH's are numbers, so MPICH is recognised by the name
  # of the library that HDF5 loads.
  set(libraries ${HDF5_C_LIBRARIES} ${HDF5_LIBRARIES})
  list(FILTER libraries INCLUDE REGEX "^/.*hdf5[^/]*$")
  if(libraries)
    list(GET libraries 0 library)
    gsim_flavour_of(hdf5 ${library} "ompi_mpi_|libmpich\\.so|libmpi\\.so\\.12")
  endif()
  if(mpi AND hdf5 AND NOT mpi STREQUAL hdf5)
    message(FATAL_ERROR "MPI and HDF5 are of different flavours, and would crash in one process:\n"
      "  MPI is ${mpi} (${MPI_C_INCLUDE_DIRS})\n"
      "  HDF5 was built with ${hdf5} (${library})\n"
      "Give both of one flavour: -DMPI_C_COMPILER=… -DMPI_CXX_COMPILER=… for MPI, "
      "-DHDF5_C_COMPILER_EXECUTABLE=…/h5pcc for HDF5; on Debian and Ubuntu mpicc.mpich, "
      "mpicxx.mpich and h5pcc.mpich, which are used by default (packages: mpich "
      "libmpich-dev libhdf5-mpich-dev). Then configure in an empty build folder.")
  endif()
  message(STATUS "MPI flavours (empty: unknown): MPI \"${mpi}\", HDF5 \"${hdf5}\"")
endfunction()
