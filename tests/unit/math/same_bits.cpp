// Every strict function gives the same bits on every CPU level, at every pack width, on CUDA, and
// as plain scalar code, including special values; stored digests of other compilers must agree.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "functions.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/exec/array.hpp"
#include "hard_roots.hpp"
#include "inputs.hpp"

using namespace gsim;

namespace {

constexpr Index count = 6144;

/// Arguments at which functions switch formulas or return special values.
template <class T>
std::vector<T> special_arguments() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> xs{0, Limits::denorm_min(), Limits::min() - Limits::denorm_min(), Limits::min()};
  for (const double x :
       {0.25, 0.45, 0.5,  0.55,  0.63,  1.0,   1.5,    2.0,    3.0,    4.0,    7.0,    8.0,
        22.0, 39.0, 88.0, 104.0, 709.0, 746.0, 1022.5, 1075.0, 0x1p24, 0x1p30, 0x1p31, 0x1p53})
    xs.push_back(static_cast<T>(x));
  xs.insert(xs.end(), {1 - Limits::epsilon() / 2, 1 + Limits::epsilon(), Limits::max(),
                       Limits::infinity(), Limits::quiet_NaN()});
  for (std::size_t i = 0, n = xs.size(); i < n; ++i) xs.push_back(-xs[i]);
  return xs;
}

/// Appends the first `count` numbers of a column.
template <class T>
void append_column(std::vector<T>& table, std::vector<T> column) {
  REQUIRE(column.size() >= static_cast<std::size_t>(count));
  table.insert(table.end(), column.begin(), column.begin() + count);
}

/// The columns of FunctionInputs.
template <class T>
std::vector<T> arguments() {
  constexpr bool is_double = sizeof(T) == 8;
  using Limits = std::numeric_limits<T>;
  const T largest = Limits::max() / 4, bound = is_double ? T(699) : T(86);
  const auto appended = [](std::vector<T> to, const std::vector<T>& more) {
    to.insert(to.end(), more.begin(), more.end());
    return to;
  };
  std::vector<T> table;
  auto unrestricted =
      appended(special_arguments<T>(), test::inputs<T>(-bound * T(1.1), bound * T(1.1), 2300, 1));
  unrestricted = appended(unrestricted, test::inputs<T>(-3, 3, 2300, 2));
  append_column(table, appended(unrestricted, test::inputs<T>(-largest, largest, 2300, 3)));
  append_column(table, test::inputs<T>(-bound, bound, count, 4));
  append_column(table, test::inputs<T>(Limits::min(), 1, count, 5));
  // Roots of these doubles are rounded correctly only if all steps of an iteration are accurate.
  std::vector<T> moderate;
  for (const double x : test::hard_roots(1 << 10))
    for (const double scale : {1.0, 0x1p-40, 0x1p98}) moderate.push_back(static_cast<T>(x * scale));
  append_column(table, appended(moderate, test::inputs<T>(T(0x1p-100), T(0x1p100), count, 8)));
  // Every pair of special values, integers to powers of both signs, and ordinary pairs.
  std::vector<T> a, b;
  for (const T x : special_arguments<T>())
    for (const T y : special_arguments<T>()) {
      a.push_back(x);
      b.push_back(y);
    }
  REQUIRE(a.size() < static_cast<std::size_t>(count));
  append_column(table, appended(a, test::inputs<T>(0, 30, count, 6)));
  append_column(table, appended(b, test::inputs<T>(-20, 20, count, 7)));
  return table;
}

/// Results as bits, so that -0 and 0 are distinguished, and on a CPU different NaNs, too. A GPU
/// replaces every NaN in single precision by 0x7fffffff (PTX ISA, "Floating-Point Instructions"),
/// so that its NaNs are compared as NaNs.
struct Bits {
  std::vector<std::uint64_t> doubles;
  std::vector<std::uint32_t> floats;
};
template <class B, class T>
std::vector<B> bits_of(const std::vector<T>& values) {
  std::vector<B> bits(values.size());
  std::memcpy(bits.data(), values.data(), values.size() * sizeof(T));
  return bits;
}

Bits kernel_bits(const Executor& executor, int width) {
  const std::vector<double> xs = arguments<double>();
  const std::vector<float> fs = arguments<float>();
  const Array<double> x(executor, std::span(xs));
  const Array<float> f(executor, std::span(fs));
  Array<double> doubles(executor, functions_end * count);
  Array<float> floats(executor, functions_end * count);
  strict_functions(
      executor,
      FunctionArgs{width, {count, x.view(), doubles.view()}, {count, f.view(), floats.view()}});
  return {bits_of<std::uint64_t>(doubles.to_host()), bits_of<std::uint32_t>(floats.to_host())};
}

/// Bits of the results of the scalar code that is compiled in this file.
template <class B, class T>
std::vector<B> scalar_code_bits() {
  const std::vector<T> xs = arguments<T>();
  std::vector<T> results(static_cast<std::size_t>(functions_end * count));
  const FillFunctions<T> fill{
      {count, {xs.data(), inputs_end * count}, {results.data(), functions_end * count}}};
  for (Index row = 0; row < count; ++row) fill(row);
  return bits_of<B>(results);
}

bool is_nan(std::uint64_t bits) { return (bits & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000; }
bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

template <class B>
void check_equal_bits(const std::vector<B>& got, const std::vector<B>& expected, bool any_nan,
                      const std::string& type) {
  REQUIRE(got.size() == expected.size());
  for (Index f = 0; f < functions_end; ++f) {
    Index differing = 0;
    for (auto i = static_cast<std::size_t>(f * count);
         i < static_cast<std::size_t>((f + 1) * count); ++i)
      differing += got[i] != expected[i] && !(any_nan && is_nan(got[i]) && is_nan(expected[i]));
    CHECK_MESSAGE(differing == 0, std::string(function_names[f]) << " of " << type);
  }
}

/// The pack widths that functions.cu compiles, at the level base those of a register. AVX2 also
/// computes packs of 16 numbers, which are one register of floats with AVX-512.
std::vector<int> pack_widths(Target target) {
  if (target == Target::cuda) return {1};
  if (target == Target::base) return {1, 4};
  return {1, 8, 16};
}

std::vector<Executor> executors() {
  std::vector<Executor> all;
  for (Target t : processor_cpu_targets()) all.push_back(Executor::host(1, t));
  if (!cuda_devices().empty()) all.push_back(Executor::cuda(0));
  return all;
}

}  // namespace

TEST_CASE(
    "strict functions: results have the same bits on every CPU level, on CUDA and at every pack "
    "width") {
  const auto doubles = scalar_code_bits<std::uint64_t, double>();
  const auto floats = scalar_code_bits<std::uint32_t, float>();
  for (const Executor& executor : executors())
    for (int width : pack_widths(executor.target())) {
      CAPTURE(std::string(to_string(executor.target())));
      CAPTURE(width);
      const bool any_nan = executor.is_cuda();
      const Bits bits = kernel_bits(executor, width);
      check_equal_bits(bits.doubles, doubles, any_nan, "double");
      check_equal_bits(bits.floats, floats, any_nan, "float");
    }
}

TEST_CASE("strict functions: results have the stored digests") {
  std::ifstream file(GSIM_MATH_DIGESTS);
  REQUIRE(file);
  std::map<std::string, std::string> stored;
  for (std::string name, digest; file >> name >> digest;) stored[name] = digest;
  CHECK(stored.size() == 2 * functions_end);
  const auto check = [&](const auto& bits, const char* type) {
    for (Index f = 0; f < functions_end; ++f) {
      const std::string name = std::string(function_names[f]) + "_" + type;
      CAPTURE(name);
      Digest digest;
      digest.add(std::span(bits).subspan(static_cast<std::size_t>(f * count), count));
      CHECK(stored[name] == hex(digest.value()));
    }
  };
  check(scalar_code_bits<std::uint64_t, double>(), "double");
  check(scalar_code_bits<std::uint32_t, float>(), "float");
}
