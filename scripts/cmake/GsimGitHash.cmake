# cmake -DSOURCE=… -DOUTPUT=… -P GsimGitHash.cmake
# Writes the commit that is being built into a header, and touches it only when it changed.
set(hash "unknown")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(hash ${commit})
    execute_process(COMMAND ${git} -C ${SOURCE} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND hash "+")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define GSIM_GIT_HASH \"${hash}\"\n" @ONLY)
