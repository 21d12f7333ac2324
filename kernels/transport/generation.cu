#include "kernels/transport/generation.hpp"
#include "kernels/transport/history.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

using transport::SiteChunk;

#if defined(__CUDACC__)

/// Adds to 128 bits in two words: the lower one carries into the upper one.
GSIM_HD void add_atomically(WideInteger* to, WideInteger quanta) {
#if defined(__CUDA_ARCH__)
  using Word = unsigned long long;
  const auto low = static_cast<Word>(quanta);
  const Word before = atomicAdd(reinterpret_cast<unsigned long long*>(to), low);
  const Word carry = before + low < low ? 1 : 0;
  atomicAdd(reinterpret_cast<unsigned long long*>(to) + 1, static_cast<Word>(quanta >> 64) + carry);
#endif
}
GSIM_HD void count_atomically(std::int64_t* to, std::int64_t count) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(count));
#endif
}

struct DeviceSites {
  SiteChunk* chunk;
  GSIM_HD void add(const Site& site) {
#if defined(__CUDA_ARCH__)
    const auto at =
        static_cast<Index>(atomicAdd(reinterpret_cast<unsigned long long*>(&chunk->count), 1ull));
    if (at < chunk->capacity) chunk->sites[at] = site;
#endif
  }
};

/// A history a thread. Lost particles are counted; where they were, a replay on the host tells.
struct DeviceHistory {
  GenerationArgs args;
  GSIM_HD void operator()(Index i) const {
    HistoryScores mine;
    DeviceSites sink{args.chunks};
    History<DeviceSites>(args, i, sink, mine).run();
    add_atomically(&args.scores->k_collision, mine.k_collision);
    add_atomically(&args.scores->k_absorption, mine.k_absorption);
    add_atomically(&args.scores->k_track_length, mine.k_track_length);
    if (mine.leakage != 0) add_atomically(&args.scores->leakage, mine.leakage);
    count_atomically(&args.scores->collisions, mine.collisions);
    count_atomically(&args.scores->flights, mine.flights);
    if (mine.lost != 0) count_atomically(&args.scores->lost, mine.lost);
  }
};

#else

class ChunkSites {
 public:
  ChunkSites(const GenerationArgs& args, Index chunk) : args_(args), chunk_(chunk) {
    args.chunks[chunk].count = 0;
  }
  void add(const Site& site) {
    SiteChunk& to = args_.chunks[chunk_];
    if (to.count == to.capacity) args_.grow(args_.owner, chunk_, to.count + 1);
    to.sites[to.count++] = site;
  }

 private:
  const GenerationArgs& args_;
  Index chunk_;
};

#endif

}  // namespace transport_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(transport_generation, transport::GenerationArgs) {
#if defined(__CUDACC__)
  launch(executor, "histories", args.source.size, transport_kernels::DeviceHistory{args}, 128);
#else
  const Index count = args.source.size, size = args.chunk_size;
  executor.pool().for_each((count + size - 1) / size, [&](Index chunk, int worker) {
    transport_kernels::ChunkSites sink(args, chunk);
    transport::HistoryScores& scores = args.scores[worker];
    const Index last = (chunk + 1) * size < count ? (chunk + 1) * size : count;
    for (Index i = chunk * size; i < last; ++i)
      transport_kernels::History<transport_kernels::ChunkSites>(args, i, sink, scores).run();
  });
#endif
}
