#pragma once
// The implementation of LaunchGraph by a backend.

#include <functional>

#include "gsim/exec/launch_graph.hpp"

namespace gsim {

class LaunchGraph::Implementation {
 public:
  virtual ~Implementation() = default;
  virtual void run(int length, const std::function<void()>& enqueue) = 0;
  virtual bool repeat(int length) = 0;
};

}  // namespace gsim
