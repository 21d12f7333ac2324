# A pair potential is one header (include/gsim/md/pair_potentials/pair_potential.hpp says of what). What else a build needs of
# it is written from its word in configurations and its struct, both read from the header, into
# GSIM_GENERATED_DIR, and rewritten when it changes only.

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

# gsim_add_pair_potentials(TARGET ENTRIES … INCLUDES … FOLDER … ROOT … HEADERS …)
# Writes FOLDER/cluster_forces_WORD.cu, which hosts use, and full_forces_WORD.cu, which both hosts and
# CUDA devices use, for every header that holds a potential, and adds them to TARGET. Sets ENTRIES to "X(WORD, STRUCT)" of each and INCLUDES to their #include lines.
# Headers are included as they stand below ROOT.
function(gsim_add_pair_potentials target)
  cmake_parse_arguments(arg "" "ENTRIES;INCLUDES;FOLDER;ROOT" "HEADERS" ${ARGN})
  set(words)
  set(includes "")
  set(entries "")
  foreach(header IN LISTS arg_HEADERS)  # in the alphabet's order, and so are configurations' choices
    get_filename_component(header ${header} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    gsim_read_potential(${header} word struct)
    if(NOT word)
      continue()
    endif()
    if(word IN_LIST words)
      message(FATAL_ERROR "${header}: there is another pair potential with the name ${word}")
    endif()
    list(APPEND words ${word})
    file(RELATIVE_PATH include ${arg_ROOT} ${header})
    string(APPEND includes "#include \"${include}\"\n")
    string(APPEND entries " \\\n  X(${word}, ${struct})")
    foreach(kernel cluster_forces full_forces)
      set(source ${arg_FOLDER}/${kernel}_${word}.cu)
      string(TOUPPER ${kernel} define)
      file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"gsim/md/pair_forces/${kernel}.hpp\"
#include \"gsim/md/pair_forces/pair_launchers.hpp\"
#include \"${include}\"

GSIM_DECLARE_PAIR_LAUNCHERS(${word}, ${struct})
GSIM_DEFINE_${define}(${word}, ${struct})
")
    endforeach()
    gsim_add_kernels(${target} SOURCES ${arg_FOLDER}/cluster_forces_${word}.cu HOST_ONLY)
    gsim_add_kernels(${target} SOURCES ${arg_FOLDER}/full_forces_${word}.cu)
  endforeach()
  set(${arg_ENTRIES} "${entries}" PARENT_SCOPE)
  set(${arg_INCLUDES} "${includes}" PARENT_SCOPE)
endfunction()
