#pragma once
// Includes the functions that compute Greeks on the target for which this file is compiled.

#if defined(__CUDACC__)
#include "kernels/pricing/greeks/run_greeks_cuda.hpp"
#else
#include "kernels/pricing/greeks/run_greeks_host.hpp"
#endif
