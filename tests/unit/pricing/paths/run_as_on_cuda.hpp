#pragma once
// The launcher of paths on a CUDA device, compiled for the host: the same functors, one lane at a
// time. Its loops and payoffs are compiled once for all tests.

#include "kernels/pricing/job.hpp"
#include "kernels/pricing/paths/scratch.hpp"

namespace gsim::pricing::test {

/// Computes the blocks of a job as on a CUDA device, in strict arithmetic, on the calling thread.
/// The job's scratch memory has the layout for one thread per sample (scratch_layout()).
void run_as_on_cuda(const PathJob<double>& job);
void run_as_on_cuda(const PathJob<float>& job);

}  // namespace gsim::pricing::test
