// Launchers of the smoothed payoffs.
#include "kernels/pricing/greeks/smoothed_payoffs.hpp"

GSIM_DEFINE_PAYOFF(smoothed_digital, SmoothedDigital)
GSIM_DEFINE_PAYOFF(smoothed_barrier, SmoothedBarrier)
