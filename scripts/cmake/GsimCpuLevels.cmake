# The levels of CPU instructions that kernels are compiled for. The option GSIM_CPU_LEVELS is one of
#   best      the highest level that this machine runs: the shortest build; default of scripts/gsim
#   runnable  all levels that this machine runs, without base if it runs a higher one: those that tests
#             compare; default of scripts/test
#   all       base, avx2 and avx512: for other machines; used by scripts/bundle and scripts/test --full
# or a list, e.g. "avx2;avx512". Every level gives the same bits. Sets GSIM_COMPILED_LEVELS.
set(GSIM_CPU_LEVELS runnable CACHE STRING "CPU levels of kernels: best, runnable, all, or a list of base, avx2, avx512")

set(GSIM_ALL_LEVELS base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND GSIM_ALL_LEVELS avx2 avx512)
endif()

# Sets RUNS to the levels that this machine runs, in ascending order; when cross-compiling, to all levels.
function(gsim_find_runnable_levels runs)
  if(NOT DEFINED GSIM_MACHINE_LEVEL AND NOT CMAKE_CROSSCOMPILING)
    set(source ${CMAKE_BINARY_DIR}/CMakeFiles/gsim_machine_level.cpp)
    file(WRITE ${source} "#include \"${PROJECT_SOURCE_DIR}/src/exec/processor_level.hpp\"
int main() { return static_cast<int>(gsim::detail::processor_level()); }\n")
    try_run(level compiled ${CMAKE_BINARY_DIR} ${source})
    if(NOT compiled)
      message(FATAL_ERROR "the processor's level is not known: ${source} does not compile; "
        "give -DGSIM_CPU_LEVELS=all")
    endif()
    set(GSIM_MACHINE_LEVEL ${level} CACHE INTERNAL "index of this machine's level in GSIM_ALL_LEVELS")
  endif()
  set(levels ${GSIM_ALL_LEVELS})
  if(NOT CMAKE_CROSSCOMPILING)
    math(EXPR count "${GSIM_MACHINE_LEVEL} + 1")
    list(SUBLIST levels 0 ${count} levels)
  endif()
  set(${runs} ${levels} PARENT_SCOPE)
endfunction()

if(GSIM_CPU_LEVELS STREQUAL all)
  set(GSIM_COMPILED_LEVELS ${GSIM_ALL_LEVELS})
elseif(GSIM_CPU_LEVELS MATCHES "^(best|runnable)$")
  gsim_find_runnable_levels(GSIM_COMPILED_LEVELS)
  list(LENGTH GSIM_COMPILED_LEVELS count)
  if(GSIM_CPU_LEVELS STREQUAL best)
    list(GET GSIM_COMPILED_LEVELS -1 GSIM_COMPILED_LEVELS)
  elseif(count GREATER 1)
    list(REMOVE_ITEM GSIM_COMPILED_LEVELS base)
  endif()
else()
  set(GSIM_COMPILED_LEVELS "")
  foreach(level IN LISTS GSIM_ALL_LEVELS)  # in ascending order
    if(level IN_LIST GSIM_CPU_LEVELS)
      list(APPEND GSIM_COMPILED_LEVELS ${level})
    endif()
  endforeach()
  list(LENGTH GSIM_COMPILED_LEVELS known)
  list(LENGTH GSIM_CPU_LEVELS given)
  if(known EQUAL 0 OR NOT known EQUAL given)
    message(FATAL_ERROR "GSIM_CPU_LEVELS=${GSIM_CPU_LEVELS} is not best, runnable, all, or a list of: ${GSIM_ALL_LEVELS}")
  endif()
endif()
string(JOIN " " GSIM_COMPILED_LEVEL_NAMES ${GSIM_COMPILED_LEVELS})
message(STATUS "CPU levels: ${GSIM_COMPILED_LEVEL_NAMES}")
