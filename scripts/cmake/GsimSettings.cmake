# Language level, and the flags on which the guarantee of the same bits depends.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# ccache in depend mode reads the compiler's list of headers instead of preprocessing every source first, so that an
# empty cache costs nothing. The sloppiness settings are required by precompiled headers. Paths below the source folder
# are made relative, so that clones in other folders share objects.
find_program(GSIM_CCACHE ccache)
find_program(GSIM_ENV env)  # cmake -E env takes 25 ms per source
if(GSIM_CCACHE AND GSIM_ENV)
  foreach(lang C CXX CUDA)
    set(CMAKE_${lang}_COMPILER_LAUNCHER ${GSIM_ENV}
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${GSIM_CCACHE})
  endforeach()
endif()

# No contraction of a*b+c, no value-changing optimisation: IEEE 754 operations as written.
# -fno-math-errno and -fno-trapping-math change no value; they let sqrt and select stay inline.
add_library(gsim_flags INTERFACE)
set(GSIM_STRICT_FLAGS -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd)
target_compile_options(gsim_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${GSIM_STRICT_FLAGS};-Wall;-Wextra>
  # By default GCC starts garbage collection below half a gigabyte, which takes 5 % of a compilation.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>
  # Masks are combined with & and |, and for one lane a mask is a bool.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wno-bitwise-instead-of-logical>
  # GCC 12 warns about overlaps that cannot happen in std::string + (its bug 105329).
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${GSIM_WERROR}>>:-Werror>)
if(GSIM_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${GSIM_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer>
                      # With instrumentation GCC issues warnings that its own manual calls false positives.
                      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${GSIM_SANITIZE})
endif()
