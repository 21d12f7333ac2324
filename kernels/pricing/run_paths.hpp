#pragma once
// The driver of the machine that this file is compiled for.

#if defined(__CUDACC__)
#include "kernels/pricing/run_cuda.hpp"
#else
#include "kernels/pricing/run_host.hpp"
#endif
