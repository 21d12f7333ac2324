# Included by the project of an example plugin (CMAKE_PROJECT_<name>_INCLUDE): the kernels for CPU levels, whose sources a
# build of gsim has compiled with the same flags but for visibility, are not compiled again. Needs
#   USED_OBJECTS   their objects, between commas, named …_src_NAME_cu.LEVEL.cpp.o
set(copy_object ${CMAKE_CURRENT_LIST_DIR}/copy_object)
cmake_language(DEFER CALL use_objects)

function(use_objects)
  string(REPLACE "," ";" objects "${USED_OBJECTS}")
  foreach(object IN LISTS objects)
    string(REGEX REPLACE ".*_(src_[a-z_]+_cu)\\.([a-z0-9]+)\\.cpp\\.o$" "\\1_\\2" kernels ${object})
    set_target_properties(${kernels} PROPERTIES CXX_COMPILER_LAUNCHER "${copy_object};${object}")
  endforeach()
  target_link_options(${PROJECT_NAME} PRIVATE -Wl,-Bsymbolic)  # as with the hidden symbols of other plugins
endfunction()
