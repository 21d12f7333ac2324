#include "src/modules/pricing/market/dividends.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/market_config.hpp"

namespace gsim::pricing {
namespace {

constexpr double largest_share = 0.99;

void describe_dividend(Section& s, Dividend& d) {
  s.required("time", d.time,
             {.doc = "ex-dividend date: from it on the spot is without the dividend",
              .unit = "years",
              .is_date = true});
  s.optional("cash", d.cash,
             {.doc = "amount per unit of the asset, by which its forwards fall; the spot falls by "
                     "the same share of itself as its forward does",
              .minimum = 0});
  s.optional("proportional", d.proportional,
             {.doc = "share of the spot by which it falls", .minimum = 0, .maximum = 0.9});
}

bool is_paid(const Dividend& d) { return d.time <= 10 * dividend_lead; }

void validate_dividend(const Section& s, const Dividend& d) {
  if ((d.cash > 0) == (d.proportional > 0))
    s.fail("time", "a dividend is either cash or proportional", "give one of the two, positive");
}

/// ConfigError for a dividend in the configuration itself that today's spot is without.
void require_future(const Section& s, const Dividend& d) {
  if (is_paid(d))
    s.fail("time", fmt::format("the ex-dividend date {} is today or in the past", d.time),
           "leave the dividend out: today's spot is without it");
}

std::vector<Dividend> read_file(const Section& asset, const InputFile& file) {
  CsvTable table = CsvTable::parse(file.text, file.path);
  table.read_dates_as(asset);
  std::vector<Dividend> list;
  for (Index i = 0; i < table.rows(); ++i) {
    Dividend d;
    table.read_row(i, validated([&](Section& s) { describe_dividend(s, d); },
                                [&](const Section& s) { validate_dividend(s, d); }));
    if (!is_paid(d)) list.push_back(d);
  }
  return list;
}

}  // namespace

void describe_dividends(Section& asset, DividendInput& input) {
  asset.tables(
      "dividends", input.list,
      [](Section& s, Dividend& d) {
        validated([&](Section& q) { describe_dividend(q, d); },
                  [&](const Section& q) {
                    validate_dividend(q, d);
                    require_future(q, d);
                  })(s);
      },
      "discrete dividends, besides the yield `dividend`");
  asset.optional("dividends_file", input.file,
                 {.doc = "CSV file of discrete dividends, one per row, with the columns time, cash "
                         "and proportional, in place of `dividends`; those until today are left "
                         "out"});
}

void validate_dividends(const Section& s, const DividendInput& input, AssetConfig& config) {
  if (!input.file.empty() && !input.list.empty())
    s.fail("dividends_file", "give either `dividends` or `dividends_file`");
  const char* key = input.file.empty() ? "dividends" : "dividends_file";
  config.dividends =
      input.file.empty() ? input.list : read_file(s, s.input_file("dividends_file", input.file));
  std::sort(config.dividends.begin(), config.dividends.end(),
            [](const Dividend& a, const Dividend& b) { return a.time < b.time; });
  for (std::size_t i = 1; i < config.dividends.size(); ++i)
    if (config.dividends[i].time - config.dividends[i - 1].time <= 10 * dividend_lead)
      s.fail(key,
             fmt::format("two dividends have the ex-dividend date {}", config.dividends[i].time),
             "add them up");
}

void set_drops(const MarketConfig& market, AssetConfig& asset, double* excessive) {
  *excessive = 0;
  asset.drops.clear();
  double log_factors = 0;
  for (const Dividend& d : asset.dividends) {
    double share = d.proportional;
    if (d.cash > 0) {
      const double growth = market.rate_of(asset.currency).integral(d.time) -
                            asset.dividend.integral(d.time) + log_factors;
      share = d.cash / (asset.spot * exponential(growth));
    }
    if (!(share <= largest_share)) {
      if (*excessive == 0) *excessive = d.time;
      share = largest_share;
    }
    asset.drops.push_back({d.time, logarithm(1 - share)});
    log_factors += asset.drops.back().log_factor;
  }
}

std::vector<double> drop_dates(const AssetConfig& asset, double last) {
  std::vector<double> dates;
  for (const DividendDrop& drop : asset.drops)
    for (const double date : {drop.time - dividend_lead, drop.time})
      if (date < last) dates.push_back(date);
  return dates;
}

}  // namespace gsim::pricing
