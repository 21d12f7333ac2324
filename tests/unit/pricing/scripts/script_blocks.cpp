// Programs on blocks of paths, as hosts execute them, against plain loops over the dates of each
// path: joined instructions, instructions that are executed at all dates at once, and conditions
// that hold on few paths.

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/pricing/scripts/script_program.hpp"
#include "src/modules/pricing/scripts/scripted_trade.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim;
using namespace gsim::pricing;

namespace {

constexpr std::size_t dates = 300, assets = 2;
constexpr Index paths = 576;  // two blocks and a part of one

using Path = std::vector<std::vector<double>>;  // [date][asset]

std::vector<Path> random_paths() {
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  std::vector<Path> all(paths, Path(dates, std::vector<double>(assets)));
  for (Path& path : all) {
    std::vector<double> spot(assets, 100.0);
    for (auto& date : path)
      for (std::size_t a = 0; a < assets; ++a) date[a] = spot[a] *= 1 + 0.01 * normal(random);
  }
  return all;
}

/// A program for trades whose statements outside of blocks are executed at all dates.
ScriptProgram compiled(const std::string& text) {
  const auto script = parse_script(ScriptText(text, "script"), {});
  ScriptTerms terms;
  terms.assets = {"A", "B"};
  for (std::size_t d = 0; d < dates; ++d) terms.events.push_back(1.0 + static_cast<double>(d));
  terms.schedules.assign(script->schedules.size(), terms.events);
  terms.schedules[Script::maturity] = {terms.events.back()};
  terms.parameters.resize(script->symbols.size());
  return compile_script(*script, terms);
}

/// The values of all paths, by the launcher of double precision.
std::vector<double> values_of(const ScriptProgram& program, const std::vector<Path>& all) {
  const std::vector<std::vector<double>> growth(program.tables.size(),
                                                std::vector<double>(dates, 0.5));
  const std::vector<double> numbers = encode_program(program, 0, dates, program.initial, growth);
  std::vector<std::int32_t> record(dates);
  const std::vector<std::int32_t> asset{1, 0};  // the tile has the second asset first
  std::vector<AssetRows> rows(assets);
  for (std::size_t a = 0; a < assets; ++a) rows[a].spot = static_cast<std::int32_t>(a);
  std::vector<double> tile(dates * assets * paths), work(paths), samples(paths);
  for (std::size_t d = 0; d < dates; ++d) {
    record[d] = static_cast<std::int32_t>(dates - 1 - d);
    for (std::size_t a = 0; a < assets; ++a)
      for (std::size_t p = 0; p < paths; ++p)
        tile[((dates - 1 - d) * assets + (1 - a)) * paths + p] = all[p][d][a];
  }
  PayoffJob<double> job{};
  job.terms = {numbers.data(), asset.data(), nullptr, assets, dates};
  job.record = record.data();
  job.discount = 1;
  job.tile = {tile.data(), paths, assets, rows.data()};
  job.samples = paths;
  job.values = work.data();
  job.sample = samples.data();
  script_launchers().f64_strict(Executor::host(1), job);
  return samples;
}

struct Case {
  const char* text;
  std::function<double(const Path&)> value;
};

bool is_last(std::size_t d) { return d + 1 == dates; }

const Case cases[] = {
    {"state s = 0; state m = 0; s = s + spot(1); m = max(spot(2), m)\n"
     "schedule maturity { pay s + m at maturity }",
     [](const Path& path) {
       double s = 0, m = 0;
       for (const auto& spot : path) s += spot[0], m = std::max(spot[1], m);
       return s + m;
     }},
    {"state s = 0; s = s - spot(2)\nschedule maturity { pay s at maturity }",
     [](const Path& path) {
       double s = 0;
       for (const auto& spot : path) s -= spot[1];
       return s;
     }},
    {"state s = 7; s = spot(2) - s\nschedule maturity { pay s at maturity }",
     [](const Path& path) {
       double s = 7;
       for (const auto& spot : path) s = spot[1] - s;
       return s;
     }},
    {"state low = 5; state high = 6; if spot(1) <= 95 { low = 1 }; if spot(2) > 110 { high = 2 }\n"
     "schedule maturity { pay low * 10 + high at maturity }",
     [](const Path& path) {
       double low = 5, high = 6;
       for (const auto& spot : path) {
         if (spot[0] <= 95) low = 1;
         if (spot[1] > 110) high = 2;
       }
       return low * 10 + high;
     }},
    {"if spot(1) >= 112 { pay 4; call }\nif last { pay max(spot(2) - 100, 0) }",
     [](const Path& path) {
       for (std::size_t d = 0; d < dates; ++d) {
         if (path[d][0] >= 112) return 4 * 0.5;
         if (is_last(d)) return std::max(path[d][1] - 100, 0.0) * 0.5;
       }
       return 0.0;
     }},
    {"state n = 0; if spot(1) < spot(2) and spot(1) < 101 { n = n + 1; pay spot(2) * 2 at "
     "maturity; n = n + index } else { n = n - 1 }\nif last { pay n at maturity }",
     [](const Path& path) {
       double n = 0, paid = 0;
       for (std::size_t d = 0; d < dates; ++d) {
         if (path[d][0] < path[d][1] && path[d][0] < 101) {
           n += 1;
           paid += path[d][1] * 2;
           n += static_cast<double>(d + 1);
         } else {
           n -= 1;
         }
       }
       return paid + n;
     }},
    {"state total = 0; state before = 100\n"
     "total = total + clip(spot(1) / before - 1, -0.005, 0.008); before = spot(1)\n"
     "if last { pay total at maturity }",
     [](const Path& path) {
       double sum = 0, before = 100;
       for (const auto& spot : path) {
         sum += std::min(std::max(spot[0] / before - 1, -0.005), 0.008);
         before = spot[0];
       }
       return sum;
     }},
    {"pay spot(1) + 0.3 * spot(2) at maturity",
     [](const Path& path) {
       double sum = 0;
       for (const auto& spot : path) {
         const double product = 0.3 * spot[1];
         sum += spot[0] + product;
       }
       return sum;
     }},
    {"state w = 900; state b = 0; w = min(w, spot(1) * spot(2)); b = max(b, spot(1) * 1.1)\n"
     "if last { pay max(w - 1, 8) + b at maturity }",
     [](const Path& path) {
       double w = 900, b = 0;
       for (const auto& spot : path) {
         const double product = spot[0] * spot[1], scaled = spot[0] * 1.1;
         w = std::min(w, product);
         b = std::max(b, scaled);
       }
       return std::max(w - 1, 8.0) + b;
     }},
    // A joined condition that is read again after the part that depends on it.
    {"state n = 0; let c = spot(1) < 99 and spot(2) < 99\n"
     "if c { n = n + 1; n = n * 2; n = min(n, 50) }\nif c { n = n + 0.25 }\n"
     "schedule maturity { pay n at maturity }",
     [](const Path& path) {
       double n = 0;
       for (const auto& spot : path)
         if (spot[0] < 99 && spot[1] < 99) n = std::min((n + 1) * 2, 50.0) + 0.25;
       return n;
     }},
};

std::string long_text(int n) {
  std::string text = "state s = 0\n";
  for (int k = 0; k < n; ++k) text += "s = (s + spot(1)) * 0.5\n";
  return text + "if last { pay s at maturity }";
}

}  // namespace

TEST_CASE("scripts on blocks of paths pay what plain loops do") {
  const std::vector<Path> all = random_paths();
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::vector<double> values = values_of(compiled(c.text), all);
    for (std::size_t p = 0; p < all.size(); ++p) REQUIRE(values[p] == c.value(all[p]));
  }
  // More instructions at a date than are decoded at once.
  const std::vector<double> values = values_of(compiled(long_text(90)), all);
  for (std::size_t p = 0; p < all.size(); ++p) {
    double s = 0;
    for (const auto& spot : all[p])
      for (int k = 0; k < 90; ++k) s = (s + spot[0]) * 0.5;
    REQUIRE(values[p] == s);
  }
}

TEST_CASE("pairs of instructions are joined only where the first result is read once") {
  const auto operations = [](const char* text) {
    std::vector<ScriptOperation> found;
    const ScriptProgram program = compiled(text);
    for (const ScriptInstruction& i : program.segments.front()) found.push_back(i.operation);
    return found;
  };
  using enum ScriptOperation;
  using List = std::vector<ScriptOperation>;
  CHECK(operations("pay max(spot(1) - 100, 0)") == List{difference_at_least, multiply_add});
  CHECK(operations("let x = spot(1) - 100; pay max(x, 0); pay x") ==
        List{subtract, at_least, multiply_add, multiply_add});
  CHECK(operations("if spot(1) < 90 { pay 2 }") == List{less, add_where});
  CHECK(operations("state t = false; if spot(1) < 90 { t = true }; if last and t { pay 1 }") ==
        List{set_where_less});
  CHECK(operations("state t = false; if spot(1) < 90 { t = true } else { t = false }\n"
                   "if last and t { pay 1 }") == List{less, select, select});
  CHECK(operations("pay clip(spot(1), 1, 2)") == List{clip, multiply_add});
  CHECK(operations("pay 5 - spot(1) / 3") == List{divide, subtract, multiply_add});
}
