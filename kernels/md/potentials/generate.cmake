# A pair potential is one header of this folder (potential.hpp says of what). What else the build needs
# of it is written from its word in configurations and its struct, both read from the header:
#   kernels/md/cluster_forces_WORD.cu, full_forces_WORD.cu   its kernels
#   kernels/md/potentials/list.hpp                           all of them, for set-up code
# They stand under GSIM_GENERATED_DIR, are rewritten when they change only, and are in no package.

# Sets WORD and STRUCT to those of a header, or to nothing where it holds no potential.
function(gsim_read_potential header word struct)
  file(READ ${header} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  set(${word} "" PARENT_SCOPE)
  set(name "constexpr[ \n]+char[ \n]+name\\[\\]")
  if(NOT text MATCHES "${name}")
    return()
  endif()
  if(NOT text MATCHES "struct[ \n]+([A-Za-z0-9_]+)[^;{}]*{[^;{}]*${name} = \"([a-z][a-z0-9_]*)\"")
    message(FATAL_ERROR "${header}: a pair potential is a struct whose first member is `static "
      "constexpr char name[] = \"its_word\"`, of small letters, digits and underscores")
  endif()
  set(${word} ${CMAKE_MATCH_2} PARENT_SCOPE)
  set(${struct} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

set(GSIM_PAIR_POTENTIAL_SOURCES)
set(words)
set(includes)
set(entries)
file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.hpp)
foreach(header IN LISTS headers)  # in the alphabet's order, and so are configurations' choices
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  gsim_read_potential(${header} word struct)
  if(NOT word)
    continue()
  endif()
  if(word IN_LIST words)
    message(FATAL_ERROR "${header}: there is another pair potential with the name ${word}")
  endif()
  list(APPEND words ${word})
  file(RELATIVE_PATH include ${PROJECT_SOURCE_DIR} ${header})
  string(APPEND includes "#include \"${include}\"\n")
  string(APPEND entries " \\\n  X(${word}, ${struct})")
  foreach(kernel cluster_forces full_forces)
    set(source ${GSIM_GENERATED_DIR}/kernels/md/${kernel}_${word}.cu)
    string(TOUPPER ${kernel} define)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"kernels/md/${kernel}.hpp\"
#include \"${include}\"
#include \"kernels/md/potentials/launchers.hpp\"

GSIM_DECLARE_PAIR_LAUNCHERS(${word}, ${struct})
GSIM_DEFINE_${define}(${word}, ${struct})
")
    list(APPEND GSIM_PAIR_POTENTIAL_SOURCES ${source})
  endforeach()
endforeach()

file(CONFIGURE OUTPUT ${GSIM_GENERATED_DIR}/kernels/md/potentials/list.hpp @ONLY CONTENT
"#pragma once
// All pair potentials: the word of their launchers, and their struct.

${includes}
#define GSIM_PAIR_POTENTIALS(X)${entries}
")
