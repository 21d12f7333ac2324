// Output of the module exposure: the tables in the result file, their digest, and the table on the
// terminal.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/exposures/exposure_module.hpp"
#include "src/modules/pricing/exposures/exposure_numbers.hpp"
#include "src/modules/pricing/results/column.hpp"
#include "src/modules/pricing/results/digest_writer.hpp"

namespace gsim::pricing {
namespace {

/// Two columns of a table: estimates and their standard errors.
void write_estimates(DatasetWriter& w, const std::string& path, const std::vector<Estimate>& list) {
  w.write(path, column<double>(list, [](auto& e) { return e.mean; }));
  w.write(path + "_error", column<double>(list, [](auto& e) { return e.standard_error; }));
  w.attribute(path, "unit", "currency");
  w.attribute(path + "_error", "unit", "currency");
}

/// A number with the decimals that show two digits of its error.
std::string with_error(const Estimate& e) {
  int decimals = 2;
  if (e.standard_error > 0 && std::isfinite(e.standard_error)) {
    decimals = 0;
    for (double x = e.standard_error; x < 10 && decimals < 10; x *= 10) ++decimals;
  }
  return fmt::format("{:.{}f} ± {:.{}f}", e.mean + 0.0, decimals, e.standard_error, decimals);
}

}  // namespace

void ExposureModule::write_tables(DatasetWriter& w) const {
  w.write_strings("netting_sets/name",
                  column<std::string>(options_.sets, [](auto& s) { return s.name; }));
  for (int i = 0; i < scalar_count; ++i) {
    std::vector<Estimate> list;
    for (Index set = 0; set < set_count(); ++set) list.push_back(estimate(set, i));
    write_estimates(w, std::string("netting_sets/") + scalars[i].name, list);
  }
  std::vector<std::int64_t> sets;
  std::vector<double> times;
  for (Index set = 0; set < set_count(); ++set)
    for (const double t : dates_.times) {
      sets.push_back(set);
      times.push_back(t);
    }
  w.write("exposures/netting_set", sets);
  w.write("exposures/time", times);
  w.attribute("exposures/time", "unit", "years");
  for (int i = 0; i < profile_count; ++i) {
    std::vector<Estimate> list;
    for (Index set = 0; set < set_count(); ++set)
      for (std::size_t k = 0; k < dates_.times.size(); ++k)
        list.push_back(estimate(set, position(i, static_cast<Index>(k))));
    write_estimates(w, std::string("exposures/") + profiles[i].name, list);
  }
}

// Descriptions, and what the results can be read with; not part of the digest.
void ExposureModule::write_terms(DatasetWriter& w) const {
  for (const ScalarInfo& info : scalars)
    w.attribute(std::string("netting_sets/") + info.name, "description", info.doc);
  for (const ProfileInfo& info : profiles)
    w.attribute(std::string("exposures/") + info.name, "description", info.doc);
  w.attribute("exposures/netting_set", "description", "row of the netting set in netting_sets/");
  w.attribute("netting_sets/cva", "samples", fmt::format("{}", unit_count() * options_.paths));
  w.write_strings("trades/id", column<std::string>(config_.trades, [](auto& t) { return t.id; }));
  w.write_strings("trades/product",
                  column<std::string>(config_.trades, [](auto& t) { return t.product_name(); }));
  w.write("trades/quantity", column<double>(config_.trades, [](auto& t) { return t.quantity; }));
  w.write("trades/netting_set", options_.set_of_trade);
  w.attribute("trades/netting_set", "description", "row of the netting set in netting_sets/");
  w.write_strings("skipped/id", column<std::string>(config_.skipped, [](auto& t) { return t.id; }));
  w.write_strings("skipped/reason",
                  column<std::string>(config_.skipped, [](auto& t) { return t.reason; }));
}

void ExposureModule::write_results(DatasetWriter& w) const {
  write_tables(w);
  write_terms(w);
}

std::uint64_t ExposureModule::digest() const {
  DigestWriter writer;
  write_tables(writer);
  return writer.value();
}

ReportTable ExposureModule::report() const {
  constexpr Index max_rows = 40;
  ReportTable table;
  table.columns = {"netting set", "CVA", "DVA", "FCA", "FBA", "EPE", "largest PFE"};
  table.right_aligned = {false, true, true, true, true, true, true};
  for (Index set = 0; set < std::min(set_count(), max_rows); ++set) {
    std::vector<std::string> row = {options_.sets[static_cast<std::size_t>(set)].name};
    for (int i = 0; i < scalar_count; ++i)
      row.push_back(is_requested(set, i) ? with_error(estimate(set, i)) : std::string());
    Estimate largest;
    largest.mean = -1;
    for (std::size_t k = 0; k < dates_.times.size(); ++k) {
      const Estimate e = estimate(set, position(2, static_cast<Index>(k)));
      if (e.mean > largest.mean) largest = e;
    }
    row.push_back(with_error(largest));
    table.rows.push_back(std::move(row));
  }
  table.rows_left_out = std::max<Index>(set_count() - max_rows, 0);
  for (std::size_t i = 0; i < std::min<std::size_t>(config_.skipped.size(), max_rows); ++i)
    table.footer.push_back(fmt::format("skipped: {}", config_.skipped[i].reason));
  table.footer.push_back(fmt::format("{} trades, {} paths in {} units, {} dates up to {:g} years",
                                     config_.trades.size(), unit_count() * options_.paths,
                                     unit_count(), options_.dates.size(), options_.dates.back()));
  return table;
}

}  // namespace gsim::pricing
