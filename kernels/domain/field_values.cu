#include "gsim/core/ordered_real.hpp"
#include "gsim/exec/real_reduce.hpp"
#include "gsim/math/scalar.hpp"
#include "kernels/domain/field_values.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

/// Values of type T, minus those of another field if IsDifference.
template <class T, bool IsDifference>
struct Values {
  domain::FieldValues v;

  GSIM_HD Index row_of_line(Index line) const {
    return v.first + line % v.size_y * v.stride_y + line / v.size_y * v.stride_z;
  }
  GSIM_HD double at(Index row) const {
    const Index i = row * v.components + v.component;
    const auto value = static_cast<double>(static_cast<const T*>(v.elements)[i]);
    if constexpr (IsDifference)
      return value - static_cast<double>(static_cast<const T*>(v.subtracted)[i]);
    return value;
  }
  /// Calls visit(value) for the cells of index i: one cell on a device, a line of cells along x on
  /// the host.
  template <class Visit>
  GSIM_HD void for_index(Index i, const Visit& visit) const {
#if defined(__CUDACC__)
    visit(at(row_of_line(i / v.size_x) + i % v.size_x));
#else
    const Index row = row_of_line(i);
    for (Index x = 0; x < v.size_x; ++x) visit(at(row + x));
#endif
  }
  Index indices() const {
#if defined(__CUDACC__)
    return v.size_x * v.size_y * v.size_z;
#else
    return v.size_y * v.size_z;
#endif
  }
};

template <class V>
struct AddValues {
  V values;
  GSIM_HD void operator()(Index i, RealTerms<1>& sum) const {
    values.for_index(i, [&](double x) { sum.add(0, x); });
  }
};

template <class V>
struct AddNorms {
  V values;
  GSIM_HD void operator()(Index i, RealTerms<3>& sum) const {
    values.for_index(i, [&](double x) {
      sum.add(0, x);
      sum.add(1, abs(x));
      sum.add_square(2, x);
    });
  }
};

template <class V>
struct Extremes {
  V values;
  GSIM_HD void operator()(Index i, std::int64_t* key) const {
    const double x = values.at(values.row_of_line(i / values.v.size_x) + i % values.v.size_x);
    key[0] = key_of_minimum(x);
    key[1] = key_of_maximum(x);
  }
};

/// Number of lines of cells that a host thread adds at a time (the grain of real_reduce()).
inline constexpr Index lines_at_a_time = 16;

/// Calls body with the Values type for the element type of the field.
template <class Body>
void with_values(const domain::FieldValues& v, const Body& body) {
  if (v.element_bytes == 8)
    v.subtracted == nullptr ? body(Values<double, false>{v}) : body(Values<double, true>{v});
  else
    v.subtracted == nullptr ? body(Values<float, false>{v}) : body(Values<float, true>{v});
}

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_add_values, domain::AddValuesArgs) {
  domain_kernels::with_values(args.values, [&](const auto& values) {
    using V = std::decay_t<decltype(values)>;
    real_reduce<1>(executor, "sum of a field", values.indices(),
                   domain_kernels::AddValues<V>{values}, args.sums,
                   domain_kernels::lines_at_a_time);
  });
}

GSIM_DEFINE_LAUNCHER(domain_add_norms, domain::AddNormsArgs) {
  domain_kernels::with_values(args.values, [&](const auto& values) {
    using V = std::decay_t<decltype(values)>;
    real_reduce<3>(executor, "norms of a field", values.indices(),
                   domain_kernels::AddNorms<V>{values}, args.sums, domain_kernels::lines_at_a_time);
  });
}

GSIM_DEFINE_LAUNCHER(domain_find_extremes, domain::ExtremesArgs) {
  domain_kernels::with_values(args.values, [&](const auto& values) {
    using V = std::decay_t<decltype(values)>;
    const auto& v = args.values;
    min_reduce<2>(executor, "extremes of a field", v.size_x * v.size_y * v.size_z,
                  domain_kernels::Extremes<V>{values}, args.minima);
  });
}
