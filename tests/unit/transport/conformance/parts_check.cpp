// The conformance checks of sources, surfaces and scores.

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/modules/builtin.hpp"
#include "gsim/transport/score_kind.hpp"
#include "gsim/transport/source_kind.hpp"
#include "gsim/transport/surface_kind.hpp"
#include "src/modules/transport/conformance/score_check.hpp"
#include "src/modules/transport/conformance/source_check.hpp"
#include "src/modules/transport/conformance/surface_check.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

constexpr const char* config_template = R"(
module = "transport"
[transport]
mode = "fixed_source"
particles = 10
batches = 2
[[material]]
name = "water"
capture = [0.1]
scatter = [[0.4]]
[[surface]]
name = "edge"
boundary = "vacuum"
{}
[[cell]]
name = "block"
region = "-edge"
fill = "water"
[[source]]
{}
)";
constexpr const char* sphere = "kind = \"sphere\"\nradius = 3.0";
constexpr const char* point = "space = {kind = \"point\", position = [0.0, 0.0, 0.0]}";

/// Returns the problem that `check` reports for the last extension of the registry.
template <class Check>
std::string problem_of(const Registry& registry, const std::string& config, const Check& check) {
  std::string problem;
  check(ConformanceSubject{registry.extensions().back(), registry, config, "part.toml"},
        [&](const Finding& f) {
          CHECK(f.what != "");
          problem = f.problem;
        });
  return problem;
}

Registry registry_with_builtin_modules() {
  Registry registry;
  register_builtin_modules(registry);
  return registry;
}

/// What is wrong with the particles of a source for tests: they depend on the order in which they
/// are sampled or on the number of threads, or have a wrong weight, group or direction.
enum class Fault { none, order, threads, weight, group, direction };

template <Fault fault>
void sample(const Executor& executor, const SourceJob& job) {
  for (Index i = 0; i < job.particles.size; ++i) {
    const Index history = job.first_history + i;
    SourceParticle p;
    p.direction = {0, history % 2 == 0 ? 1.0 : -1.0, 0};
    p.weight = history % 2 == 0 ? 0.5 : 1.5;
    if (fault == Fault::order) p.time = static_cast<double>(i);
    if (fault == Fault::threads) p.time = executor.threads();
    if (fault == Fault::weight) p.weight *= 1.2;
    if (fault == Fault::group) p.group = history == 77 ? 1 : 0;
    if (fault == Fault::direction) p.direction.x = 0.1;
    job.particles[i] = p;
  }
}

template <Fault fault>
std::string source_problem() {
  Registry registry = registry_with_builtin_modules();
  const auto describe = [](Section&, std::int32_t) { return std::vector<double>{1}; };
  registry.extend(SourceKind{"test_source", "a source for tests", describe, sample<fault>});
  return problem_of(registry,
                    fmt::format(config_template, sphere, "sampler = {kind = \"test_source\"}"),
                    check_source);
}

/// A closed surface for sign = -1; for sign = 1 its polynomial is positive everywhere.
SurfaceShape quartic_surface(double sign) {
  const auto [x, y, z] = coordinates();
  return {{1, 2, -3}, x * x + 2 * (y * y) + z * z * z * z + sign * 400};
}
/// Returns a different surface at each call, so that the geometry and the check disagree.
SurfaceShape surface_that_changes(Section&) {
  static int calls = 0;
  const auto [x, y, z] = coordinates();
  const double radius = ++calls;
  return {{}, x * x + y * y + z * z - radius * radius};
}

std::string surface_problem(SurfaceShape (*describe)(Section&)) {
  Registry registry = registry_with_builtin_modules();
  registry.extend(SurfaceKind{"shape", "positive outside", describe});
  return problem_of(registry, fmt::format(config_template, "kind = \"shape\"", point),
                    check_surface);
}

std::string score_problem(void (*response)(std::span<const double>, const ScoreMaterial&,
                                           std::span<double>),
                          const char* scores = "\"counts\"") {
  Registry registry = registry_with_builtin_modules();
  const auto describe = [](Section&) { return std::vector<double>{2}; };
  registry.extend(ScoreKind{"detector", "counts", "1", describe, response});
  return problem_of(registry,
                    fmt::format(config_template, sphere, point) +
                        fmt::format("[[score]]\nname = \"counts\"\nkind = \"detector\"\n"
                                    "[[tally]]\nname = \"t\"\nscores = [{}]\n"
                                    "cells = [\"block\"]\n",
                                    scores),
                    check_score);
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE(
    "source check: a source samples the same particle for a history in any order, with weights of "
    "mean 1") {
  CHECK(source_problem<Fault::none>() == "");
  CHECK(contains(source_problem<Fault::order>(),
                 "sampled in ranges of 1, from the last range to the first, on one thread"));
  CHECK(contains(source_problem<Fault::threads>(),
                 "ranges of 800, from the last range to the first, on 3 threads"));
  CHECK(contains(source_problem<Fault::weight>(), "the mean weight is 1.2 +- "));
  CHECK(contains(source_problem<Fault::group>(),
                 "history 77 has group 2, but the number of groups is 1"));
  CHECK(
      contains(source_problem<Fault::direction>(), "history 0 has a direction of length 1.00498"));
}

TEST_CASE("surface check: a surface has two sides and is where its polynomial vanishes") {
  CHECK(surface_problem([](Section&) { return quartic_surface(-1); }) == "");
  CHECK(surface_problem([](Section&) {  // a plane through the centre
          const auto [x, y, z] = coordinates();
          return SurfaceShape{{0, 1, 0}, x - y};
        }) == "");
  CHECK(surface_problem([](Section&) {  // a torus, whose centre is outside
          const auto [x, y, z] = coordinates();
          const Polynomial q = x * x + y * y + z * z + 25 - 1;
          return SurfaceShape{{}, q * q - 100 * (x * x + y * y)};
        }) == "");
  CHECK(contains(surface_problem([](Section&) { return quartic_surface(1); }),
                 "surface `edge`: its polynomial is positive everywhere"));
  CHECK(contains(surface_problem(surface_that_changes), "surface `edge`: from ("));
}

TEST_CASE("score check: responses are finite, repeatable and not all zero") {
  CHECK(score_problem([](std::span<const double> n, const ScoreMaterial& m, std::span<double> r) {
          r[0] = n[0] * m.absorption[0];
        }) == "");
  CHECK(contains(
      score_problem([](std::span<const double>, const ScoreMaterial&, std::span<double>) {}),
      "`counts` is 0 in all materials"));
  CHECK(contains(
      score_problem([](std::span<const double>, const ScoreMaterial&, std::span<double> r) {
        static double calls = 0;
        r[0] = ++calls;
      }),
      "`counts` gives other numbers when it is evaluated again"));
  CHECK(contains(score_problem([](std::span<const double>, const ScoreMaterial&,
                                  std::span<double> r) { r[0] = 1e300 * 1e300; }),
                 "score `counts` gives inf in group 1"));
  CHECK(contains(score_problem([](std::span<const double>, const ScoreMaterial&,
                                  std::span<double> r) { r[0] = 1; },
                               "\"flux\""),
                 "no tally of its example has `counts`"));
}
