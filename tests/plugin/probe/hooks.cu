#include "hooks.hpp"

GSIM_DECLARE_BONDED(spring)
GSIM_DEFINE_BOND(spring, Spring)
GSIM_DECLARE_BONDED(straight)
GSIM_DEFINE_ANGLE(straight, Straight)
