#include "runtime/graphs/graph.hpp"

#include <algorithm>
#include <random>
#include <set>

#include "runtime/device.hpp"

namespace ptxemu {
namespace {

std::set<const Graph*>& graphs() {
  static auto* const all = new std::set<const Graph*>;
  return *all;
}
std::set<const Node*>& nodes_of_all() {
  static auto* const all = new std::set<const Node*>;
  return *all;
}

std::vector<Step> steps_of(const Graph& graph) {
  std::vector<Step> steps;
  for (const auto& node : graph.nodes()) {
    Step step{node.get(), node->work, {}, true, {}};
    for (const Node* const before : node->dependencies)
      step.after.push_back(graph.index_of(*before));
    if (const auto* const child = std::get_if<ChildWork>(&node->work))
      step.child = steps_of(*child->graph);
    steps.push_back(std::move(step));
  }
  return steps;
}

/// The next of the steps that can be executed after those that are done; steps.size() if none is.
std::size_t next_step(const std::vector<Step>& steps, const std::vector<bool>& done,
                      std::mt19937_64* engine) {
  std::vector<std::size_t> ready;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    if (done[n]) continue;
    const auto& after = steps[n].after;
    if (!std::all_of(after.begin(), after.end(), [&](std::size_t before) { return done[before]; }))
      continue;
    if (engine == nullptr) return n;
    ready.push_back(n);
  }
  return ready.empty() ? steps.size() : ready[(*engine)() % ready.size()];
}

bool has_cycle(const std::vector<Step>& steps) {
  std::vector<bool> done(steps.size(), false);
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const std::size_t next = next_step(steps, done, nullptr);
    if (next == steps.size() || has_cycle(steps[next].child)) return true;
    done[next] = true;
  }
  return false;
}

Step* find(std::vector<Step>& steps, const Node* node) {
  for (Step& step : steps) {
    if (step.node == node) return &step;
    if (Step* const found = find(step.child, node)) return found;
  }
  return nullptr;
}

/// Whether the parameters may change from those of one copy to those of another.
bool may_become(const CopyWork& from, const CopyWork& to) {
  return from.direction == to.direction && (from.height == 1) == (to.height == 1) &&
         (from.depth == 1) == (to.depth == 1);
}
bool may_become(const FillWork& from, const FillWork& to) {
  const bool same_rows = from.width == to.width && from.height == to.height &&
                         from.pitch == to.pitch && from.element == to.element;
  return (from.height == 1 && to.height == 1) || same_rows;
}
bool may_become(const KernelWork& from, const KernelWork& to) {
  return from.cooperative == to.cooperative;
}
template <class Same>
bool may_become(const Same&, const Same&) {
  return true;
}

cudaGraphNode_t handle(const Node* node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<Node*>(node));
}

/// What is wrong with an update of the steps; success if nothing is.
cudaGraphExecUpdateResultInfo compare(const std::vector<Step>& old, const std::vector<Step>& now) {
  if (old.size() != now.size()) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  for (std::size_t n = 0; n < now.size(); ++n) {
    const Step &a = old[n], &b = now[n];
    if (a.after.size() != b.after.size())
      return {cudaGraphExecUpdateErrorTopologyChanged, handle(b.node), nullptr};
    for (std::size_t k = 0; k < b.after.size(); ++k)
      if (a.after[k] != b.after[k])
        return {cudaGraphExecUpdateErrorTopologyChanged, handle(b.node),
                handle(now[b.after[k]].node)};
    if (a.work.index() != b.work.index())
      return {cudaGraphExecUpdateErrorNodeTypeChanged, handle(b.node), nullptr};
    const bool allowed = std::visit(
        [&](const auto& from) {
          return may_become(from, std::get<std::decay_t<decltype(from)>>(b.work));
        },
        a.work);
    if (!allowed) return {cudaGraphExecUpdateErrorParametersChanged, handle(b.node), nullptr};
    const cudaGraphExecUpdateResultInfo of_child = compare(a.child, b.child);
    if (of_child.result != cudaGraphExecUpdateSuccess) return of_child;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

void replace_work(std::vector<Step>& steps, const std::vector<Step>& by) {
  for (std::size_t n = 0; n < steps.size(); ++n) {
    steps[n].work = by[n].work;
    replace_work(steps[n].child, by[n].child);
  }
}

}  // namespace

Graph::Graph() { graphs().insert(this); }

Graph::~Graph() {
  for (const auto& node : nodes_) nodes_of_all().erase(node.get());
  graphs().erase(this);
}

bool Graph::exists(const Graph* graph) { return graphs().count(graph) != 0; }
bool Graph::exists(const Node* node) { return nodes_of_all().count(node) != 0; }

Node& Graph::add(Work work, std::vector<Node*> dependencies) {
  static std::uint64_t last_number = 0;
  nodes_.push_back(
      std::make_unique<Node>(Node{this, ++last_number, std::move(work), std::move(dependencies)}));
  nodes_of_all().insert(nodes_.back().get());
  return *nodes_.back();
}

void Graph::remove(const Node& node) {
  for (const auto& other : nodes_) std::erase(other->dependencies, &node);
  nodes_of_all().erase(&node);
  std::erase_if(nodes_, [&](const auto& candidate) { return candidate.get() == &node; });
}

std::size_t Graph::index_of(const Node& node) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [&](const auto& candidate) { return candidate.get() == &node; });
  return static_cast<std::size_t>(found - nodes_.begin());
}

std::unique_ptr<Graph> Graph::clone() const {
  auto copy = std::make_unique<Graph>();
  for (const auto& node : nodes_) {
    Node& added = copy->add(node->work, {});
    added.number = node->number;
    if (auto* const child = std::get_if<ChildWork>(&added.work))
      child->graph = child->graph->clone();
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    for (const Node* const before : nodes_[n]->dependencies)
      copy->nodes_[n]->dependencies.push_back(copy->nodes_[index_of(*before)].get());
  return copy;
}

std::unique_ptr<ExecutableGraph> ExecutableGraph::make(const Graph& graph) {
  auto executable = std::make_unique<ExecutableGraph>();
  executable->steps_ = std::make_shared<std::vector<Step>>(steps_of(graph));
  if (has_cycle(*executable->steps_)) return nullptr;
  return executable;
}

std::vector<Step>& ExecutableGraph::steps_for_change() {
  if (steps_.use_count() > 1) steps_ = std::make_shared<std::vector<Step>>(*steps_);
  return *steps_;
}

Step* ExecutableGraph::step_of(const Node* node) { return find(steps_for_change(), node); }

cudaGraphExecUpdateResultInfo ExecutableGraph::update(const Graph& graph) {
  const std::vector<Step> now = steps_of(graph);
  const cudaGraphExecUpdateResultInfo result = compare(*steps_, now);
  if (result.result == cudaGraphExecUpdateSuccess) replace_work(steps_for_change(), now);
  return result;
}

void execute(Device& device, const std::vector<Step>& steps, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<bool> done(steps.size(), false);
  for (std::size_t n = 0; n < steps.size() && device.sticky == cudaSuccess; ++n) {
    const std::size_t next = next_step(steps, done, seed == 0 ? nullptr : &engine);
    const Step& step = steps[next];
    if (std::holds_alternative<ChildWork>(step.work))
      execute(device, step.child, seed);
    else if (step.enabled)
      execute(device, step.work, true);
    done[next] = true;
  }
}

}  // namespace ptxemu
