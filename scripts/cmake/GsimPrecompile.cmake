# Precompiled headers of host code: headers that most sources include, parsed once per library instead of once per
# source. They save time and change nothing else: each source still includes all headers that it uses, which builds
# without precompiled headers test (scripts/test --full, and clang-tidy).
set(precompile OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT GSIM_SANITIZE)
  set(precompile ON)
endif()
option(GSIM_PRECOMPILE "Precompile the headers that most sources of host code include" ${precompile})

# Headers that few sources include are left out (<filesystem>, <fstream>, <sstream>): the time to load a precompiled
# header is proportional to its size.
set(GSIM_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory>
  <optional> <span> <stdexcept> <string> <string_view> <utility> <vector>)

# gsim_precompile(TARGET HEADER…) or gsim_precompile(TARGET REUSE_FROM OTHER), where OTHER is compiled with
# the same flags.
function(gsim_precompile target)
  if(GSIM_PRECOMPILE)
    if(ARGV1 STREQUAL REUSE_FROM)
      target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    else()
      target_precompile_headers(${target} PRIVATE ${ARGN})
    endif()
    # ccache supports precompiled headers only if the compiler reports which one it used.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endif()
endfunction()
