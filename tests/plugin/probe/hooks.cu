#include "hooks.hpp"

GSIM_DECLARE_BOND(spring)
GSIM_DEFINE_BOND(spring, Spring)
GSIM_DECLARE_ANGLE(straight)
GSIM_DEFINE_ANGLE(straight, Straight)
