#pragma once
// Loops over many items, divided among threads in contiguous chunks.

#include <algorithm>

#include "gsim/core/types.hpp"
#include "gsim/exec/thread_pool.hpp"

namespace gsim::transport {

/// Calls task(IndexRange, worker) for ranges of `size` items of [0, count); the last may be
/// shorter.
template <class Task>
void in_chunks(ThreadPool& pool, Index count, Index size, const Task& task) {
  pool.for_each((count + size - 1) / size, [&](Index chunk, int worker) {
    task(IndexRange{chunk * size, std::min((chunk + 1) * size, count)}, worker);
  });
}

}  // namespace gsim::transport
