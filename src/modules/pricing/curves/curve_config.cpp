#include "src/modules/pricing/curves/curve_config.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/curves/curve_quotes.hpp"
#include "src/modules/pricing/market/rate_warning.hpp"

namespace gsim::pricing {
namespace {

enum class PillarKind { zero, forward, discount };
constexpr std::string_view pillar_kinds[] = {"zero", "forward", "discount"};

/// One table while it is read.
struct CurveInput {
  std::string name;
  Interpolation interpolation = Interpolation::log_linear;
  std::vector<double> times, values;
  PillarKind kind = PillarKind::zero;
  std::string quotes_file, discount;
  std::vector<CurveQuote> quotes;
  ConventionKeys convention_keys;
  CurveConventions conventions;
  KeyLocations keys;
};

void describe_curve(Section& s, CurveInput& c) {
  s.optional(
      "interpolation", c.interpolation, interpolations,
      {.doc = "between pillars: the logarithm of discount factors linear (forward rates "
              "piecewise constant); zero rates linear, and constant before the first pillar; "
              "or the logarithm of discount factors cubic and monotone where the data are "
              "(Hyman's filter), with continuous forward rates. After the last pillar the "
              "forward rate is constant"});
  s.optional("times", c.times,
             {.doc = "pillars, increasing; in place of quotes", .unit = "years", .is_date = true});
  s.optional(
      "values", c.values,
      {.doc = "one value per pillar", .minimum = lowest_forward, .maximum = highest_forward});
  s.optional("kind", c.kind, pillar_kinds,
             {.doc = "of the values: continuously compounded zero rates; forward rates of the "
                     "intervals that end at the pillars; discount factors"});
  s.optional(
      "quotes_file", c.quotes_file,
      {.doc = "CSV file of quotes, from which the curve is bootstrapped; its columns are the "
              "keys of [[quotes]]"});
  s.optional("discount", c.discount,
             {.doc = "curve of [market.curves] that discounts the payments of the quotes, of which "
                     "this curve forecasts the rates; absent: this curve does both"});
  describe_conventions(s, c.convention_keys);
  s.tables("quotes", c.quotes, describe_quote,
           "par rates of the instruments at the pillars, from which the curve is bootstrapped");
}

void read_quotes(const Section& s, CurveInput& c) {
  const InputFile& file = s.input_file("quotes_file", c.quotes_file);
  CsvTable table = CsvTable::parse(file.text, file.path);
  for (Index i = 0; i < table.rows(); ++i)
    table.read_row(i, [&](Section& row) { describe_quote(row, c.quotes.emplace_back()); });
  if (c.quotes.empty()) s.fail("quotes_file", "the file has no quotes");
}

void check_pillars(const Section& s, const CurveInput& c) {
  for (std::size_t i = 0; i < c.times.size(); ++i)
    if (c.times[i] <= (i == 0 ? 0 : c.times[i - 1]))
      s.fail("times", fmt::format("pillars must be positive and increasing, but pillar {} is {}",
                                  i + 1, c.times[i]));
  if (c.values.size() != c.times.size())
    s.fail("values", fmt::format("{} values for {} pillars", c.values.size(), c.times.size()));
  for (const double value : c.values)
    if (c.kind == PillarKind::discount && !(value > 0))
      s.fail("values", fmt::format("discount factors must be positive, not {}", value));
}

void validate_curve(const Section& s, const MarketDates& dates, CurveInput& c) {
  c.keys = s.locations();
  if ((!c.times.empty()) + (!c.quotes.empty()) + (!c.quotes_file.empty()) != 1)
    s.fail("", "a curve needs one of: `times` and `values`, `quotes_file`, [[quotes]]");
  if (!c.times.empty()) {
    if (!c.discount.empty()) s.fail("discount", "only a curve with quotes has a discount curve");
    return check_pillars(s, c);
  }
  if (!c.values.empty()) s.fail("values", "`values` need their `times`");
  if (!dates.today)
    s.fail(c.quotes_file.empty() ? "quotes" : "quotes_file", "quotes need the date of today",
           "set market.date");
  c.conventions = conventions_of(s, c.convention_keys);
  if (!c.quotes_file.empty()) read_quotes(s, c);
}

DiscountCurve curve_through_pillars(const CurveInput& c) {
  std::vector<double> totals(c.times.size());
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const double from = i == 0 ? 0 : c.times[i - 1], before = i == 0 ? 0 : totals[i - 1];
    totals[i] = c.kind == PillarKind::zero      ? c.values[i] * c.times[i]
                : c.kind == PillarKind::forward ? before + c.values[i] * (c.times[i] - from)
                                                : -logarithm(c.values[i]);
  }
  return {c.interpolation, c.times, totals};
}

void warn_of_percentages(const CurveInput& c, std::vector<std::string>& warnings) {
  const auto largest = std::max_element(c.values.begin(), c.values.end());
  if (largest != c.values.end() && c.kind != PillarKind::discount)
    warn_of_rate(c.keys.location("values"), fmt::format("{}.values", c.keys.path()), *largest,
                 warnings);
  for (const CurveQuote& quote : c.quotes)
    warn_of_rate(quote.at, quote.name(), quote.rate, warnings);
}

struct DatedQuote {
  const CurveQuote* quote;
  ParInstrument instrument;
};

// The instruments in the order of their pillars.
std::vector<DatedQuote> dated_quotes(const CurveInput& c, const MarketDates& dates) {
  std::vector<DatedQuote> list;
  for (const CurveQuote& quote : c.quotes) {
    try {
      list.push_back({&quote, instrument_of(quote, c.conventions, dates)});
    } catch (const InputError& error) {
      throw ConfigError(quote.at, error.what(), "");
    }
    if (!(list.back().instrument.last_time() > 0))
      throw ConfigError(quote.at, fmt::format("the {} has ended", quote.name()), "leave it out");
  }
  std::stable_sort(list.begin(), list.end(), [](const DatedQuote& a, const DatedQuote& b) {
    return a.instrument.last_time() < b.instrument.last_time();
  });
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i].instrument.last_time() <= list[i - 1].instrument.last_time())
      throw ConfigError(list[i].quote->at,
                        fmt::format("the {} ends on the same day as the {}, and a curve has one "
                                    "quote for each pillar",
                                    list[i].quote->name(), list[i - 1].quote->name()),
                        "leave one of them out");
  return list;
}

[[noreturn]] void fail_unmet(const DatedQuote& quote, const std::string& name) {
  throw ConfigError(
      quote.quote->at,
      fmt::format("the quotes of curve `{}` admit no curve: with the quotes of earlier pillars, no "
                  "forward rate from {:g} to {:g} gives the {} the par rate {}",
                  excerpt(name), lowest_forward, highest_forward, quote.quote->name(),
                  quote.quote->rate),
      "is the quote a percentage, or of another instrument?");
}

MarketCurve bootstrapped(const CurveInput& c, const MarketDates& dates,
                         const DiscountCurve* discount) {
  const std::vector<DatedQuote> list = dated_quotes(c, dates);
  std::vector<ParInstrument> instruments;
  std::vector<double> rates;
  for (const DatedQuote& quote : list) {
    instruments.push_back(quote.instrument);
    rates.push_back(quote.quote->rate);
  }
  const BootstrappedCurve result = bootstrap(c.interpolation, instruments, rates, discount);
  if (result.unmet_quote >= 0)
    fail_unmet(list[static_cast<std::size_t>(result.unmet_quote)], c.name);
  MarketCurve curve{c.name, result.curve, {}, {}};
  for (const DatedQuote& quote : list) {
    const double par =
        quote.instrument.par_rate(result.curve, discount == nullptr ? result.curve : *discount);
    curve.quotes.push_back(quote.quote->name());
    curve.quote_errors.push_back(par - quote.quote->rate);
    if (!(std::fabs(par - quote.quote->rate) <= quote_tolerance)) fail_unmet(quote, c.name);
  }
  return curve;
}

/// Makes the curves, each after the curve that discounts its quotes.
class CurveBuilder {
 public:
  CurveBuilder(const std::vector<CurveInput>& inputs, const MarketDates& dates)
      : inputs_(inputs), dates_(dates), curves_(inputs.size()), state_(inputs.size()) {}

  std::vector<MarketCurve> build() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) make(i);
    return std::move(curves_);
  }

 private:
  enum class State { absent, started, made };

  void make(std::size_t i) {
    if (state_[i] == State::made) return;
    const CurveInput& input = inputs_[i];
    if (state_[i] == State::started)
      input.keys.fail("discount", fmt::format("curve `{}` would discount its own quotes by way of "
                                              "other curves",
                                              excerpt(input.name)));
    state_[i] = State::started;
    if (!input.times.empty())
      curves_[i] = {input.name, curve_through_pillars(input), {}, {}};
    else
      curves_[i] = bootstrapped(input, dates_, discount_of(input));
    state_[i] = State::made;
  }

  const DiscountCurve* discount_of(const CurveInput& input) {
    if (input.discount.empty()) return nullptr;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      names.push_back(inputs_[i].name);
      if (inputs_[i].name != input.discount) continue;
      make(i);
      return &curves_[i].curve;
    }
    input.keys.fail("discount",
                    fmt::format("no curve `{}` in [market.curves]", excerpt(input.discount)),
                    suggest_known(input.discount, names, "the curves are"));
  }

  const std::vector<CurveInput>& inputs_;
  const MarketDates& dates_;
  std::vector<MarketCurve> curves_;
  std::vector<State> state_;
};

}  // namespace

const MarketCurve* find_curve(const std::vector<MarketCurve>& curves, std::string_view name) {
  const auto found = std::find_if(curves.begin(), curves.end(),
                                  [&](const MarketCurve& c) { return c.name == name; });
  return found == curves.end() ? nullptr : &*found;
}

const MarketCurve& require_curve(const Section& s, std::string_view key,
                                 const std::vector<MarketCurve>& curves, const std::string& name) {
  if (const MarketCurve* curve = find_curve(curves, name)) return *curve;
  std::vector<std::string> names;
  names.reserve(curves.size());
  for (const MarketCurve& curve : curves) names.push_back(curve.name);
  s.fail(key, fmt::format("no curve `{}` in [market.curves]", excerpt(name)),
         names.empty() ? "add the table [market.curves." + excerpt(name) + "]"
                       : suggest_known(name, names, "the curves are"));
}

void describe_curves(Section& market, const MarketDates& dates, const MoreTables& more,
                     std::vector<MarketCurve>& curves, std::vector<std::string>& warnings) {
  std::vector<CurveInput> inputs;
  const auto describe = [&](Section& s) {
    s.named_tables(
        "curves",
        [&](Section& table, const std::string& name) {
          CurveInput input;
          input.name = name;
          validated([&](Section& t) { describe_curve(t, input); },
                    [&](const Section& t) { validate_curve(t, dates, input); })(table);
          inputs.push_back(std::move(input));
        },
        "curves of discount factors, under names of your choice: through pillars, or bootstrapped "
        "from quotes");
  };
  const auto validate = [&](const Section&) {
    const std::size_t own = inputs.size();
    if (more) more(describe);
    for (std::size_t i = own; i < inputs.size(); ++i)
      for (std::size_t j = 0; j < own; ++j)
        if (inputs[i].name == inputs[j].name)
          inputs[j].keys.fail("", fmt::format("the curve `{}` is in the files of [ore], too",
                                              excerpt(inputs[j].name)));
    curves = CurveBuilder(inputs, dates).build();
    for (const CurveInput& input : inputs) warn_of_percentages(input, warnings);
  };
  validated(describe, validate)(market);
}

}  // namespace gsim::pricing
