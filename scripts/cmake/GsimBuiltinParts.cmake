# The built-in parts of a physics (payoffs, path models, potentials, observers, scores, …) register themselves
# through Registry::extend, as the parts of plugins do. Each part is one source of its own, and the build
# finds it: to add a part, add its file. No list of parts is written by hand.
#
# A part is a source foo.cpp that defines
#
#   namespace gsim::pricing {
#   void register_foo(Registry& registry) {
#     registry.extend(PayoffKind{.name = "foo", …});
#   }
#   }  // namespace gsim::pricing
#
# The CMakeLists.txt of src/modules/pricing then needs
#
#   include(GsimBuiltinParts)
#   gsim_builtin_parts(pricing payoffs)       # parts in src/modules/pricing/payoffs/*.cpp
#
# which generates a source that defines
#
#   namespace gsim::pricing {
#   void register_builtin_payoffs(Registry& registry);   // calls register_* of every part in alphabetical order
#   }
#
# The physics declares that function in a header (or in the one source that calls it) and calls it where it
# registers its module. The compile commands of the parts themselves are not changed: they are compiled as
# every other source of the physics is.

# gsim_builtin_parts(PHYSICS GROUP)
# GROUP is a folder below the current source directory, perhaps nested ("thermostats", "tallies/scores"; the
# function is then called register_builtin_tallies_scores). Sources of the folder that define no
# register_<name of the file>(Registry& …) are ignored. The generated source is written again when files are
# added or removed and when a file of the folder changes.
function(gsim_builtin_parts physics group)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${group}/*.cpp)
  list(SORT sources)
  string(REPLACE "/" "_" id ${group})
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_${id}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/scripts/cmake/write_builtin_parts.cmake)
  # The script reads the list of sources from a file: a command line cannot hold semicolons portably.
  set(list ${CMAKE_CURRENT_BINARY_DIR}/builtin_${id}.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "${sources}" @ONLY)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DPHYSICS=${physics} -DGROUP=${id} -DLIST=${list} -DOUTPUT=${output} -P ${script}
    DEPENDS ${sources} ${list} ${script}
    COMMENT "Listing the built-in ${group} of ${physics}" VERBATIM)
  # The rule of a custom command exists only in its own directory.
  add_library(gsim_builtin_${physics}_${id} OBJECT ${output})
  target_compile_options(gsim_builtin_${physics}_${id} PRIVATE $<$<CONFIG:Release>:-Og>)
  target_link_libraries(gsim_builtin_${physics}_${id} PRIVATE gsim_flags)
  target_sources(gsim PRIVATE $<TARGET_OBJECTS:gsim_builtin_${physics}_${id}>)
endfunction()
