#pragma once
// The derivatives of scripted payoffs on devices: each thread executes the program for its path.

#include "kernels/pricing/greeks/adjoint/script_adjoint.hpp"
#include "kernels/pricing/greeks/adjoint/script_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// One path of a job: index = its position. The tape keeps the values that instructions overwrite.
template <class Policy, class T>
struct DeriveScriptPath {
  ScriptDerivativesJob<T> job;

  GSIM_HD void operator()(Index l) const {
    const PayoffView<T>& terms = job.trade[job.active[job.entry->base]].payoff;
    const T* const list = job.entry->number;
    const T* const program = listed_program(list);
    const ScriptView<T> script(program, terms.fixings);
    T value[script_max_registers], derivative[script_max_registers];
    T* tape = job.memory + l;
    for (std::int32_t r = 0; r < script.registers; ++r)
      value[r] = r < script.states ? script.initial[r] : T(0);
    GSIM_NO_UNROLL
    for (std::int32_t k = 0; k < script.fixings; ++k) {
      const std::int32_t segment = script.segment_at(k);
      const std::int32_t end = script.first_instruction(segment + 1);
      GSIM_NO_UNROLL
      for (std::int32_t n = script.first_instruction(segment); n < end; ++n) {
        const ScriptInstruction i = script.instruction(n);
        if (i.operation == ScriptOperation::skip_if_none) continue;
        *tape = value[i.result];
        tape += job.tape_row;
        const auto given = [&](std::int32_t which) {
          return operand(terms, script, value, which, k, l);
        };
        with_smooth_operation<Policy, T>(i.operation, listed_ramp(list, n),
                                         Execute<decltype(given)>{i, given, value});
      }
    }
    T* const out = job.derivative + job.offset + l;
    const auto numbers = static_cast<std::int32_t>(list[0]);
    const Index spots = Index{terms.assets} * terms.fixings;
    for (Index d = 0; d < spots + numbers; ++d) out[d * job.row] = 0;
    for (std::int32_t r = 0; r < script.registers; ++r) derivative[r] = 0;
    derivative[0] = 1;
    GSIM_NO_UNROLL
    for (std::int32_t k = script.fixings; k-- > 0;) {
      const std::int32_t segment = script.segment_at(k);
      const std::int32_t begin = script.first_instruction(segment);
      GSIM_NO_UNROLL
      for (std::int32_t n = script.first_instruction(segment + 1); n-- > begin;) {
        const ScriptInstruction i = script.instruction(n);
        if (i.operation == ScriptOperation::skip_if_none) continue;
        const T r = value[i.result], g = derivative[i.result];
        tape -= job.tape_row;
        value[i.result] = *tape;
        const auto given = [&](std::int32_t which) {
          return operand(terms, script, value, which, k, l);
        };
        const auto add = [&](std::int32_t which, T share) {
          if (which < script_first_constant) {
            derivative[which] += share;
          } else if (which >= script_first_table) {
            const std::int32_t j = listed_table_value(script, program, list, which, k);
            if (j >= 0) out[(spots + j) * job.row] += share;
          } else if (which >= script_first_asset) {
            out[(Index{which - script_first_asset} * terms.fixings + k) * job.row] += share;
          }
        };
        with_derivative<T>(
            i.operation, listed_ramp(list, n),
            Reverse<decltype(given), decltype(add)>{i, given, add, g, r, value, derivative});
      }
    }
    for (std::int32_t r = 0; r < script.states; ++r) {
      const std::int32_t j = listed_number(list, (script.initial - program) + r);
      if (j >= 0) out[(spots + j) * job.row] = derivative[r];
    }
  }

 private:
  GSIM_HD T operand(const PayoffView<T>& terms, const ScriptView<T>& script, const T* value,
                    std::int32_t which, std::int32_t fixing, Index l) const {
    if (which < script_first_constant) return value[which];
    if (which < script_first_asset) return script.constant[which - script_first_constant];
    if (which >= script_first_table) return script.table_value(which, fixing);
    const Index row = terms.record[fixing] * job.tile.rows +
                      job.tile.asset[terms.asset[which - script_first_asset]].spot;
    return job.tile.data[row * job.tile.stride + job.first + l];
  }

  template <class Given>
  struct Execute {
    const ScriptInstruction& i;
    const Given& given;
    T* value;

    template <class F>
    GSIM_HD void unary(const F& f) const {
      value[i.result] = f(given(i.a));
    }
    template <class F>
    GSIM_HD void binary(const F& f) const {
      value[i.result] = f(given(i.a), given(i.b));
    }
    template <class F>
    GSIM_HD void ternary(const F& f) const {
      value[i.result] = f(given(i.a), given(i.b), given(i.c));
    }
    template <class F>
    GSIM_HD void update(const F& f) const {
      value[i.result] = f(given(i.a), given(i.b), given(i.c), value[i.result]);
    }
  };

  template <class Given, class Add>
  struct Reverse {
    const ScriptInstruction& i;
    const Given& given;
    const Add& add;
    T g, r;
    const T* value;
    T* derivative;

    template <int operands, class F>
    GSIM_HD void to(const F& f) const {
      apply<operands, false>(f);
    }
    template <int operands, class F>
    GSIM_HD void update(const F& f) const {
      apply<operands, true>(f);
    }
    GSIM_HD void none() const { derivative[i.result] = 0; }

   private:
    template <int operands, bool reads_result, class F>
    GSIM_HD void apply(const F& f) const {
      const ScriptShares<T> s =
          f(g, given(i.a), given(i.b), given(i.c), reads_result ? value[i.result] : r);
      derivative[i.result] = reads_result ? s.before : T(0);
      if constexpr ((operands & to_a) != 0) add(i.a, s.a);
      if constexpr ((operands & to_b) != 0) add(i.b, s.b);
      if constexpr ((operands & to_c) != 0) add(i.c, s.c);
    }
  };
};

template <class Policy, class T>
void derive_script(const Executor& executor, const ScriptDerivativesJob<T>& job) {
  launch(executor, "pricing: derive script", job.paths, DeriveScriptPath<Policy, T>{job});
}

}  // namespace pricing_kernels
GSIM_TARGET_END
