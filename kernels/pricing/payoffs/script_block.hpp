#pragma once
// Execution of the program of a scripted payoff on hosts, on blocks of paths: an instruction is
// computed on all paths of a block before the next one.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/payoffs/script_operations.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Paths that execute an instruction together. Their registers fit the first level of cache.
inline constexpr Index script_block = 256;
/// Instructions of a segment that are decoded once for all dates; further ones are decoded where
/// they are executed.
inline constexpr std::int32_t script_decoded = 64;

/// An operand on the paths of a block: the value of path l is values[l & mask], where the mask is 0
/// for a value that is the same on all paths and stored for one group of paths.
template <class T>
struct ScriptOperand {
  const T* values;
  Index mask;

  template <class P>
  GSIM_HD P group(Index l, Index offset = 0) const {
    return load<P>(values + (l & mask) + (offset & mask));
  }
};

/// The instructions of a segment.
template <class T>
class ScriptSegment {
 public:
  void decode(const ScriptView<T>& script, std::int32_t segment) {
    script_ = &script;
    first_ = script.first_instruction(segment);
    count_ = script.first_instruction(segment + 1) - first_;
    for (std::int32_t k = 0; k < count_ && k < script_decoded; ++k)
      decoded_[k] = script.instruction(first_ + k);
    accumulates_ = count_ <= most_accumulations;
    for (std::int32_t k = 0; k < count_ && accumulates_; ++k) accumulates_ = accumulates(k);
    has_condition_ = count_ > 1 && is_condition();
  }
  std::int32_t count() const { return count_; }
  ScriptInstruction instruction(std::int32_t k) const {
    return k < script_decoded ? decoded_[k] : script_->instruction(first_ + k);
  }
  /// Whether each instruction combines a register of its own with spots and constants, such as a
  /// running sum or maximum, so that one after the other can be executed at all dates.
  bool accumulates() const { return accumulates_; }
  /// Whether the segment has an effect only where the result of its first instruction is true.
  bool has_condition() const { return has_condition_; }

 private:
  static constexpr std::int32_t most_accumulations = 8;

  bool is_condition() const {
    const ScriptInstruction &first = decoded_[0], &second = decoded_[1];
    return second.operation == ScriptOperation::skip_if_none && second.c == first.result &&
           second.a == count_ && first.result >= script_->states &&
           operand_count(first.operation) > 1 && !reads_result(first.operation) &&
           first.a < script_first_table && first.b < script_first_table &&
           first.c < script_first_table;
  }

  static bool is_given(std::int32_t operand) {
    return operand >= script_first_constant && operand < script_first_table;
  }
  bool accumulates(std::int32_t k) const {
    const ScriptInstruction& i = decoded_[k];
    for (std::int32_t j = 0; j < k; ++j)
      if (decoded_[j].result == i.result) return false;
    if (reads_result(i.operation)) return is_given(i.a) && is_given(i.b) && is_given(i.c);
    if (operand_count(i.operation) != 2) return false;
    return (i.a == i.result && is_given(i.b)) || (i.b == i.result && is_given(i.a));
  }

  const ScriptView<T>* script_ = nullptr;
  std::int32_t first_ = 0, count_ = 0;
  bool accumulates_ = false, has_condition_ = false;
  ScriptInstruction decoded_[script_decoded];
};

/// Computes an instruction's result on `count` paths, a whole number of groups, two of which share
/// the computation of addresses.
template <class P, class T>
struct RowLoop {
  static constexpr Index lanes = lanes_of<P>;
  T* result;
  ScriptOperand<T> a, b, c;
  Index count;

  template <class F>
  void unary(const F& f) const {
    for (Index l = 0; l < count; l += lanes) store(result + l, f(a.template group<P>(l)));
  }
  template <class F>
  void binary(const F& f) const {
    Index l = 0;
    for (; l + lanes < count; l += 2 * lanes) {
      const P first = f(a.template group<P>(l), b.template group<P>(l));
      const P second = f(a.template group<P>(l, lanes), b.template group<P>(l, lanes));
      store(result + l, first);
      store(result + l + lanes, second);
    }
    if (l < count) store(result + l, f(a.template group<P>(l), b.template group<P>(l)));
  }
  template <class F>
  void ternary(const F& f) const {
    const auto value = [&](Index l, Index offset) __attribute__((always_inline)) {
      return f(a.template group<P>(l, offset), b.template group<P>(l, offset),
               c.template group<P>(l, offset));
    };
    Index l = 0;
    for (; l + lanes < count; l += 2 * lanes) {
      const P first = value(l, 0), second = value(l, lanes);
      store(result + l, first);
      store(result + l + lanes, second);
    }
    if (l < count) store(result + l, value(l, 0));
  }
  template <class F>
  void update(const F& f) const {
    const auto value = [&](Index l, Index offset) __attribute__((always_inline)) {
      return f(a.template group<P>(l, offset), b.template group<P>(l, offset),
               c.template group<P>(l, offset), load<P>(result + l + offset));
    };
    Index l = 0;
    for (; l + lanes < count; l += 2 * lanes) {
      const P first = value(l, 0), second = value(l, lanes);
      store(result + l, first);
      store(result + l + lanes, second);
    }
    if (l < count) store(result + l, value(l, 0));
  }
};

/// Executes an instruction that accumulates (ScriptSegment::accumulates()) at `dates` dates,
/// with its register in those of the processor. The operands are those of a record that begins at
/// the tile's first number; the record of date k begins at start[k].
template <class P, class T>
struct DateLoop {
  ScriptInstruction i;
  T* result;
  ScriptOperand<T> a, b, c;
  const Index* start;
  std::int32_t dates;
  Index count;

  template <class F>
  void unary(const F&) const {}
  template <class F>
  void ternary(const F&) const {}
  template <class F>
  void binary(const F& f) const {
    if (i.a == i.result)
      each_group([&](P r, Index l) { return f(r, b.template group<P>(l)); });
    else
      each_group([&](P r, Index l) { return f(a.template group<P>(l), r); });
  }
  template <class F>
  void update(const F& f) const {
    each_group([&](P r, Index l) {
      return f(a.template group<P>(l), b.template group<P>(l), c.template group<P>(l), r);
    });
  }

 private:
  template <class Step>
  void each_group(const Step& step) const {
    for (Index l = 0; l < count; l += lanes_of<P>) {
      P r = load<P>(result + l);
      for (std::int32_t k = 0; k < dates; ++k) r = step(r, start[k] + l);
      store(result + l, r);
    }
  }
};

/// Whether the result of an instruction is true on any of `count` paths.
template <class P, class T>
struct AnyTrue {
  ScriptOperand<T> a, b, c;
  Index count;
  bool* found;

  template <class F>
  void unary(const F&) const {}
  template <class F>
  void update(const F&) const {}
  template <class F>
  void binary(const F& f) const {
    find([&](Index l) { return f(a.template group<P>(l), b.template group<P>(l)); });
  }
  template <class F>
  void ternary(const F& f) const {
    find([&](Index l) {
      return f(a.template group<P>(l), b.template group<P>(l), c.template group<P>(l));
    });
  }

 private:
  template <class Value>
  void find(const Value& value) const {
    const P zero(T(0));
    auto is_true = value(0) != zero;
    for (Index l = lanes_of<P>; l < count; l += lanes_of<P>) is_true = is_true | (value(l) != zero);
    *found = any(is_true);
  }
};

/// Executes a program on the paths of a tile, in blocks.
template <class Policy, class T>
class ScriptRun {
  using P = PayoffGroup<T>;

 public:
  ScriptRun(const PayoffJob<T>& job, const ScriptView<T>& script) : job_(job), script_(script) {
    for (std::int32_t c = 0; c < script.constants; ++c) store(constant_[c], P(script.constant[c]));
  }

  /// Writes the undiscounted payoffs of `count` paths from `path` on, at most script_block and a
  /// whole number of groups.
  void run(Index path, Index count, T* values) {
    path_ = path;
    count_ = count;
    for (std::int32_t r = 0; r < script_.states; ++r) {
      const P value(script_.initial[r]);
      for (Index l = 0; l < count; l += lanes_of<P>) store(row_[r] + l, value);
    }
    for (std::int32_t k = 0; k < script_.fixings;) {
      const std::int32_t segment = script_.segment_at(k);
      std::int32_t end = k + 1;
      while (end < script_.fixings && script_.segment_at(end) == segment) ++end;
      segment_.decode(script_, segment);
      if (segment_.accumulates()) {
        for (; k < end; k = accumulate(k, end)) {
        }
      } else if (segment_.has_condition()) {
        for (; k < end; ++k)
          if (is_condition_anywhere(k)) on_fixing(k);
      } else {
        for (; k < end; ++k) on_fixing(k);
      }
    }
    for (Index l = 0; l < count; l += lanes_of<P>) store(values + l, load<P>(row_[0] + l));
  }

 private:
  static constexpr Index all = ~Index{0};
  static constexpr std::int32_t dates_at_once = 256;

  /// A register, a constant, or the spot of an asset in the record that begins at `start`.
  ScriptOperand<T> operand(std::int32_t which, Index start) const {
    if (which < script_first_constant) return {row_[which], all};
    if (which < script_first_asset) return {constant_[which - script_first_constant], 0};
    const std::int32_t asset = job_.terms.asset[which - script_first_asset];
    return {job_.tile.data + start + job_.tile.asset[asset].spot * job_.tile.stride + path_, all};
  }
  /// The same, or the value of a table at a fixing, which is written to `memory`.
  ScriptOperand<T> operand(std::int32_t which, std::int32_t fixing, Index start, T* memory) const {
    if (which < script_first_table) return operand(which, start);
    store(memory, P(script_.table_value(which, fixing)));
    return {memory, 0};
  }

  bool is_condition_anywhere(std::int32_t fixing) const {
    const Index start = job_.record[fixing] * job_.tile.rows * job_.tile.stride;
    const ScriptInstruction i = segment_.instruction(0);
    bool found = false;
    with_operation<Policy, P>(i.operation, AnyTrue<P, T>{operand(i.a, start), operand(i.b, start),
                                                         operand(i.c, start), count_, &found});
    return found;
  }

  bool is_nowhere_true(const ScriptOperand<T>& condition) const {
    for (Index l = 0; l < count_; l += lanes_of<P>)
      if (any(condition.template group<P>(l) != P(T(0)))) return false;
    return true;
  }

  /// Executes the segment at dates from `first` on, and returns the first one of `last` or before
  /// at which it is still to be executed.
  std::int32_t accumulate(std::int32_t first, std::int32_t last) {
    if (last - first > dates_at_once) last = first + dates_at_once;
    Index start[dates_at_once];
    for (std::int32_t k = first; k < last; ++k)
      start[k - first] = job_.record[k] * job_.tile.rows * job_.tile.stride;
    for (std::int32_t k = 0; k < segment_.count(); ++k) {
      const ScriptInstruction i = segment_.instruction(k);
      with_operation<Policy, P>(i.operation,
                                DateLoop<P, T>{i, row_[i.result], operand(i.a, 0), operand(i.b, 0),
                                               operand(i.c, 0), start, last - first, count_});
    }
    return last;
  }

  void on_fixing(std::int32_t fixing) {
    const Index start = job_.record[fixing] * job_.tile.rows * job_.tile.stride;
    for (std::int32_t k = 0; k < segment_.count(); ++k) {
      const ScriptInstruction i = segment_.instruction(k);
      const auto given = [&](std::int32_t which, int n) {
        return operand(which, fixing, start, table_[n]);
      };
      if (i.operation == ScriptOperation::skip_if_none) {
        if (is_nowhere_true(given(i.c, 2))) k = i.a - 1;
      } else {
        with_operation<Policy, P>(i.operation, RowLoop<P, T>{row_[i.result], given(i.a, 0),
                                                             given(i.b, 1), given(i.c, 2), count_});
      }
    }
  }

  const PayoffJob<T>& job_;
  const ScriptView<T>& script_;
  ScriptSegment<T> segment_;
  Index path_ = 0, count_ = 0;
  alignas(64) T row_[script_max_registers][script_block];
  alignas(64) T constant_[script_max_constants][lanes_of<P>];
  alignas(64) T table_[3][lanes_of<P>];
};

}  // namespace pricing_kernels
GSIM_TARGET_END

#endif
