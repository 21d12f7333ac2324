#include "src/exec/launch_graph.hpp"

#include "src/exec/backend.hpp"

namespace gsim {

LaunchGraph::LaunchGraph(const Executor& executor)
    : executor_(executor), implementation_(executor.backend().make_launch_graph()) {}

LaunchGraph::~LaunchGraph() = default;

void LaunchGraph::run(int length, const std::function<void()>& enqueue) {
  if (implementation_ == nullptr) return enqueue();
  implementation_->run(length, enqueue);
}

bool LaunchGraph::repeat(int length) {
  return implementation_ != nullptr && implementation_->repeat(length);
}

void copy_on_executor(const Executor& executor, void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) executor.backend().copy_within(to, from, bytes);
}

}  // namespace gsim
