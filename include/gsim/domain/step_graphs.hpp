#pragma once
// Time steps of a grid on one rank, which a device receives several at a time.

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/launch_graph.hpp"

namespace gsim {

/// Makes time steps whose launches depend on nothing but whether the number of steps so far is even
/// or odd, as those that read one of two buffers and write the other. On a device and on one rank,
/// where a step exchanges no messages, `steps_together` steps are launched as one CUDA graph,
/// without preparing their launches again each time; otherwise one by one.
class StepGraphs {
 public:
  /// An even number, so that buffers are the same ones before and after.
  static constexpr Index steps_together = 16;

  StepGraphs(const Communicator& communicator, const Executor& executor)
      : graph_(executor), has_graphs_(communicator.size() == 1 && executor.is_cuda()) {}

  /// Calls step() `count` times, or launches the same again. All steps must be made here. step()
  /// may launch and copy on the executor, but not wait for it, allocate its memory, or copy from or
  /// to the host.
  template <class Step>
  void run(Index count, const Step& step) {
    for (; has_graphs_ && count >= steps_together; count -= steps_together)
      if (!graph_.repeat(parity_))
        graph_.run(parity_, [&] {
          for (Index n = 0; n < steps_together; ++n) step();
        });
    for (; count > 0; --count) {
      step();
      parity_ = 1 - parity_;
    }
  }

 private:
  LaunchGraph graph_;  // two graphs, named by parity_
  bool has_graphs_;
  int parity_ = 0;  // of the number of steps
};

}  // namespace gsim
