#pragma once
// The derivatives of scripted payoffs on hosts: each instruction is executed on a block of paths.

#include "gsim/pricing/sample_payoff.hpp"
#include "kernels/pricing/greeks/adjoint/script_adjoint.hpp"
#include "kernels/pricing/greeks/adjoint/script_job.hpp"
#include "kernels/pricing/payoffs/script_block.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// An operand of a step.
template <class T>
struct ScriptStepOperand {
  ScriptOperand<T> values;
  bool is_spot;    ///< the values begin at the first path of the tile
  bool is_output;  ///< the derivatives are among those of the job
  T* derivative;   ///< null: none is needed
};
/// An instruction at a fixing.
template <class T>
struct ScriptStep {
  ScriptOperation operation;
  ScriptRamp<T> ramp;
  ScriptStepOperand<T> a, b, c;
  T* result;
  const T* before;  ///< the value of the result's register before
  T* derivative;    ///< of that register
};

/// The forward and reverse execution of a program on the paths of a job.
template <class Policy, class T>
class ScriptTape {
  using P = PayoffGroup<T>;
  static_assert(sizeof(ScriptStep<T>) <= std::size_t{script_step_bytes});
  static_assert(lanes_of<P> <= LaneSums::lanes);

 public:
  explicit ScriptTape(const ScriptDerivativesJob<T>& job)
      : job_(job),
        terms_(job.trade[job.active[job.entry->base]].payoff),
        size_(job.entry->script),
        list_(job.entry->number),
        program_(listed_program(list_)),
        script_(program_, terms_.fixings),
        row_(job.tape_row) {
    states_ = job.memory;
    values_ = states_ + size_.states * row_;
    derivatives_ = values_ + size_.steps * row_;
    given_ = derivatives_ + size_.registers * row_;
    steps_ = reinterpret_cast<ScriptStep<T>*>(given_ + size_.given * LaneSums::lanes);
  }

  void run() {
    if (!job_.has_steps) make_steps();
    for (Index s = 0; s < size_.steps; ++s)
      with_smooth_operation<Policy, P>(steps_[s].operation, steps_[s].ramp,
                                       Forward{*this, steps_[s]});
    start_derivatives();
    for (Index s = size_.steps; s-- > 0;)
      with_derivative<P>(steps_[s].operation, steps_[s].ramp, Reverse{*this, steps_[s]});
    for (std::int32_t r = 0; r < script_.states; ++r) {
      const std::int32_t j = listed_number(list_, (script_.initial - program_) + r);
      if (j >= 0)
        for (Index l = 0; l < job_.paths; l += lanes_of<P>)
          store(number(j) + job_.offset + l, load<P>(derivatives_ + r * row_ + l));
    }
  }

 private:
  static constexpr Index all = ~Index{0};

  Index spots() const { return Index{terms_.assets} * terms_.fixings; }
  T* number(std::int32_t j) const { return job_.derivative + (spots() + j) * job_.row; }

  void fill(T* at, T value) const {
    for (Index l = 0; l < row_; l += lanes_of<P>) store(at + l, P(value));
  }

  /// Values that are the same on all paths, for one group of these.
  ScriptOperand<T> given(T*& next, T value) const {
    T* const at = next;
    store(at, P(value));
    next += LaneSums::lanes;
    return {at, 0};
  }

  void make_steps() {
    T* next = given_;
    for (std::int32_t c = 0; c < script_.constants; ++c) given(next, script_.constant[c]);
    T* value[script_max_registers] = {};  // the last one of each register
    for (std::int32_t r = 0; r < script_.states; ++r) {
      value[r] = states_ + r * row_;
      fill(value[r], script_.initial[r]);
    }
    T* result = values_;
    ScriptStep<T>* step = steps_;
    for (std::int32_t k = 0; k < script_.fixings; ++k) {
      const std::int32_t segment = script_.segment_at(k);
      const std::int32_t end = script_.first_instruction(segment + 1);
      for (std::int32_t n = script_.first_instruction(segment); n < end; ++n) {
        const ScriptInstruction i = script_.instruction(n);
        if (i.operation == ScriptOperation::skip_if_none) continue;
        const auto operand = [&](std::int32_t which) { return place(which, k, value, next); };
        *step++ = {i.operation,     listed_ramp(list_, n),
                   operand(i.a),    operand(i.b),
                   operand(i.c),    result,
                   value[i.result], derivatives_ + i.result * row_};
        value[i.result] = result;
        result += row_;
      }
    }
  }

  ScriptStepOperand<T> place(std::int32_t which, std::int32_t fixing, T* const* value,
                             T*& next) const {
    if (which < script_first_constant)
      return {{value[which], all}, false, false, derivatives_ + which * row_};
    if (which < script_first_asset) {
      const Index at = Index{which - script_first_constant} * LaneSums::lanes;
      return {{given_ + at, 0}, false, false, nullptr};
    }
    if (which < script_first_table) {
      const Index a = which - script_first_asset;
      const Index row =
          terms_.record[fixing] * job_.tile.rows + job_.tile.asset[terms_.asset[a]].spot;
      return {{job_.tile.data + row * job_.tile.stride, all},
              true,
              true,
              job_.derivative + (a * terms_.fixings + fixing) * job_.row};
    }
    const std::int32_t j = listed_table_value(script_, program_, list_, which, fixing);
    return {given(next, script_.table_value(which, fixing)), false, true,
            j >= 0 ? number(j) : nullptr};
  }

  void start_derivatives() const {
    const auto numbers = static_cast<Index>(list_[0]);
    const P none(T(0));
    for (Index d = 0; d < spots() + numbers; ++d)
      for (Index l = 0; l < job_.paths; l += lanes_of<P>)
        store(job_.derivative + d * job_.row + job_.offset + l, none);
    for (Index r = 0; r < size_.registers; ++r)
      for (Index l = 0; l < job_.paths; l += lanes_of<P>)
        store(derivatives_ + r * row_ + l, P(r == 0 ? T(1) : T(0)));
  }

  ScriptOperand<T> values_of(const ScriptStepOperand<T>& p) const {
    return {p.is_spot ? p.values.values + job_.first : p.values.values, p.values.mask};
  }
  T* derivative_of(const ScriptStepOperand<T>& p) const {
    return p.is_output && p.derivative != nullptr ? p.derivative + job_.offset : p.derivative;
  }

  struct Forward {
    const ScriptTape& tape;
    const ScriptStep<T>& step;

    template <class F>
    void unary(const F& f) const {
      const ScriptOperand<T> a = tape.values_of(step.a);
      each_group([&](Index l) { return f(a.template group<P>(l)); });
    }
    template <class F>
    void binary(const F& f) const {
      const ScriptOperand<T> a = tape.values_of(step.a), b = tape.values_of(step.b);
      each_group([&](Index l) { return f(a.template group<P>(l), b.template group<P>(l)); });
    }
    template <class F>
    void ternary(const F& f) const {
      const ScriptOperand<T> a = tape.values_of(step.a), b = tape.values_of(step.b),
                             c = tape.values_of(step.c);
      each_group([&](Index l) {
        return f(a.template group<P>(l), b.template group<P>(l), c.template group<P>(l));
      });
    }
    template <class F>
    void update(const F& f) const {
      const ScriptOperand<T> a = tape.values_of(step.a), b = tape.values_of(step.b),
                             c = tape.values_of(step.c);
      each_group([&](Index l) {
        return f(a.template group<P>(l), b.template group<P>(l), c.template group<P>(l),
                 load<P>(step.before + l));
      });
    }

   private:
    template <class Value>
    void each_group(const Value& value) const {
      T* const result = step.result;
      for (Index l = 0; l < tape.job_.paths; l += lanes_of<P>) store(result + l, value(l));
    }
  };

  struct Reverse {
    const ScriptTape& tape;
    const ScriptStep<T>& step;

    template <int operands, class F>
    void to(const F& f) const {
      apply<operands, false>(f);
    }
    template <int operands, class F>
    void update(const F& f) const {
      apply<operands, true>(f);
    }
    void none() const {
      for (Index l = 0; l < tape.job_.paths; l += lanes_of<P>) store(step.derivative + l, P(T(0)));
    }

   private:
    template <int operands, bool reads_result, class F>
    void apply(const F& f) const {
      const ScriptOperand<T> a = tape.values_of(step.a), b = tape.values_of(step.b),
                             c = tape.values_of(step.c);
      T* const by_a = tape.derivative_of(step.a);
      T* const by_b = tape.derivative_of(step.b);
      T* const by_c = tape.derivative_of(step.c);
      const T* const read = reads_result ? step.before : step.result;
      for (Index l = 0; l < tape.job_.paths; l += lanes_of<P>) {
        const ScriptShares<P> s =
            f(load<P>(step.derivative + l), a.template group<P>(l), b.template group<P>(l),
              c.template group<P>(l), load<P>(read + l));
        store(step.derivative + l, reads_result ? s.before : P(T(0)));
        if constexpr ((operands & to_a) != 0) add(by_a, l, s.a);
        if constexpr ((operands & to_b) != 0) add(by_b, l, s.b);
        if constexpr ((operands & to_c) != 0) add(by_c, l, s.c);
      }
    }
    static void add(T* derivative, Index l, P share) {
      if (derivative != nullptr) store(derivative + l, load<P>(derivative + l) + share);
    }
  };

  const ScriptDerivativesJob<T>& job_;
  const PayoffView<T>& terms_;
  ScriptSize size_;
  const T *list_, *program_;
  ScriptView<T> script_;
  Index row_;
  T *states_, *values_, *derivatives_, *given_;
  ScriptStep<T>* steps_;
};

template <class Policy, class T>
inline void derive_script(const Executor&, const ScriptDerivativesJob<T>& job) {
  ScriptTape<Policy, T>(job).run();
}

}  // namespace pricing_kernels
GSIM_TARGET_END
