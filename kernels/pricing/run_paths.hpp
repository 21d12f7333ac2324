#pragma once
// Includes the functions that simulate paths on the target for which this file is compiled.

#if defined(__CUDACC__)
#include "kernels/pricing/run_cuda.hpp"
#else
#include "kernels/pricing/run_host.hpp"
#endif
