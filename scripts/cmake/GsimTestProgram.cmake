include(GsimJoinSources)

# gsim_add_test_program(NAME SOURCES a.cpp … [MAIN main.cpp] [APART NAME…])
# Adds a program of doctest cases that is linked with libgsim. Cases check results, whose bits do not depend on optimisation, so they are
# compiled quickly (-O1), also in optimised builds; libgsim and all kernels under test are compiled with the flags of the build. Sources of a
# folder are compiled together, except those that APART names, without folder and extension: they define names that others define, too.
add_library(gsim_test_flags INTERFACE)
target_compile_options(gsim_test_flags INTERFACE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>
  # At -O1 GCC 12 warns about accesses beyond std::string that cannot happen (its bug 105329) and about vectors that are
  # set lane by lane.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-maybe-uninitialized>)

function(gsim_add_test_program name)
  cmake_parse_arguments(arg "" "MAIN" "SOURCES;APART" ${ARGN})
  if(NOT arg_MAIN)
    set(arg_MAIN $<TARGET_OBJECTS:gsim_test_main>)
  endif()
  add_executable(${name} ${arg_MAIN})
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  gsim_compile(${name} -O1 APART ${arg_APART} SOURCES ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE gsim gsim_flags gsim_test_flags doctest::doctest fmt::fmt)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
  gsim_precompile(${name} REUSE_FROM gsim_test_headers)
endfunction()

# The main function that most programs share, and the precompiled headers of all of them, which belong to a program
# without cases because they must be compiled with the flags of programs.
function(gsim_add_test_main source)
  set(empty ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "// No test case.\n")
  add_library(gsim_test_main OBJECT ${source})
  add_executable(gsim_test_headers ${empty} $<TARGET_OBJECTS:gsim_test_main>)
  foreach(target gsim_test_headers gsim_test_main)
    target_link_libraries(${target} PRIVATE gsim gsim_flags gsim_test_flags doctest::doctest fmt::fmt)
  endforeach()
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)  # it defines doctest's configuration macros
  gsim_precompile(gsim_test_headers ${GSIM_STANDARD_HEADERS} <doctest/doctest.h> <fmt/format.h>
    <gsim/core/error.hpp> <gsim/config/section.hpp>)
endfunction()
