#pragma once
// Reproducible sums over blocks: the sum over blocks 0 … n-1 is defined as a fixed binary tree over
// the global block number, merge(node(l, 2k), node(l, 2k+1)) = node(l+1, k), and the nodes that
// remain are merged in order, starting with the first. Any contiguous range of blocks reduces to at
// most 2 log2(n) complete nodes, independent of the rank that computes it; so ranks reduce their
// own ranges, exchange nodes, and every rank gets the same bits as a single rank. Memory grows with
// the logarithm of the number of blocks.

#include <utility>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// `Value` needs a deterministic `Value merge(const Value& first, const Value& second)` by ADL.
template <class Value>
class MergeStack {
 public:
  struct Node {
    int level;  ///< the node covers blocks [index << level, (index + 1) << level)
    Index index;
    Value value;
  };

  /// Appends a node that begins where the stack ends, and merges siblings.
  void push(Node node) {
    nodes_.push_back(std::move(node));
    while (nodes_.size() >= 2) {
      Node& left = nodes_[nodes_.size() - 2];
      Node& right = nodes_.back();
      if (left.level != right.level || left.index % 2 != 0 || right.index != left.index + 1) break;
      left = Node{left.level + 1, left.index / 2, merge(left.value, right.value)};
      nodes_.pop_back();
    }
  }
  void push_block(Index block, Value value) { push(Node{0, block, std::move(value)}); }
  /// Appends the nodes of another range, which begin where this stack ends.
  void append(const MergeStack& next) {
    for (const Node& n : next.nodes_) push(n);
  }
  bool empty() const { return nodes_.empty(); }
  const std::vector<Node>& nodes() const { return nodes_; }
  std::vector<Node>& nodes() { return nodes_; }
  /// The sum over all blocks so far. The stack must not be empty.
  Value total() const {
    Value sum = nodes_.front().value;
    for (std::size_t i = 1; i < nodes_.size(); ++i) sum = merge(sum, nodes_[i].value);
    return sum;
  }

 private:
  std::vector<Node> nodes_;
};

}  // namespace gsim
