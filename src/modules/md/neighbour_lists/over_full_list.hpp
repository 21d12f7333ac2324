#pragma once
// Short-range forces whose pairs are found in full lists: what they have in common.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/neighbour_lists/full_list.hpp"

namespace gsim::md {

/// Implements the functions of ShortRange that concern the lists. Base: ShortRange, or a class
/// derived from it.
template <class Real, class Base>
class OverFullList : public Base {
 public:
  void box_changed(const Box& box) override { list_.set_box(box); }
  void leave_device_box() override { list_.use_device_box(nullptr); }
  void set_skin(double skin) override { list_.set_skin(skin); }
  View<const std::int32_t> spatial_order() override { return list_.spatial_order(); }
  Index list_entries() const override { return list_.listed() * list_.capacity(); }
  std::int64_t work(std::span<std::int64_t> shares) const override { return list_.work(shares); }
  std::optional<std::int64_t> estimated_work() const override { return list_.estimated_work(); }

  bool can_start_loading() const override { return list_.can_start_loading(); }
  void start_loading(const ForceContext& context, const SentRecords& sent) override {
    list_.start_loading(context.particles.positions(), sent);
  }
  ListState finish_loading() override {
    const bool is_good = list_.finish_loading();
    check_overlap();
    return is_good ? ListState::good : ListState::stale;
  }
  bool load_rebuilt(const ForceContext& /*context*/) override { return true; }
  Index ghost_record_bytes() const override { return list_.ghost_record_bytes(); }
  void pack_records(const ForceContext& context, const SentRecords& sent) override {
    list_.pack_records(context.particles.positions(), sent);
  }
  void use_ghost_records(const std::byte* records) override { list_.use_ghost_records(records); }
  bool can_batch_steps() const override { return list_.can_batch_steps(); }
  void begin_batch() override { list_.begin_batch(); }
  void load_in_batch(const ForceContext& context) override {
    list_.load_in_batch(context.particles.positions());
  }
  bool end_batch() override { return list_.end_batch(); }
  void check() override {
    list_.read_status();
    check_overlap();
  }

 protected:
  /// `base`: the arguments of Base; the others are those of FullList.
  template <class... BaseArguments>
  OverFullList(const Executor& executor, const Box& box, double cutoff, double skin, int capacity,
               ListedRows listed, BaseArguments&&... base)
      : Base(std::forward<BaseArguments>(base)...),
        list_(executor, box, cutoff, skin, capacity, listed) {}

  FullList<Real>& list() { return list_; }
  const FullList<Real>& list() const { return list_; }
  /// Reads positions and the state of the lists, as ShortRange::read_locals().
  ListState read_list(View<const FixedPosition> positions) {
    list_.start_loading(positions);
    return finish_loading();
  }
  /// The message of an overlap of an atom, given by its id, with another one.
  virtual std::string message_of_overlap(std::uint64_t id) const = 0;

 private:
  /// NumericalError where kernels have found an overlap.
  void check_overlap() {
    const std::uint64_t id = list_.pop_overlap();
    if (id != no_particle) throw NumericalError(message_of_overlap(id));
  }

  FullList<Real> list_;
};

}  // namespace gsim::md
