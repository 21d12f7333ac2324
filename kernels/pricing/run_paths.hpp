#pragma once
// Includes the driver for the target that this file is compiled for.

#if defined(__CUDACC__)
#include "kernels/pricing/run_cuda.hpp"
#else
#include "kernels/pricing/run_host.hpp"
#endif
