#include "src/modules/pricing/ore/ore_options.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace gsim::pricing {
namespace {

/// A key that names a file.
struct FileKey {
  const char* key;
  const char* doc;
  const InputFile* OreOptions::*file;
};

constexpr std::array<FileKey, 6> file_keys = {{
    {"portfolio_file", "portfolio.xml: trades, besides those of [[trades]] and trades_file",
     &OreOptions::portfolio},
    {"market_file",
     "todaysmarket.xml: which curves discount, forecast rates and describe equities, exchange "
     "rates and issuers. They are added to [market], curves under their CurveId",
     &OreOptions::todays_market},
    {"curves_file", "curveconfig.xml, with market_file: how curves follow from quotes",
     &OreOptions::curves},
    {"conventions_file", "conventions.xml, with market_file: conventions of the quotes",
     &OreOptions::conventions},
    {"quotes_file", "market.txt, with market_file: the quotes; those of market.date are used",
     &OreOptions::quotes},
    {"fixings_file", "fixings.txt: past fixings of rates", &OreOptions::fixings},
}};

using FileNames = std::array<std::string, file_keys.size()>;

void describe(Section& s, OreOptions& o, FileNames& names) {
  s.required(
      "currency", o.currency,
      {.doc =
           "currency of the market, as \"EUR\", in which results are; trades may pay in others"});
  for (std::size_t i = 0; i < file_keys.size(); ++i)
    s.optional(file_keys[i].key, names[i], {.doc = file_keys[i].doc});
}

void validate(const Section& s, OreOptions& o, const FileNames& names) {
  for (std::size_t i = 0; i < file_keys.size(); ++i)
    if (!names[i].empty()) o.*file_keys[i].file = &s.input_file(file_keys[i].key, names[i]);
  o.keys = s.locations();
  if (o.currency.size() != 3) s.fail("currency", "a currency has three letters");
  if (o.portfolio == nullptr && !o.has_market())
    s.fail("", "[ore] names neither a `portfolio_file` nor a `market_file`");
  for (const char* key : {"curves_file", "conventions_file", "quotes_file"})
    if (s.has(key) != o.has_market())
      s.fail(o.has_market() ? "market_file" : key,
             o.has_market() ? fmt::format("`market_file` needs `{}`", key)
                            : fmt::format("`{}` needs `market_file`", key));
}

}  // namespace

void describe_ore(Section& top, OreOptions& options) {
  options = {};
  FileNames names;
  top.optional_table("ore",
                     validated([&](Section& s) { describe(s, options, names); },
                               [&](const Section& s) { validate(s, options, names); }),
                     "files of Open Source Risk Engine, from which market and trades are read");
}

}  // namespace gsim::pricing
