#pragma once
// Execution of the program of a scripted payoff. On hosts each instruction is decoded once for a
// block of paths, so that its cost is nearly that of its arithmetic; on devices each thread
// executes the program for its path.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/payoffs/script_program.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The parts of a program of `fixings` fixings.
template <class T>
struct ScriptView {
  const T *initial, *constant, *segment_of_fixing, *segment_start, *table, *code;
  std::int32_t registers, states, constants, segments, fixings;

  GSIM_HD ScriptView(const T* number, std::int32_t fixing_count)
      : registers(static_cast<std::int32_t>(number[script_registers])),
        states(static_cast<std::int32_t>(number[script_states])),
        constants(static_cast<std::int32_t>(number[script_constants])),
        segments(static_cast<std::int32_t>(number[script_segments])),
        fixings(fixing_count) {
    const auto tables = static_cast<Index>(number[script_tables]);
    initial = number + script_header_size;
    constant = initial + states;
    segment_of_fixing = constant + constants;
    segment_start = segment_of_fixing + fixings;
    table = segment_start + segments + 1;
    code = table + tables * fixings;
  }

  GSIM_HD std::int32_t first_instruction(std::int32_t segment) const {
    return static_cast<std::int32_t>(segment_start[segment]);
  }
  GSIM_HD std::int32_t segment_at(std::int32_t fixing) const {
    return static_cast<std::int32_t>(segment_of_fixing[fixing]);
  }
  GSIM_HD ScriptInstruction instruction(std::int32_t k) const {
    const auto first = static_cast<std::int32_t>(code[2 * k]);
    const auto second = static_cast<std::int32_t>(code[2 * k + 1]);
    constexpr std::int32_t operands = script_operand_limit;
    return {static_cast<ScriptOperation>(first / (operands * script_result_limit)),
            first / operands % script_result_limit, second / operands, second % operands,
            first % operands};
  }
};

/// Calls use.unary(f), use.binary(f) or use.ternary(f) with the function of an operation of
/// arithmetic; P is the type of the values.
template <class Policy, class P, class Use>
GSIM_HD void with_operation(ScriptOperation operation, const Use& use) {
  using T = scalar_of<P>;
  const auto truth = [](auto mask) { return select(mask, P(T(1)), P(T(0))); };
  switch (operation) {
    case ScriptOperation::copy:
      return use.unary([](P a) { return a; });
    case ScriptOperation::add:
      return use.binary([](P a, P b) { return a + b; });
    case ScriptOperation::subtract:
      return use.binary([](P a, P b) { return a - b; });
    case ScriptOperation::multiply:
      return use.binary([](P a, P b) { return a * b; });
    case ScriptOperation::divide:
      return use.binary([](P a, P b) { return a / b; });
    case ScriptOperation::multiply_add:
      return use.ternary([](P a, P b, P c) { return fma(a, b, c); });
    case ScriptOperation::negate:
      return use.unary([](P a) { return -a; });
    case ScriptOperation::minimum:
      return use.binary([](P a, P b) { return min(a, b); });
    case ScriptOperation::maximum:
      return use.binary([](P a, P b) { return max(a, b); });
    case ScriptOperation::at_least:
      return use.binary([](P a, P b) { return at_least(a, b); });
    case ScriptOperation::at_most:
      return use.binary([](P a, P b) { return at_most(a, b); });
    case ScriptOperation::absolute:
      return use.unary([](P a) { return abs(a); });
    case ScriptOperation::exponential:
      return use.unary([](P a) { return exp<Policy>(a); });
    case ScriptOperation::logarithm:
      return use.unary([](P a) { return log<Policy>(a); });
    case ScriptOperation::square_root:
      return use.unary([](P a) { return sqrt(a); });
    case ScriptOperation::less:
      return use.binary([&](P a, P b) { return truth(a < b); });
    case ScriptOperation::less_equal:
      return use.binary([&](P a, P b) { return truth(a <= b); });
    case ScriptOperation::equal:
      return use.binary([&](P a, P b) { return truth(a == b); });
    case ScriptOperation::not_equal:
      return use.binary([&](P a, P b) { return truth(a != b); });
    case ScriptOperation::complement:
      return use.unary([](P a) { return P(T(1)) - a; });
    case ScriptOperation::select:
      return use.ternary([](P a, P b, P c) { return select(c != P(T(0)), a, b); });
    case ScriptOperation::table:
    case ScriptOperation::skip_if_none:
      return;
  }
}

/// One path: registers of its own, and spots that `spot(asset)` returns at each fixing.
template <class Policy, class T>
class ScriptPath {
 public:
  GSIM_HD explicit ScriptPath(const ScriptView<T>& script) : script_(&script) {
    for (std::int32_t r = 0; r < script.states; ++r) register_[r] = script.initial[r];
  }

  template <class Spot>
  GSIM_HD void on_fixing(std::int32_t fixing, const Spot& spot) {
    const std::int32_t segment = script_->segment_at(fixing);
    const std::int32_t first = script_->first_instruction(segment);
    const std::int32_t count = script_->first_instruction(segment + 1) - first;
    for (std::int32_t k = 0; k < count; ++k) {
      const ScriptInstruction i = script_->instruction(first + k);
      const auto operand = [&](std::int32_t which) {
        if (which < script_first_constant) return register_[which];
        if (which < script_first_asset) return script_->constant[which - script_first_constant];
        return spot(which - script_first_asset);
      };
      if (i.operation == ScriptOperation::table) {
        register_[i.result] = script_->table[Index{i.a} * script_->fixings + fixing];
      } else if (i.operation == ScriptOperation::skip_if_none) {
        if (operand(i.c) == T(0)) k = i.a - 1;
      } else {
        with_operation<Policy, T>(i.operation, Result<decltype(operand)>{this, &operand, i});
      }
    }
  }

  GSIM_HD T state(std::int32_t which) const { return register_[which]; }

 private:
  template <class Operand>
  struct Result {
    ScriptPath* path;
    const Operand* operand;
    ScriptInstruction i;

    template <class F>
    GSIM_HD void unary(const F& f) const {
      path->register_[i.result] = f((*operand)(i.a));
    }
    template <class F>
    GSIM_HD void binary(const F& f) const {
      path->register_[i.result] = f((*operand)(i.a), (*operand)(i.b));
    }
    template <class F>
    GSIM_HD void ternary(const F& f) const {
      path->register_[i.result] = f((*operand)(i.a), (*operand)(i.b), (*operand)(i.c));
    }
  };

  const ScriptView<T>* script_;
  T register_[script_max_registers];
};

#if defined(__CUDACC__)

/// Sample `i` of a scripted payoff: the value of a path, or the mean over a path and its antithetic
/// path.
template <class Policy, class T>
struct SampleScript {
  PayoffJob<T> job;

  GSIM_HD void operator()(Index i) const {
    const ScriptView<T> script(job.terms.number, job.terms.fixings);
    double value = 0;
    GSIM_NO_UNROLL
    for (int m = 0; m < (job.antithetic_offset > 0 ? 2 : 1); ++m) {
      const Index path = i + m * job.antithetic_offset;
      ScriptPath<Policy, T> run(script);
      for (std::int32_t k = 0; k < script.fixings; ++k) {
        const T* const row = job.tile.data + job.record[k] * job.tile.rows * job.tile.stride + path;
        const TileSpots<T, T> spots{&job.tile, row};
        run.on_fixing(k, [&](std::int32_t a) { return spots[job.terms.asset[a]]; });
      }
      const auto v = static_cast<double>(run.state(0));
      value = m == 0 ? v : 0.5 * (value + v);
    }
    job.sample[i] = job.discount * value;
  }
};

/// Computes all samples of a job, asynchronously on the executor's stream.
template <class Policy, class T>
void sample_script(const Executor& executor, const char* label, const PayoffJob<T>& job) {
  launch(executor, label, job.samples, SampleScript<Policy, T>{job});
}

#else

/// Paths that execute an instruction together. Their registers fit the first level of cache.
inline constexpr Index script_block = 256;
inline constexpr std::int32_t script_rows = script_max_registers + script_max_constants;

/// Registers and constants, one row of a block's paths each.
template <class T>
struct ScriptRows {
  alignas(64) T row[script_rows][script_block];

  explicit ScriptRows(const ScriptView<T>& script) {
    for (std::int32_t c = 0; c < script.constants; ++c)
      fill(script_first_constant + c, script.constant[c], script_block);
  }
  void fill(std::int32_t which, T value, Index count) {
    for (Index l = 0; l < count; l += lanes_of<packed<T> >) store(row[which] + l, packed<T>(value));
  }
};

/// Computes an instruction's result on `count` paths.
template <class P, class T>
struct RowLoop {
  T* result;
  const T *a, *b, *c;
  Index count;

  template <class F>
  void unary(const F& f) const {
    for (Index l = 0; l < count; l += lanes_of<P>) store(result + l, f(load<P>(a + l)));
  }
  template <class F>
  void binary(const F& f) const {
    for (Index l = 0; l < count; l += lanes_of<P>)
      store(result + l, f(load<P>(a + l), load<P>(b + l)));
  }
  template <class F>
  void ternary(const F& f) const {
    for (Index l = 0; l < count; l += lanes_of<P>)
      store(result + l, f(load<P>(a + l), load<P>(b + l), load<P>(c + l)));
  }
};

/// Executes a program on the paths of a tile, in blocks.
template <class Policy, class T>
class ScriptRun {
  using P = packed<T>;

 public:
  ScriptRun(const PayoffJob<T>& job, const ScriptView<T>& script)
      : job_(job), script_(script), rows_(script) {}

  /// Writes the undiscounted payoffs of `count` paths from `path` on, at most script_block and a
  /// whole number of packs.
  void run(Index path, Index count, T* values) {
    for (std::int32_t r = 0; r < script_.states; ++r) rows_.fill(r, script_.initial[r], count);
    for (std::int32_t k = 0; k < script_.fixings; ++k) on_fixing(k, path, count);
    for (Index l = 0; l < count; l += lanes_of<P>) store(values + l, load<P>(rows_.row[0] + l));
  }

 private:
  const T* operand(std::int32_t which, const T* spots) const {
    if (which < script_first_asset) return rows_.row[which];
    const std::int32_t asset = job_.terms.asset[which - script_first_asset];
    return spots + job_.tile.asset[asset].spot * job_.tile.stride;
  }

  bool is_nowhere_true(const T* condition, Index count) const {
    P sum(T(0));
    for (Index l = 0; l < count; l += lanes_of<P>) sum = at_least(sum, load<P>(condition + l));
    return !any(sum != P(T(0)));
  }

  void on_fixing(std::int32_t fixing, Index path, Index count) {
    const T* const spots =
        job_.tile.data + job_.record[fixing] * job_.tile.rows * job_.tile.stride + path;
    const std::int32_t segment = script_.segment_at(fixing);
    const std::int32_t first = script_.first_instruction(segment);
    const std::int32_t instructions = script_.first_instruction(segment + 1) - first;
    for (std::int32_t k = 0; k < instructions; ++k) {
      const ScriptInstruction i = script_.instruction(first + k);
      if (i.operation == ScriptOperation::table) {
        rows_.fill(i.result, script_.table[Index{i.a} * script_.fixings + fixing], count);
      } else if (i.operation == ScriptOperation::skip_if_none) {
        if (is_nowhere_true(operand(i.c, spots), count)) k = i.a - 1;
      } else {
        with_operation<Policy, P>(i.operation,
                                  RowLoop<P, T>{rows_.row[i.result], operand(i.a, spots),
                                                operand(i.b, spots), operand(i.c, spots), count});
      }
    }
  }

  const PayoffJob<T>& job_;
  const ScriptView<T>& script_;
  ScriptRows<T> rows_;
};

/// Computes all samples of a job, in the calling thread, which has its own tile.
template <class Policy, class T>
inline void sample_script(const Executor&, const char* /*label*/, const PayoffJob<T>& job) {
  const ScriptView<T> script(job.terms.number, job.terms.fixings);
  ScriptRun<Policy, T> run(job, script);
  const Index paths = job.samples + job.antithetic_offset;
  for (Index path = 0; path < paths; path += script_block)
    run.run(path, paths - path < script_block ? paths - path : script_block, job.values + path);
  discount_samples(job.discount, job.values, job.samples, job.antithetic_offset, job.sample);
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END
