#include "src/modules/pricing/market/fixings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

struct FixingRow {
  std::string asset;
  double time = 0, spot = 0;
};

void describe_row(Section& s, FixingRow& row) {
  static const KeyInfo asset{.doc = "asset of [market.assets]"};
  static const KeyInfo date{
      .doc = "date of the observation", .unit = "years", .maximum = 0, .is_date = true};
  static const KeyInfo value{.doc = "spot of the asset", .minimum = 0, .exclusive_minimum = true};
  s.required("asset", row.asset, asset);
  s.required("date", row.time, date);
  s.required("value", row.spot, value);
}

// Position of the first spot at `time` or later.
std::size_t position(const std::vector<PastSpot>& spots, double time) {
  const auto found = std::lower_bound(spots.begin(), spots.end(), time,
                                      [](const PastSpot& p, double t) { return p.time < t; });
  return static_cast<std::size_t>(found - spots.begin());
}

void add_row(const Section& s, const FixingRow& row, MarketConfig& config) {
  const Index i = config.find(row.asset);
  if (i < 0) return;
  std::vector<PastSpot>& spots = config.assets[static_cast<std::size_t>(i)].past_spots;
  const std::size_t at = position(spots, row.time);
  if (at < spots.size() && spots[at].time == row.time)
    s.fail("date", fmt::format("asset `{}` has two fixings on {}", excerpt(row.asset),
                               config.dates.text_of(row.time)));
  spots.insert(spots.begin() + static_cast<Index>(at), {row.time, row.spot});
}

}  // namespace

void describe_fixings(Section& market, MarketConfig& config) {
  std::string name;
  const auto describe = [&](Section& s) {
    s.optional("fixings_file", name,
               {.doc = "CSV file of spots that were observed before today, with the columns asset, "
                       "date and value; trades use those at the dates of their `fixings`. Today's "
                       "spot is that of the asset"});
  };
  const auto validate = [&](const Section& s) {
    if (name.empty()) return;
    const InputFile& file = s.input_file("fixings_file", name);
    CsvTable table = CsvTable::parse(file.text, file.path);
    table.read_dates_as(s);
    for (Index i = 0; i < table.rows(); ++i) {
      FixingRow row;
      table.read_row(i, validated([&](Section& r) { describe_row(r, row); },
                                  [&](const Section& r) { add_row(r, row, config); }));
    }
  };
  validated(describe, validate)(market);
}

std::optional<double> past_spot(const AssetConfig& asset, double time) {
  const std::vector<PastSpot>& spots = asset.past_spots;
  const std::size_t at = position(spots, time);
  if (at == spots.size() || spots[at].time != time) return std::nullopt;
  return spots[at].spot;
}

}  // namespace gsim::pricing
