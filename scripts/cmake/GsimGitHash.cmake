# cmake -DSOURCE=… -DOUTPUT=… -P GsimGitHash.cmake
# Writes the hash of the commit that is being built into a header, with a + if files differ from the commit. An
# unchanged header is not written again.
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
