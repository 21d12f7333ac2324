# Which MPI the headers in use belong to, and which one an HDF5 library was built with. Two flavours in
# one process disagree about what a communicator is, and crash far from the cause. Told by what the
# files hold, not by where they lie: sites install under any prefix. MVAPICH and Intel MPI count as
# MPICH, whose binary interface they share (the MPICH ABI Compatibility Initiative).

# Sets OUT to "Open MPI", "MPICH", or "" where nothing tells.
function(gsim_mpi_flavour out include_dirs)
  set(${out} "" PARENT_SCOPE)
  find_file(header mpi.h PATHS ${include_dirs} NO_DEFAULT_PATH NO_CACHE)
  if(header)
    file(STRINGS ${header} lines REGEX "define[ \t]+(OPEN_MPI|MPICH_VERSION)[ \t]")
    if(lines MATCHES "OPEN_MPI")
      set(${out} "Open MPI" PARENT_SCOPE)
    elseif(lines)
      set(${out} "MPICH" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# The same of the libraries of an HDF5. Open MPI's predefined handles are symbols (ompi_mpi_*) and
# MPICH's are numbers, so for MPICH the name of the library that is loaded must tell.
function(gsim_hdf5_mpi_flavour out libraries)
  set(${out} "" PARENT_SCOPE)
  foreach(library IN LISTS libraries)
    if(library MATCHES "hdf5[^/]*$" AND EXISTS ${library})
      file(STRINGS ${library} names REGEX "ompi_mpi_|libmpich\\.so|libmpi\\.so\\.12")
      if(names MATCHES "ompi_mpi_")
        set(${out} "Open MPI" PARENT_SCOPE)
      elseif(names)
        set(${out} "MPICH" PARENT_SCOPE)
      endif()
    endif()
  endforeach()
endfunction()

# Ends the configuration when MPI and HDF5 are known to differ.
function(gsim_refuse_mpi_mix)
  gsim_mpi_flavour(mpi "${MPI_C_INCLUDE_DIRS};${MPI_C_HEADER_DIR}")
  gsim_hdf5_mpi_flavour(hdf5 "${HDF5_C_LIBRARIES};${HDF5_LIBRARIES}")
  if(mpi AND hdf5 AND NOT mpi STREQUAL hdf5)
    list(FILTER HDF5_C_LIBRARIES INCLUDE REGEX hdf5)
    message(FATAL_ERROR "MPI and HDF5 are of different flavours, and would crash in one process:\n"
      "  MPI is ${mpi} (${MPI_C_INCLUDE_DIRS})\n"
      "  HDF5 was built with ${hdf5} (${HDF5_C_LIBRARIES})\n"
      "Give both of one flavour: -DMPI_C_COMPILER=… -DMPI_CXX_COMPILER=… for MPI, "
      "-DHDF5_C_COMPILER_EXECUTABLE=…/h5pcc for HDF5; on Debian and Ubuntu mpicc.mpich, "
      "mpicxx.mpich and h5pcc.mpich, which are taken when none is given (packages: mpich "
      "libmpich-dev libhdf5-mpich-dev). Then configure in an empty build folder.")
  endif()
  message(STATUS "MPI flavours (empty: not told): MPI \"${mpi}\", HDF5 \"${hdf5}\"")
endfunction()
