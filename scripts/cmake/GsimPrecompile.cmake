# Precompiled headers of host code: what most sources include, parsed once a library instead of once a
# source. They save time and change nothing else: each source still includes all that it uses, which
# builds without them test (scripts/test --full, and clang-tidy).
set(precompile OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT GSIM_SANITIZE)
  set(precompile ON)
endif()
option(GSIM_PRECOMPILE "Precompile the headers that most sources of host code include" ${precompile})

# Headers that few sources include stay out (<filesystem>, <fstream>, <sstream>): loading a precompiled header
# takes time in proportion to its size.
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
    # ccache sees through precompiled headers only when the compiler says which it used.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
  endif()
endfunction()
