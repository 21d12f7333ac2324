#pragma once
// The record of a three-body potential (triplet_potential.hpp), by which a plugin registers it:
//
//   GSIM_DECLARE_TRIPLET_LAUNCHERS(my_name)
//   … registry.extend(GSIM_TRIPLET_POTENTIAL(my_name, MyStruct)) …

#include <span>
#include <string_view>

#include "gsim/md/many_body/triplet_job.hpp"
#include "gsim/md/many_body/triplet_potential.hpp"

namespace gsim::md {

struct TripletKind {
  static constexpr char extends[] = "triplet potential", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  std::span<const PotentialParameter> parameters;
  int size = 0;  ///< coefficients
  const char* (*problem)(const double* p) = nullptr;
  void (*coefficients)(const double* p, double scale, double* c) = nullptr;
  double (*cutoff)(const double* p) = nullptr;
  double (*closest)(const double* p) = nullptr;
  /// In double, for set-up code and tests.
  md_kernels::PairTerms<double> (*pair)(double r, const double* c) = nullptr;
  md_kernels::TripletTerms<double> (*triplet)(double r1, double r2, double cosine,
                                              const double* c) = nullptr;
  void (*forces_f32)(const Executor&, const TripletForceJob<float>&) = nullptr;
  void (*forces_f64)(const Executor&, const TripletForceJob<double>&) = nullptr;
  /// A whole configuration of module md with it, that runs within seconds.
  std::string_view example = {};

  /// The members that are missing, for messages (Registry::Extension); null: none.
  const char* missing() const {
    const bool has_functions = problem != nullptr && coefficients != nullptr && cutoff != nullptr &&
                               closest != nullptr && pair != nullptr && triplet != nullptr;
    const bool has_kernels = forces_f32 != nullptr && forces_f64 != nullptr;
    return has_functions && has_kernels ? nullptr : "what GSIM_TRIPLET_POTENTIAL makes";
  }
};

/// All but the kernels.
template <class P>
TripletKind triplet_kind_of() {
  TripletKind kind{P::name, P::doc, P::parameters, P::size};
  kind.problem = P::problem;
  kind.coefficients = P::coefficients;
  kind.cutoff = P::cutoff;
  kind.closest = P::closest;
  kind.pair = [](double r, const double* c) { return P::pair(r, c); };
  kind.triplet = [](double r1, double r2, double cosine, const double* c) {
    return P::triplet(r1, P::leg(r1, c), r2, P::leg(r2, c), cosine, c);
  };
  return kind;
}

}  // namespace gsim::md

/// The TripletKind of the struct md_kernels::Potential with the launchers of that name.
#define GSIM_TRIPLET_POTENTIAL(name, Potential)                                 \
  [] {                                                                          \
    using gsim::Executor;                                                       \
    using namespace gsim::md;                                                   \
    TripletKind kind = triplet_kind_of<gsim::md_kernels::Potential>();          \
    kind.forces_f32 = [](const Executor& e, const TripletForceJob<float>& j) {  \
      gsim::triplet_forces_##name##_f32(e, j);                                  \
    };                                                                          \
    kind.forces_f64 = [](const Executor& e, const TripletForceJob<double>& j) { \
      gsim::triplet_forces_##name##_f64(e, j);                                  \
    };                                                                          \
    return kind;                                                                \
  }()
