#pragma once
// Execution of the program of a scripted payoff. On hosts each instruction is decoded once for a
// block of paths (script_block.hpp), so that its cost is nearly that of its arithmetic; on devices
// each thread executes the program for its path.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/payoffs/script_block.hpp"
#include "kernels/pricing/payoffs/script_operations.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

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
        if (which < script_first_table) return spot(which - script_first_asset);
        return script_->table_value(which, fixing);
      };
      if (i.operation == ScriptOperation::skip_if_none) {
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
    template <class F>
    GSIM_HD void update(const F& f) const {
      path->register_[i.result] =
          f((*operand)(i.a), (*operand)(i.b), (*operand)(i.c), path->register_[i.result]);
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
