# Parts of molecular dynamics that are one header each: pair potentials (include/gsim/md/pair_potentials/
# pair_potential.hpp describes one), bond styles and angle styles (include/gsim/md/bonded/bond_style.hpp,
# angle_style.hpp). The kernel sources and the list of all parts are written into GSIM_GENERATED_DIR from the
# name in configurations and the struct, both read from the header; they are rewritten only when they change.

# Sets NAME and STRUCT to those of a header, or to empty strings if it contains no part.
function(gsim_read_part header name struct)
  file(READ ${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  set(${name} "" PARENT_SCOPE)
  set(member "constexpr[ \n]+char[ \n]+name\\[\\]")
  if(NOT text MATCHES "${member}")
    return()
  endif()
  if(NOT text MATCHES "struct[ \n]+([A-Za-z0-9_]+)[^;{}]*{[^;{}]*${member} = \"([a-z][a-z0-9_]*)\"")
    message(FATAL_ERROR "${header}: such a part is a struct whose first member is `static "
      "constexpr char name[] = \"its_name\"`, of lower-case letters, digits and underscores")
  endif()
  set(${name} ${CMAKE_MATCH_2} PARENT_SCOPE)
  set(${struct} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# gsim_list_parts(WHAT ENTRIES … INCLUDES … NAMES … STRUCTS … ROOT … HEADERS …)
# Sets NAMES, STRUCTS and FILES of all headers that contain a part, in alphabetical order of the files, ENTRIES to
# "X(NAME, STRUCT)" of each and INCLUDES to their #include lines, relative to ROOT. Two equal names are an error.
function(gsim_list_parts what)
  cmake_parse_arguments(arg "" "ENTRIES;INCLUDES;NAMES;STRUCTS;FILES;ROOT" "HEADERS" ${ARGN})
  set(names)
  set(structs)
  set(files)
  set(includes "")
  set(entries "")
  foreach(header IN LISTS arg_HEADERS)
    get_filename_component(header ${header} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    gsim_read_part(${header} name struct)
    if(NOT name)
      continue()
    endif()
    if(name IN_LIST names)
      message(FATAL_ERROR "${header}: there is another ${what} with the name ${name}")
    endif()
    file(RELATIVE_PATH include ${arg_ROOT} ${header})
    list(APPEND names ${name})
    list(APPEND structs ${struct})
    list(APPEND files ${include})
    string(APPEND includes "#include \"${include}\"\n")
    string(APPEND entries " \\\n  X(${name}, ${struct})")
  endforeach()
  foreach(result ENTRIES INCLUDES NAMES STRUCTS FILES)
    string(TOLOWER ${result} value)
    if(arg_${result})
      set(${arg_${result}} "${${value}}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# gsim_add_pair_potentials(TARGET ENTRIES … INCLUDES … FOLDER … ROOT … HEADERS …)
# Writes FOLDER/cluster_forces_NAME.cu, which hosts use, and full_forces_NAME.cu, which both hosts and CUDA
# devices use, for every header that contains a pair potential, and adds them to TARGET. ENTRIES and INCLUDES are
# set as by gsim_list_parts.
function(gsim_add_pair_potentials target)
  cmake_parse_arguments(arg "" "ENTRIES;INCLUDES;FOLDER;ROOT" "HEADERS" ${ARGN})
  gsim_list_parts("pair potential" ENTRIES entries INCLUDES includes NAMES names STRUCTS structs FILES files
    ROOT ${arg_ROOT} HEADERS ${arg_HEADERS})
  foreach(name struct include IN ZIP_LISTS names structs files)
    foreach(kernel cluster_forces full_forces)
      string(TOUPPER ${kernel} define)
      file(CONFIGURE OUTPUT ${arg_FOLDER}/${kernel}_${name}.cu @ONLY CONTENT
"#include \"gsim/md/pair_forces/${kernel}.hpp\"
#include \"gsim/md/pair_forces/pair_launchers.hpp\"
#include \"${include}\"

GSIM_DECLARE_PAIR_LAUNCHERS(${name}, ${struct})
GSIM_DEFINE_${define}(${name}, ${struct})
")
    endforeach()
    gsim_add_kernels(${target} SOURCES ${arg_FOLDER}/cluster_forces_${name}.cu HOST_ONLY)
    gsim_add_kernels(${target} SOURCES ${arg_FOLDER}/full_forces_${name}.cu)
  endforeach()
  set(${arg_ENTRIES} "${entries}" PARENT_SCOPE)
  set(${arg_INCLUDES} "${includes}" PARENT_SCOPE)
endfunction()

# gsim_add_bonded_styles(TARGET KIND ENTRIES … INCLUDES … FOLDER … ROOT … HEADERS …)
# KIND is bond or angle. Writes FOLDER/KINDs.cu with the launchers of every header that contains a style, and adds it
# to TARGET. ENTRIES and INCLUDES are set as by gsim_list_parts.
function(gsim_add_bonded_styles target kind)
  cmake_parse_arguments(arg "" "ENTRIES;INCLUDES;FOLDER;ROOT" "HEADERS" ${ARGN})
  gsim_list_parts("${kind} style" ENTRIES entries INCLUDES includes NAMES names STRUCTS structs
    ROOT ${arg_ROOT} HEADERS ${arg_HEADERS})
  string(TOUPPER ${kind} define)
  set(text "${includes}\n")
  foreach(name struct IN ZIP_LISTS names structs)
    string(APPEND text "GSIM_DECLARE_${define}(${name})\nGSIM_DEFINE_${define}(${name}, ${struct})\n")
  endforeach()
  file(CONFIGURE OUTPUT ${arg_FOLDER}/${kind}s.cu @ONLY CONTENT "${text}")
  gsim_add_kernels(${target} SOURCES ${arg_FOLDER}/${kind}s.cu)
  set(${arg_ENTRIES} "${entries}" PARENT_SCOPE)
  set(${arg_INCLUDES} "${includes}" PARENT_SCOPE)
endfunction()
