// Launchers of the payoffs that replace others for Greeks.
#include "kernels/pricing/greeks/smoothed_payoffs.hpp"
#include "kernels/pricing/greeks/weighted_payoff.hpp"

GSIM_DEFINE_PAYOFF(smoothed_digital, SmoothedDigital)
GSIM_DEFINE_PAYOFF(smoothed_barrier, SmoothedBarrier)
GSIM_DEFINE_PAYOFF(weighted_payoff, WeightedPayoff)
