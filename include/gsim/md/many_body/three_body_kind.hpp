#pragma once
// The record of a three-body potential (three_body_potential.hpp), by which a plugin registers it:
//
//   GSIM_DECLARE_THREE_BODY_LAUNCHERS(my_name)
//   … registry.extend(GSIM_THREE_BODY_POTENTIAL(my_name, MyStruct)) …

#include <span>
#include <string_view>

#include "gsim/md/many_body/three_body_job.hpp"
#include "gsim/md/many_body/three_body_potential.hpp"

namespace gsim::md {

struct ThreeBodyKind {
  static constexpr char extends[] = "three-body potential", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  std::span<const PotentialParameter> parameters;
  int size = 0;  ///< number of coefficients
  /// The functions of the struct (three_body_potential.hpp).
  const char* (*problem)(const double* p) = nullptr;
  void (*coefficients)(const double* p, double scale, double* c) = nullptr;
  double (*cutoff)(const double* p) = nullptr;
  double (*closest)(const double* p) = nullptr;
  /// Its pair and three-body terms in double, for set-up code and tests.
  md_kernels::PairTerms<double> (*pair)(double r, const double* c) = nullptr;
  md_kernels::ThreeBodyTerms<double> (*three_body)(double r1, double r2, double cosine,
                                                   const double* c) = nullptr;
  void (*forces_f32)(const Executor&, const ThreeBodyForceJob<float>&) = nullptr;
  void (*forces_f64)(const Executor&, const ThreeBodyForceJob<double>&) = nullptr;
  /// A complete configuration of module md with this part that runs within seconds.
  std::string_view example = {};

  /// Null if all required members are set; otherwise what the potential has to be registered with,
  /// for messages (Registry::Extension).
  const char* missing() const {
    const bool has_functions = problem != nullptr && coefficients != nullptr && cutoff != nullptr &&
                               closest != nullptr && pair != nullptr && three_body != nullptr;
    const bool has_kernels = forces_f32 != nullptr && forces_f64 != nullptr;
    return has_functions && has_kernels ? nullptr
                                        : "the record that GSIM_THREE_BODY_POTENTIAL makes";
  }
};

/// The record of a potential without its kernels.
template <class P>
ThreeBodyKind three_body_kind_of() {
  ThreeBodyKind kind{P::name, P::doc, P::parameters, P::size};
  kind.problem = P::problem;
  kind.coefficients = P::coefficients;
  kind.cutoff = P::cutoff;
  kind.closest = P::closest;
  kind.pair = [](double r, const double* c) { return P::pair(r, c); };
  kind.three_body = [](double r1, double r2, double cosine, const double* c) {
    return P::three_body(r1, P::leg(r1, c), r2, P::leg(r2, c), cosine, c);
  };
  return kind;
}

}  // namespace gsim::md

/// The ThreeBodyKind of the struct md_kernels::Potential with the launchers of that name.
#define GSIM_THREE_BODY_POTENTIAL(name, Potential)                                \
  [] {                                                                            \
    using gsim::Executor;                                                         \
    using namespace gsim::md;                                                     \
    ThreeBodyKind kind = three_body_kind_of<gsim::md_kernels::Potential>();       \
    kind.forces_f32 = [](const Executor& e, const ThreeBodyForceJob<float>& j) {  \
      gsim::three_body_forces_##name##_f32(e, j);                                 \
    };                                                                            \
    kind.forces_f64 = [](const Executor& e, const ThreeBodyForceJob<double>& j) { \
      gsim::three_body_forces_##name##_f64(e, j);                                 \
    };                                                                            \
    return kind;                                                                  \
  }()
