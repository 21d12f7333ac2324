#include "support/test_modules/pi_sampler.hpp"

#include <chrono>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim::test_modules {
namespace {

const char* const names[2] = {"pi", "mean square"};

Estimate make_estimate(const Sums& s, int i, bool converged) {
  Estimate e;
  e.name = names[i];
  e.count = s.count;
  e.converged = converged;
  if (s.count < 2) return e;
  const auto n = static_cast<double>(s.count);
  e.mean = s.sum[i] / n;
  e.standard_error = std::sqrt((s.square[i] / n - e.mean * e.mean) / (n - 1));
  return e;
}

}  // namespace

Sums merge(const Sums& a, const Sums& b) {
  Sums s;
  s.count = a.count + b.count;
  for (int i = 0; i < 2; ++i) {
    s.sum[i] = a.sum[i] + b.sum[i];
    s.square[i] = a.square[i] + b.square[i];
  }
  return s;
}

void Sampler::describe(Section& top) {
  top.optional_table(
      "sampler",
      [this](Section& s) {
        s.optional("blocks", blocks_,
                   {.doc = "maximum number of blocks", .minimum = 1, .is_run_length = true});
        s.optional("block_samples", block_samples_, {.doc = "samples per block", .minimum = 1});
        s.optional("delay", delay_,
                   {.doc = "time that each block sleeps", .unit = "s", .minimum = 0});
        s.optional("checkpoint_bytes", checkpoint_bytes_,
                   {.doc = "bytes that are added to each checkpoint", .minimum = 0});
        s.optional(
            "fault", fault_,
            {.doc =
                 "failure to simulate: \"none\"; \"throw\", \"unhealthy\" (an invalid state) or "
                 "\"die\" (abort) in a block; "
                 "\"save\" or \"results\": throw while a checkpoint or the results are written"});
        s.optional(
            "fault_block", fault_block_,
            {.doc = "number of the block or of the checkpoint that fails, from 0", .minimum = 0});
        s.optional("fault_rank", fault_rank_, {.doc = "rank that fails", .minimum = 0});
      },
      "test module: estimates pi from random points");
}

WorkPlan Sampler::plan(const Context& context) {
  context_ = std::make_shared<const Context>(context);
  // an invalid value, for tests of error messages
  GSIM_VALIDATE(block_samples_ != 13, "block_samples may not be 13", "choose another number");
  if (context.stop.max_samples > 0) {
    blocks_ = std::min(blocks_, (context.stop.max_samples + block_samples_ - 1) / block_samples_);
  }
  WorkPlan plan;
  plan.unit_name = "block";
  plan.total_units = blocks_;
  plan.summary = fmt::format("2 estimates, {} samples per block", block_samples_);
  plan.item_name = "samples";
  plan.items_per_unit = static_cast<double>(block_samples_);
  plan.units_at_once = Index{context.planned_ranks()} * context.executor.threads();
  plan.bytes_per_rank = 1e4;
  return plan;
}

Index Sampler::next_evaluation(Index done) const {
  Index point = 8;
  while (point <= done) point *= 2;
  return point;
}

Sums Sampler::block(Index b) const {
  const PhiloxKey key = stream_key({context_->seed, Purpose::test});
  Sums s;
  for (Index i = 0; i < block_samples_; ++i) {
    const auto sample = static_cast<std::uint64_t>(b * block_samples_ + i);
    const auto u = uniforms<double>(philox_block(key, sample, 0, 0));
    const double value[2] = {u[0] * u[0] + u[1] * u[1] < 1 ? 4.0 : 0.0, u[0] * u[0]};
    for (int k = 0; k < 2; ++k) {
      s.sum[k] += value[k];
      s.square[k] += value[k] * value[k];
    }
  }
  s.count = block_samples_;
  return s;
}

void Sampler::fail_in_blocks(Index first, Index last) {
  if (fault_ == "none" || context_->communicator.rank() != fault_rank_) return;
  if (fault_block_ < first || fault_block_ >= last) return;
  if (fault_ == "throw") throw NumericalError("the test module throws as configured");
  if (fault_ == "unhealthy") health_ = "the test module is unhealthy as configured";
  if (fault_ == "die") std::abort();
}

void Sampler::advance(Index first, Index count) {
  const Communicator& comm = context_->communicator;
  fail_in_blocks(first, first + count);
  const IndexRange mine = partition({first, first + count}, comm.size(), comm.rank());
  std::vector<Sums> sums(static_cast<std::size_t>(mine.size()));
  context_->executor.pool().for_each(mine.size(), [&](Index i, int) {
    sums[static_cast<std::size_t>(i)] = block(mine.first + i);
    if (delay_ > 0) std::this_thread::sleep_for(std::chrono::duration<double>(delay_));
  });
  RegionTimer::Scope reducing(context_->timer.get(), "reduce");
  MergeStack<Sums> local;
  for (Index b = mine.first; b < mine.last; ++b) {
    local.push_block(b, sums[static_cast<std::size_t>(b - mine.first)]);
  }
  using Node = MergeStack<Sums>::Node;
  for (const Node& node : comm.allgather<Node>(std::span<const Node>(local.nodes()))) {
    stack_.push(node);
  }
}

Module::Evaluation Sampler::evaluate(Index) {
  Evaluation e;
  for (int i = 0; i < 2; ++i) {
    Estimate x = make_estimate(stack_.total(), i, false);
    x.converged = converged_[i] = context_->stop.converged(x);
    e.add(x, context_->stop);
  }
  e.all_converged = e.converged == e.judged;
  return e;
}

std::vector<Estimate> Sampler::estimates() const {
  const Sums s = stack_.empty() ? Sums{} : stack_.total();
  return {make_estimate(s, 0, converged_[0]), make_estimate(s, 1, converged_[1])};
}

void Sampler::throw_if_fault_is_in(std::string_view activity) const {
  if (fault_ != activity || context_->communicator.rank() != fault_rank_) return;
  throw NumericalError(fmt::format("the test module fails as configured in {}", activity));
}

void Sampler::save(DatasetWriter& writer) const {
  const Communicator& comm = context_->communicator;
  const IndexRange mine = partition({0, checkpoint_bytes_}, comm.size(), comm.rank());
  const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(mine.size()), 1);
  writer.write_rows<std::uint8_t>("sampler/checkpoint_bytes", bytes, mine, checkpoint_bytes_);
  if (saves_++ == fault_block_)
    throw_if_fault_is_in("save");  // while the other ranks wait in the next write
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  for (const auto& n : stack_.nodes()) {
    keys.insert(keys.end(), {n.level, n.index, n.value.count});
    values.insert(values.end(),
                  {n.value.sum[0], n.value.sum[1], n.value.square[0], n.value.square[1]});
  }
  writer.write("sampler/nodes", keys, 3);
  writer.write("sampler/sums", values, 4);
  writer.write("sampler/converged", std::vector<std::uint8_t>{converged_[0], converged_[1]});
}

void Sampler::restore(DatasetReader& reader) {
  const auto keys = reader.read<std::int64_t>("sampler/nodes");
  const auto values = reader.read<double>("sampler/sums");
  for (std::size_t n = 0; n < keys.size() / 3; ++n) {
    const double* v = &values[4 * n];
    stack_.push({static_cast<int>(keys[3 * n]), keys[3 * n + 1],
                 Sums{keys[3 * n + 2], {v[0], v[1]}, {v[2], v[3]}}});
  }
  const auto converged = reader.read<std::uint8_t>("sampler/converged");
  for (std::size_t i = 0; i < 2; ++i) converged_[i] = converged[i] != 0;
}

void Sampler::write_results(DatasetWriter& writer) const {
  std::vector<double> mean, error;
  std::vector<Index> count;
  for (const Estimate& e : estimates()) {
    mean.push_back(e.mean);
    error.push_back(e.standard_error);
    count.push_back(e.count);
  }
  writer.write("estimates/mean", mean);
  throw_if_fault_is_in("results");
  writer.write("estimates/standard_error", error);
  writer.write("estimates/count", count);
}

ReportTable Sampler::report() const {
  ReportTable t;
  t.columns = {"estimate", "mean", "± std. error", "samples"};
  t.right_aligned = {false, true, true, true};
  for (const Estimate& e : estimates()) {
    t.rows.push_back({e.name, fmt::format("{:.6f}", e.mean),
                      fmt::format("{:.6f}", e.standard_error), fmt::format("{}", e.count)});
  }
  t.footer = {fmt::format("2 estimates, {} converged", converged_[0] + converged_[1])};
  return t;
}

std::uint64_t Sampler::digest() const {
  Digest d;
  for (const Estimate& e : estimates()) d.add(e.mean).add(e.standard_error).add(e.count);
  return d.value();
}

}  // namespace gsim::test_modules
