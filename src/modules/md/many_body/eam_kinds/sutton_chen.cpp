#include "src/modules/md/many_body/eam_kinds/sutton_chen.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/pow.hpp"

namespace gsim::md {
namespace {

constexpr Index distance_points = 5000, density_points = 20000;  // lengths of the tables
constexpr double min_distance = 0.3;     // below this, in units of a, the functions are constant
constexpr double smoothing_start = 0.9;  // in units of the cutoff
constexpr double density_range = 16;     // largest density, in units of that in the crystal

/// The sum of f(r) over the neighbours of an atom, nearer than `cutoff`, in an fcc crystal of
/// lattice constant a.
template <class Function>
double crystal_sum(double a, double cutoff, const Function& f) {
  const auto reach = static_cast<int>(std::ceil(2 * cutoff / a));
  double sum = 0;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z) {
        const int square = x * x + y * y + z * z;
        if ((x + y + z) % 2 != 0 || square == 0) continue;
        const double r = 0.5 * a * std::sqrt(static_cast<double>(square));
        if (r < cutoff) sum += f(r);
      }
  return sum;
}

void check(const SuttonChen& p, double cutoff) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  if (!positive(p.epsilon) || !positive(p.a) || !positive(p.c) || !positive(p.m) ||
      !positive(p.mass) || !positive(p.n))
    throw InputError("the parameters of a Sutton-Chen potential must be positive");
  if (!(p.n > p.m)) throw InputError("n of a Sutton-Chen potential must be above m");
  if (!(cutoff > p.a) || !std::isfinite(cutoff))
    throw InputError("the cutoff of a Sutton-Chen potential must be above a");
}

}  // namespace

EamFile tabulate(const SuttonChen& p) {
  const double cutoff = p.cutoff > 0 ? p.cutoff : 2 * p.a;
  check(p, cutoff);
  const double start = smoothing_start * cutoff;
  const auto smoothed_power = [&](double r, double exponent) {
    if (r >= cutoff) return 0.0;
    const double x = r > start ? (r - start) / (cutoff - start) : 0.0;
    const double factor = 1 - x * x * x * (10 - x * (15 - 6 * x));
    return factor * pow<Strict>(p.a / r, exponent);
  };
  EamFile file;
  file.cutoff = cutoff;
  file.r_step = cutoff / static_cast<double>(distance_points - 1);
  EamElement element;
  element.mass = p.mass;
  element.lattice_constant = p.a;
  element.lattice = "fcc";
  element.density.resize(1);
  file.r_phi.resize(1);
  // The table ends with two zeros beyond the cutoff, so that the slope at the cutoff is computed
  // from five points (CubicTable).
  for (Index k = 0; k < distance_points + 2; ++k) {
    const double r = std::max(min_distance * p.a, static_cast<double>(k) * file.r_step);
    element.density[0].push_back(smoothed_power(r, p.m));
    file.r_phi[0].push_back(p.epsilon * r * smoothed_power(r, p.n));
  }
  const double crystal = crystal_sum(p.a, cutoff, [&](double r) { return smoothed_power(r, p.m); });
  file.rho_step = density_range * crystal / static_cast<double>(density_points - 1);
  for (Index k = 0; k < density_points; ++k)
    element.embedding.push_back(-p.epsilon * p.c *
                                std::sqrt(static_cast<double>(k) * file.rho_step));
  file.elements.push_back(std::move(element));
  return file;
}

namespace {

EamChoice make_sutton_chen(const Section& s, const SuttonChen& p, std::size_t types) {
  if (!(p.n > p.m)) s.fail("n", "n must be above m");
  if (p.cutoff > 0 && !(p.cutoff > p.a)) s.fail("cutoff", "the cutoff must be above a");
  EamChoice c;
  c.potential = tabulate(p);
  // With parameters other than those of copper, element and mass are unknown.
  const SuttonChen copper;
  const bool is_copper = p.epsilon == copper.epsilon && p.a == copper.a && p.c == copper.c &&
                         p.n == copper.n && p.m == copper.m;
  c.potential.elements[0].name = is_copper ? "Cu" : "";
  if (!is_copper) c.potential.elements[0].mass = 0;
  c.elements.assign(types, 0);
  c.summary = fmt::format("Sutton-Chen {}-{}, epsilon {} eV, a {} angstrom, c {}", p.n, p.m,
                          p.epsilon, p.a, p.c);
  return c;
}

MakeEam describe_sutton_chen(Section& s) {
  SuttonChen p;
  const auto positive = [&](const char* key, double& value, const char* unit, const char* doc) {
    s.optional(key, value, {.doc = doc, .unit = unit, .minimum = 0, .exclusive_minimum = true});
  };
  positive("epsilon", p.epsilon, "eV", "energy scale; the defaults are those of copper");
  positive("a", p.a, "Angstrom", "length scale: the lattice constant");
  positive("c", p.c, "1", "weight of the square root");
  positive("n", p.n, "1", "exponent of the pair potential, above m");
  positive("m", p.m, "1", "exponent of the density");
  s.optional(
      "cutoff", p.cutoff,
      {.doc =
           "cutoff radius of both powers, which decrease smoothly to 0 from 0.9 cutoff on (0: 2 a)",
       .unit = "Angstrom",
       .minimum = 0});
  return [p](const Section& values, const std::vector<std::string>& types) {
    return make_sutton_chen(values, p, types.size());
  };
}

}  // namespace

void register_sutton_chen(Registry& registry) {
  registry.extend(EamKind{
      "sutton_chen",
      "needs no file: epsilon (1/2 sum (a/r)^n - c sum sqrt(sum (a/r)^m)); all types are one "
      "element (Sutton and Chen 1990)",
      describe_sutton_chen});
}

}  // namespace gsim::md
