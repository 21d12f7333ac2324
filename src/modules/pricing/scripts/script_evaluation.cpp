#include "src/modules/pricing/scripts/script_evaluation.hpp"

#include "gsim/math/policy.hpp"
#include "kernels/pricing/payoffs/script_operations.hpp"

namespace gsim::pricing {
namespace {

struct Evaluation {
  double a, b, c;
  double* result;
  template <class F>
  void unary(const F& f) const {
    *result = f(a);
  }
  template <class F>
  void binary(const F& f) const {
    *result = f(a, b);
  }
  template <class F>
  void ternary(const F& f) const {
    *result = f(a, b, c);
  }
  template <class F>
  void update(const F& f) const {
    *result = f(a, b, c, *result);
  }
};

}  // namespace

double evaluate(ScriptOperation operation, double a, double b, double c, double before) {
  double result = before;
  pricing_kernels::with_operation<Strict, double>(operation, Evaluation{a, b, c, &result});
  return result;
}

}  // namespace gsim::pricing
