// Launchers of window barriers.
#include "kernels/pricing/payoffs/window_barrier.hpp"

GSIM_DEFINE_PAYOFF(window_barrier, WindowBarrier)
