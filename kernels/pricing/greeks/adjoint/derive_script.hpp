#pragma once
// The derivatives of scripted payoffs (script_job.hpp): the program is executed forwards, so that
// the value of every instruction is kept, with ramps in the place of comparisons
// (script_adjoint.hpp), and then backwards. Instructions that the payoff skips where their
// condition holds on no path are executed, too: they change nothing.

#if defined(__CUDACC__)
#include "kernels/pricing/greeks/adjoint/derive_script_cuda.hpp"
#else
#include "kernels/pricing/greeks/adjoint/derive_script_host.hpp"
#endif
