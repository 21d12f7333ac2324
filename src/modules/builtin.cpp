#include "gsim/modules/builtin.hpp"

namespace gsim {

void register_builtin_modules(Registry&) {}

}  // namespace gsim
