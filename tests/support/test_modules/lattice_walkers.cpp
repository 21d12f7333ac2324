#include "support/test_modules/lattice_walkers.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/random/stream.hpp"

namespace gsim::test_modules {

void Walkers::describe(Section& top) {
  top.optional_table(
      "walkers",
      [this](Section& s) {
        s.optional("size", size_, {.doc = "number of sites along an edge", .minimum = 1});
        s.optional("count", count_, {.doc = "number of walkers", .minimum = 2});
        s.optional("steps", steps_,
                   {.doc = "number of steps", .minimum = 1, .is_run_length = true});
        s.optional("balance", balance_,
                   {.doc = "whether slabs are rebalanced by the density of walkers"});
      },
      "test module: random walks on a lattice");
}

WorkPlan Walkers::plan(const Context& context) {
  context_ = std::make_shared<const Context>(context);
  const int ranks = context.communicator.size();
  cuts_.assign(1, 0);
  for (int r = 0; r < ranks; ++r) cuts_.push_back(partition({0, size_}, ranks, r).last);
  field_.assign(static_cast<std::size_t>(slab(context.communicator.rank()).size() * size_), 0.0);
  WorkPlan plan;
  plan.unit_name = "step";
  plan.total_units = steps_;
  plan.summary = fmt::format("{} walkers on {} x {} sites", count_, size_, size_);
  plan.item_name = "walker-steps";
  plan.items_per_unit = static_cast<double>(count_);
  plan.bytes_per_rank = static_cast<double>(size_ * size_) * 8 / ranks;
  return plan;
}

IndexRange Walkers::slab(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  return {cuts_[r], cuts_[r + 1]};
}

int Walkers::owner(Index x) const {
  return static_cast<int>(std::upper_bound(cuts_.begin() + 1, cuts_.end() - 1, x) - cuts_.begin()) -
         1;
}

double* Walkers::site(Index x, Index y) {
  return &field_[static_cast<std::size_t>((x - slab(context_->communicator.rank()).first) * size_ +
                                          y)];
}

void Walkers::prepare() {
  const IndexRange mine = slab(context_->communicator.rank());
  for (Index id = 0; id < count_; ++id) {  // initially all are in the first quarter of the lattice
    const Index x = id % std::max<Index>(size_ / 4, 1), y = id / 7 % size_;
    if (x >= mine.first && x < mine.last) walkers_.push_back({id, x, y, 0, 0});
  }
}

void Walkers::advance(Index first, Index count) {
  for (Index n = first; n < first + count; ++n) step(n);
}

void Walkers::step(Index number) {
  const PhiloxKey key = stream_key({context_->seed, Purpose::test});
  const auto walkers = static_cast<Index>(walkers_.size());
  context_->executor.pool().for_each(walkers, [&](Index i, int) {
    Walker& w = walkers_[static_cast<std::size_t>(i)];
    const auto words =
        philox_block(key, static_cast<std::uint64_t>(w.id), static_cast<std::uint64_t>(number), 0);
    const auto direction = static_cast<std::uint32_t>(words.x0) >> 30;
    const Index move = (direction & 1u) != 0 ? 1 : -1;
    (direction < 2 ? w.dx : w.dy) += move;
    Index& coordinate = direction < 2 ? w.x : w.y;
    coordinate = (coordinate + move + size_) % size_;
  });
  migrate();
  for (const Walker& w : walkers_) {
    double* value = site(w.x, w.y);
    *value = 0.5 * *value + 0.1 * static_cast<double>(w.id + 1);
  }
  if (balance_ && (number + 1) % 5 == 0) balance();
}

void Walkers::migrate() {
  const Communicator& comm = context_->communicator;
  std::vector<std::vector<Walker>> outgoing(static_cast<std::size_t>(comm.size()));
  for (const Walker& w : walkers_) outgoing[static_cast<std::size_t>(owner(w.x))].push_back(w);
  walkers_.clear();
  for (const auto& part : comm.exchange(outgoing)) {
    walkers_.insert(walkers_.end(), part.begin(), part.end());
  }
  std::sort(walkers_.begin(), walkers_.end(),
            [](const Walker& a, const Walker& b) { return a.id < b.id; });
}

void Walkers::balance() {
  const Communicator& comm = context_->communicator;
  std::vector<std::int64_t> histogram(static_cast<std::size_t>(size_), 0);
  for (const Walker& w : walkers_) ++histogram[static_cast<std::size_t>(w.x)];
  comm.backend().allreduce(histogram, ReduceOp::sum);
  const IndexRange old = slab(comm.rank());
  std::vector<Index> cuts(1, 0);
  Index below = 0;
  for (Index x = 0; x < size_; ++x) {
    below += histogram[static_cast<std::size_t>(x)];
    while (static_cast<int>(cuts.size()) < comm.size() &&
           below * comm.size() >= count_ * static_cast<Index>(cuts.size())) {
      cuts.push_back(x + 1);
    }
  }
  while (static_cast<int>(cuts.size()) < comm.size()) cuts.push_back(size_);
  cuts.push_back(size_);
  cuts_ = cuts;
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(comm.size()));
  for (Index x = old.first; x < old.last; ++x) {
    const double* from = &field_[static_cast<std::size_t>((x - old.first) * size_)];
    auto& to = columns[static_cast<std::size_t>(owner(x))];
    to.insert(to.end(), from, from + size_);
  }
  field_.clear();  // parts are in rank order, which is the order of columns
  for (const auto& part : comm.exchange(columns))
    field_.insert(field_.end(), part.begin(), part.end());
  migrate();
}

void Walkers::update_estimates() {
  std::int64_t sums[2] = {0, 0};
  for (const Walker& w : walkers_) {
    const std::int64_t r2 = w.dx * w.dx + w.dy * w.dy;
    sums[0] += r2;
    sums[1] += r2 * r2;
  }
  context_->communicator.backend().allreduce(sums, ReduceOp::sum);
  sum_of_squares_ = sums[0];
  sum_of_fourth_powers_ = sums[1];
}

Module::Evaluation Walkers::evaluate(Index) {
  update_estimates();
  const Estimate e = estimates().front();
  return {context_->stop.converged(e), e.standard_error / e.mean, e.standard_error};
}

std::vector<Estimate> Walkers::estimates() const {
  Estimate e;
  e.name = "mean square displacement";
  const auto n = static_cast<double>(count_);
  e.mean = static_cast<double>(sum_of_squares_) / n;
  e.standard_error =
      std::sqrt((static_cast<double>(sum_of_fourth_powers_) / n - e.mean * e.mean) / (n - 1));
  e.count = count_;
  e.converged = context_->stop.converged(e);
  return {e};
}

void Walkers::write_field(DatasetWriter& writer, const char* path) const {
  writer.write_rows(path, std::span<const double>(field_), slab(context_->communicator.rank()),
                    size_, size_);
}

void Walkers::save(DatasetWriter& writer) const {
  const Communicator& comm = context_->communicator;
  std::vector<std::vector<Walker>> outgoing;
  for (int r = 0; r < comm.size(); ++r) {
    const IndexRange ids = partition({0, count_}, comm.size(), r);
    std::vector<Walker>& part = outgoing.emplace_back();
    for (const Walker& w : walkers_) {
      if (w.id >= ids.first && w.id < ids.last) part.push_back(w);
    }
  }
  const IndexRange mine = partition({0, count_}, comm.size(), comm.rank());
  std::vector<std::int64_t> rows(static_cast<std::size_t>(4 * mine.size()));
  for (const auto& part : comm.exchange(outgoing)) {
    for (const Walker& w : part) {
      std::int64_t* row = &rows[static_cast<std::size_t>(4 * (w.id - mine.first))];
      row[0] = w.x, row[1] = w.y, row[2] = w.dx, row[3] = w.dy;
    }
  }
  writer.write_rows("walkers/state", std::span<const std::int64_t>(rows), mine, count_, 4);
  write_field(writer, "walkers/field");
  writer.write("walkers/sums", std::vector<std::int64_t>{sum_of_squares_, sum_of_fourth_powers_});
}

void Walkers::restore(DatasetReader& reader) {
  const Communicator& comm = context_->communicator;
  const IndexRange mine = partition({0, count_}, comm.size(), comm.rank());
  const auto rows = reader.read_rows<std::int64_t>("walkers/state", mine);
  for (Index id = mine.first; id < mine.last; ++id) {
    const std::int64_t* row = &rows[static_cast<std::size_t>(4 * (id - mine.first))];
    walkers_.push_back({id, row[0], row[1], row[2], row[3]});
  }
  migrate();
  field_ = reader.read_rows<double>("walkers/field", slab(comm.rank()));
  const auto sums = reader.read<std::int64_t>("walkers/sums");
  sum_of_squares_ = sums.at(0);
  sum_of_fourth_powers_ = sums.at(1);
}

void Walkers::write_results(DatasetWriter& writer) const {
  const Estimate e = estimates().front();
  writer.write("displacement/mean", e.mean);
  writer.write("displacement/standard_error", e.standard_error);
  writer.write("displacement/count", e.count);
  write_field(writer, "field");
}

ReportTable Walkers::report() const {
  const Estimate e = estimates().front();
  ReportTable t;
  t.columns = {"estimate", "mean", "± std. error", "walkers"};
  t.right_aligned = {false, true, true, true};
  t.rows.push_back({e.name, fmt::format("{:.4f}", e.mean), fmt::format("{:.4f}", e.standard_error),
                    fmt::format("{}", e.count)});
  return t;
}

std::uint64_t Walkers::digest() const {
  const Estimate e = estimates().front();
  const auto all_fields = context_->communicator.allgather<double>(std::span<const double>(field_));
  return Digest()
      .add(e.mean)
      .add(e.standard_error)
      .add(std::span<const double>(all_fields))
      .value();
}

}  // namespace gsim::test_modules
