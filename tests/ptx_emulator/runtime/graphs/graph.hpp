#pragma once
// Graphs of work, and executable graphs.

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/graphs/work.hpp"

namespace ptxemu {

class Graph;

/// A node of a graph.
struct Node {
  Graph* graph = nullptr;
  std::uint64_t number = 0;  ///< unique in the process; the copy in a clone has the same
  Work work;
  std::vector<Node*> dependencies;  ///< nodes that are executed before
};

/// What the program builds or captures.
class Graph {
 public:
  Graph();
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Appends a node, which depends on others of the graph.
  Node& add(Work work, std::vector<Node*> dependencies);
  /// Removes a node with its dependencies.
  void remove(const Node& node);
  /// A copy whose nodes have the same numbers.
  std::unique_ptr<Graph> clone() const;
  /// The nodes in the order in which they were added.
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  /// The place of a node in nodes().
  std::size_t index_of(const Node& node) const;

  /// Whether the handles are those of a graph and a node that exist.
  static bool exists(const Graph* graph);
  static bool exists(const Node* node);

 private:
  std::vector<std::unique_ptr<Node>> nodes_;
};

/// A node of an executable graph.
struct Step {
  const Node* node = nullptr;      ///< from which it was made; only its address is used
  Work work;                       ///< a copy, which can be changed
  std::vector<std::size_t> after;  ///< places of the steps that are executed before
  bool enabled = true;
  std::vector<Step> child;  ///< the steps of the graph of a ChildWork
};

/// The steps of a graph, which may be executed any number of times.
class ExecutableGraph {
 public:
  /// Returns null if the dependencies form a cycle.
  static std::unique_ptr<ExecutableGraph> make(const Graph& graph);

  /// The steps at this time, for an execution that later changes do not affect.
  std::shared_ptr<const std::vector<Step>> steps() const { return steps_; }
  /// The step of a node, also of a graph in the graph, for a change; null if there is none.
  Step* step_of(const Node* node);
  /// Replaces the parameters of all steps by those of a graph with the same topology.
  cudaGraphExecUpdateResultInfo update(const Graph& graph);

  // The last launch: the next one is executed after it.
  Stream* last_stream = nullptr;
  std::uint64_t last_sequence = 0;

 private:
  std::vector<Step>& steps_for_change();
  std::shared_ptr<std::vector<Step>> steps_;
};

/// Executes all steps in an order that the dependencies allow: that of creation for seed 0,
/// otherwise drawn from the seed.
void execute(Device& device, const std::vector<Step>& steps, std::uint64_t seed);

}  // namespace ptxemu
