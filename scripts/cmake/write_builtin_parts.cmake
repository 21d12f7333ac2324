# cmake -DPHYSICS=… -DGROUP=… -DLIST=FILE -DOUTPUT=FILE -P write_builtin_parts.cmake
# Writes the source that GsimBuiltinParts.cmake describes to OUTPUT. LIST holds the sources that may be parts,
# sorted and separated by semicolons.
file(READ ${LIST} sources)
set(declarations "")
set(calls "")
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} definition REGEX "^void register_${name}\\(Registry&")
  if(definition)
    string(APPEND declarations "void register_${name}(Registry& registry);\n")
    string(APPEND calls "  register_${name}(registry);\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Written by scripts/cmake/write_builtin_parts.cmake.
namespace gsim {
class Registry;
}

namespace gsim::${PHYSICS} {

${declarations}
void register_builtin_${GROUP}(Registry& registry);
void register_builtin_${GROUP}([[maybe_unused]] Registry& registry) {
${calls}}

}  // namespace gsim::${PHYSICS}
")
