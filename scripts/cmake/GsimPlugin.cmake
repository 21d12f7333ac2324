# gsim_add_plugin(NAME SOURCES a.cpp … [KERNELS b.cu …] [PAIR_POTENTIALS c.hpp …])
# Builds the shared object libNAME.so, which gsim loads: SOURCES as strict C++20, KERNELS once for each
# kind of processor and, if gsim is built for CUDA and nvcc is found, for CUDA (-DGSIM_PLUGIN_CUDA=OFF
# leaves them out). PAIR_POTENTIALS are headers of one potential each (gsim/md/pair_potentials/pair_potential.hpp); the
# sources of their kernels are generated and compiled. One of the SOURCES contains GSIM_PLUGIN(…) (gsim/engine/plugin.hpp).
function(gsim_add_plugin name)
  cmake_parse_arguments(arg "" "" "SOURCES;KERNELS;PAIR_POTENTIALS" ${ARGN})
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gsim_add_plugin(${name} …) takes SOURCES a.cpp …, KERNELS b.cu … and PAIR_POTENTIALS c.hpp …, not: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  # Symbols of a plugin must not replace those of another plugin or of gsim.
  foreach(language CXX CUDA)
    set(CMAKE_${language}_VISIBILITY_PRESET hidden)
    set(CMAKE_${language}_STANDARD 20)
    set(CMAKE_${language}_STANDARD_REQUIRED ON)
    set(CMAKE_${language}_EXTENSIONS OFF)
  endforeach()
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  gsim_select_cuda_runtime(${GSIM_CUDA_RUNTIME})
  add_library(${name} MODULE ${arg_SOURCES})
  set(cuda none)
  if(GSIM_HAS_CUDA AND (arg_KERNELS OR arg_PAIR_POTENTIALS))
    set(cuda ${GSIM_CUDA_VERSION})
  endif()
  target_compile_definitions(${name} PRIVATE GSIM_PLUGIN_SDK="${GSIM_SDK}"
    GSIM_PLUGIN_ARITHMETIC="${GSIM_ARITHMETIC}" GSIM_PLUGIN_LEVELS="${GSIM_COMPILED_LEVEL_NAMES}"
    GSIM_PLUGIN_CUDA="${cuda}")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE gsim::gsim gsim_flags)
  target_link_options(${name} PRIVATE -Wl,--no-undefined)
  set_target_properties(${name} PROPERTIES PREFIX lib LINKER_LANGUAGE CXX)
  gsim_add_pair_potentials(${name} ENTRIES entries INCLUDES includes
    HEADERS ${arg_PAIR_POTENTIALS} FOLDER ${GSIM_GENERATED_DIR}/${name} ROOT ${PROJECT_SOURCE_DIR})
  gsim_add_kernels(${name} SOURCES ${arg_KERNELS})
endfunction()
