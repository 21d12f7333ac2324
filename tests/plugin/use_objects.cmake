# Included by the project of an example plugin (CMAKE_PROJECT_<name>_INCLUDE): its kernels, whose sources a build of gsim
# has compiled with the same flags but for visibility, are not compiled again, and its other sources are compiled together. Needs
#   USED_OBJECTS   objects of kernels, between commas, named …_src_NAME_cu.LEVEL.cpp.o or …/src/NAME.cu.o (for CUDA)
set(copy_object ${CMAKE_CURRENT_LIST_DIR}/copy_object)
cmake_language(DEFER CALL use_objects)

function(use_objects)
  string(REPLACE "," ";" objects "${USED_OBJECTS}")
  foreach(object IN LISTS objects)
    set(language CXX)
    if(object MATCHES "/src/([a-z_]+)\\.cu\\.o$")
      set(language CUDA)
      set(kernels src_${CMAKE_MATCH_1}_cu_cuda)
    else()
      string(REGEX REPLACE ".*_(src_[a-z_]+_cu)\\.([a-z0-9]+)\\.cpp\\.o$" "\\1_\\2" kernels ${object})
    endif()
    if(language STREQUAL CXX OR TARGET ${kernels})  # without CUDA there are none for it
      set_target_properties(${kernels} PROPERTIES ${language}_COMPILER_LAUNCHER "${copy_object};${object}")
    endif()
  endforeach()
  set_target_properties(${PROJECT_NAME} PROPERTIES UNITY_BUILD ON)
  target_link_options(${PROJECT_NAME} PRIVATE -Wl,-Bsymbolic)  # as with the hidden symbols of other plugins
endfunction()
