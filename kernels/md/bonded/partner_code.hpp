#pragma once
// An excluded partner of an atom as one integer: 4 times its id, plus the number of bonds between
// the atoms (0 to 3).

#include <cstdint>

#include "gsim/exec/launch.hpp"

namespace gsim::md {

GSIM_HD constexpr std::int64_t partner_code(std::int64_t id, int bonds) { return id * 4 + bonds; }
GSIM_HD constexpr std::int64_t partner_id(std::int64_t code) { return code >> 2; }
GSIM_HD constexpr int bonds_between(std::int64_t code) { return static_cast<int>(code & 3); }

}  // namespace gsim::md
