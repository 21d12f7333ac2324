#include "src/modules/pricing/volatility/surface_config.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/pricing/market/model_keys.hpp"

namespace gsim::pricing {
namespace {

constexpr std::array<std::string_view, 2> delta_kinds = {"spot", "forward"};
constexpr std::array<std::string_view, 3> smile_kinds = {"spline", "svi", "sabr"};
constexpr std::array<std::string_view, 2> arbitrage_words = {"error", "warn"};
constexpr std::string_view quote_key = "volatilities";

/// [market.volatility_surfaces.NAME.ssvi]
struct SsviInput {
  std::vector<double> expiries, volatilities;
  double rho = 0, eta = 0, gamma = 0;
};

/// The keys of one table.
struct Keys {
  std::vector<double> expiries, strikes, moneyness;
  std::vector<std::string> deltas;
  std::vector<std::vector<double>> volatilities;
  std::string quotes_file;
  std::vector<SmileInput> svi, sabr;
  SsviInput ssvi;
  bool has_ssvi = false;
  int arbitrage = 0;
};

KeyInfo volatility_info(const std::string& doc) {
  return {.doc = doc,
          .unit = "1/sqrt(year)",
          .minimum = 0,
          .maximum = largest_volatility,
          .exclusive_minimum = true};
}

KeyInfo expiry_info(const std::string& doc) {
  return {.doc = doc, .unit = "years", .minimum = 0, .exclusive_minimum = true, .is_date = true};
}

constexpr const char* delta_doc =
    "percent and P (put) or C (call), as \"25P\", or \"ATM\" for the strike of the delta-neutral "
    "straddle";

void describe_svi(Section& s, SmileInput& smile) {
  s.required("expiry", smile.expiry, expiry_info("expiry of the parameters"));
  s.required("a", smile.svi.a, {.doc = "level of the total variance"});
  s.required("b", smile.svi.b, {.doc = "mean slope of the wings", .minimum = 0});
  s.required("rho", smile.svi.rho,
             {.doc = "asymmetry of the wings",
              .minimum = -1,
              .maximum = 1,
              .exclusive_minimum = true,
              .exclusive_maximum = true});
  s.required("m", smile.svi.m, {.doc = "log-moneyness of the centre"});
  s.required("sigma", smile.svi.sigma,
             {.doc = "width of the rounded centre", .minimum = 0, .exclusive_minimum = true});
}

void validate_svi(const Section& s, SmileInput& smile) {
  if (!(smile.svi.smallest_variance() > 0))
    s.fail("a",
           fmt::format("the total variance a + b sigma sqrt(1 - rho^2) = {:.6g} must be positive",
                       smile.svi.smallest_variance()));
}

void describe_sabr(Section& s, SmileInput& smile) {
  s.required("expiry", smile.expiry, expiry_info("expiry of the parameters"));
  s.required("alpha", smile.sabr.alpha,
             {.doc = "volatility of the forward, times forward^(1 - beta)",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("beta", smile.sabr.beta,
             {.doc = "exponent of the forward; 1: lognormal", .minimum = 0, .maximum = 1});
  s.required("rho", smile.sabr.rho,
             {.doc = "correlation of forward and volatility",
              .minimum = -1,
              .maximum = 1,
              .exclusive_minimum = true,
              .exclusive_maximum = true});
  s.required("nu", smile.sabr.nu,
             {.doc = "volatility of the volatility", .unit = "1/sqrt(year)", .minimum = 0});
}

void describe_ssvi(Section& s, SsviInput& ssvi) {
  s.required("expiries", ssvi.expiries, expiry_info("expiries, increasing"));
  s.required("volatilities", ssvi.volatilities,
             volatility_info("implied volatilities at the forward, one per expiry"));
  s.required("rho", ssvi.rho,
             {.doc = "asymmetry of the wings",
              .minimum = -1,
              .maximum = 1,
              .exclusive_minimum = true,
              .exclusive_maximum = true});
  s.required("eta", ssvi.eta,
             {.doc = "phi(theta) = eta theta^-gamma sets the slopes of the wings by the total "
                     "variance theta at the forward",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("gamma", ssvi.gamma, {.doc = "exponent of phi", .minimum = 0, .maximum = 1});
}

void validate_ssvi(const Section& s, SsviInput& ssvi) {
  if (ssvi.expiries.size() != ssvi.volatilities.size())
    s.fail("volatilities", fmt::format("{} volatilities for {} expiries", ssvi.volatilities.size(),
                                       ssvi.expiries.size()));
}

void describe_keys(Section& s, SurfaceInput& surface, Keys& keys) {
  s.optional("expiries", keys.expiries,
             expiry_info("expiries of the rows of `volatilities`, increasing"));
  s.optional("strikes", keys.strikes,
             {.doc = "strikes of the columns", .minimum = 0, .exclusive_minimum = true});
  s.optional("moneyness", keys.moneyness,
             {.doc = "the same as strike / forward", .minimum = 0, .exclusive_minimum = true});
  s.optional("deltas", keys.deltas,
             {.doc = std::string("the same as deltas, each in ") + delta_doc});
  s.optional(quote_key, keys.volatilities,
             volatility_info("implied volatilities, one row per expiry and one column per strike, "
                             "moneyness or delta"));
  s.optional("delta", surface.delta_kind, delta_kinds,
             {.doc = "of a call, without the premium: \"spot\" e^(-dividend T) N(d1), \"forward\" "
                     "N(d1)"});
  s.optional("quotes_file", keys.quotes_file,
             {.doc = "CSV file in place of these lists, one quote per row, with the columns "
                     "expiry, volatility and one of strike, moneyness and delta"});
  s.optional(
      "smile", surface.smile, smile_kinds,
      {.doc = "of quotes: a cubic spline through the total variances; or the formula of SVI or "
              "SABR, fitted to the volatilities of each expiry by least squares"});
  s.optional("beta", surface.beta,
             {.doc = "exponent beta of SABR smiles that are fitted", .minimum = 0, .maximum = 1});
  s.tables(
      "svi", keys.svi, validated(describe_svi, validate_svi),
      "in place of quotes: raw SVI (Gatheral 2004), one table per expiry; the total variance at "
      "k = ln(strike / forward) is a + b (rho (k - m) + sqrt((k - m)^2 + sigma^2))");
  s.tables("sabr", keys.sabr, describe_sabr,
           "in place of quotes: SABR, one table per expiry; lognormal volatilities by Hagan et al. "
           "2002, eq. 2.17a");
  keys.has_ssvi =
      s.optional_table("ssvi",
                       validated([&](Section& t) { describe_ssvi(t, keys.ssvi); },
                                 [&](const Section& t) { validate_ssvi(t, keys.ssvi); }),
                       "in place of quotes: one SSVI surface for all expiries (Gatheral and "
                       "Jacquier 2014, eq. 4.1)");
  s.optional_word("arbitrage", keys.arbitrage, arbitrage_words,
                  {.doc = "whether butterfly or calendar arbitrage within four standard deviations "
                          "of the forward ends the run or gives a warning"});
}

/// The signed delta that a text means; 0 for "ATM".
double parse_delta(const Section& s, std::string_view key, const std::string& text) {
  if (text == "ATM") return 0;
  double percent = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, percent);
  const bool is_number =
      parsed.ec == std::errc() && parsed.ptr == end - 1 && percent > 0 && percent < 100;
  if (!is_number || (*parsed.ptr != 'P' && *parsed.ptr != 'C'))
    s.fail(key, fmt::format("`{}` is not a delta", excerpt(text)),
           std::string("write ") + delta_doc);
  return (*parsed.ptr == 'P' ? -0.01 : 0.01) * percent;
}

/// The coordinates of the columns of `volatilities`, in the only one of the three keys.
std::vector<double> columns_of(const Section& s, const Keys& keys, SurfaceInput& surface) {
  if ((!keys.strikes.empty()) + (!keys.moneyness.empty()) + (!keys.deltas.empty()) != 1)
    s.fail(quote_key, "`volatilities` need one of `strikes`, `moneyness` and `deltas`");
  if (!keys.strikes.empty()) return keys.strikes;
  if (!keys.moneyness.empty()) {
    surface.strike_kind = StrikeKind::moneyness;
    return keys.moneyness;
  }
  surface.strike_kind = StrikeKind::delta;
  std::vector<double> deltas;
  for (const std::string& text : keys.deltas) deltas.push_back(parse_delta(s, "deltas", text));
  return deltas;
}

void read_lists(const Section& s, const Keys& keys, SurfaceInput& surface) {
  const std::vector<double> columns = columns_of(s, keys, surface);
  if (keys.volatilities.size() != keys.expiries.size())
    s.fail(quote_key,
           fmt::format("{} rows for {} expiries", keys.volatilities.size(), keys.expiries.size()));
  for (std::size_t i = 0; i < keys.expiries.size(); ++i) {
    const std::vector<double>& row = keys.volatilities[i];
    if (row.size() != columns.size())
      s.fail(quote_key, fmt::format("row {} has {} volatilities for {} columns", i + 1, row.size(),
                                    columns.size()));
    SmileInput& smile = surface.smiles.emplace_back();
    smile.expiry = keys.expiries[i];
    for (std::size_t j = 0; j < row.size(); ++j) smile.quotes.push_back({columns[j], row[j]});
  }
}

/// One row of quotes_file.
struct FileRow {
  double expiry = 0, strike = 0, moneyness = 0, volatility = 0;
  std::string delta;
};

void describe_row(Section& s, FileRow& row) {
  s.required("expiry", row.expiry, expiry_info("expiry"));
  s.required("volatility", row.volatility, volatility_info("implied volatility"));
  s.optional("strike", row.strike, {.doc = "strike", .minimum = 0, .exclusive_minimum = true});
  s.optional("moneyness", row.moneyness,
             {.doc = "strike / forward", .minimum = 0, .exclusive_minimum = true});
  s.optional("delta", row.delta, {.doc = delta_doc});
}

void read_file(const Section& s, const Keys& keys, SurfaceInput& surface) {
  const InputFile& file = s.input_file("quotes_file", keys.quotes_file);
  CsvTable table = CsvTable::parse(file.text, file.path);
  table.read_dates_as(s);
  std::map<double, std::vector<SmileQuote>> smiles;
  for (Index i = 0; i < table.rows(); ++i) {
    FileRow row;
    const auto validate = [&](const Section& t) {
      const bool has_strike = t.has("strike"), has_moneyness = t.has("moneyness");
      if (has_strike + has_moneyness + t.has("delta") != 1)
        t.fail("", "a quote needs one of `strike`, `moneyness` and `delta`");
      const StrikeKind kind = has_strike      ? StrikeKind::strike
                              : has_moneyness ? StrikeKind::moneyness
                                              : StrikeKind::delta;
      if (i > 0 && kind != surface.strike_kind)
        t.fail("", "all quotes of a surface have strikes, or all moneyness, or all deltas");
      surface.strike_kind = kind;
      const double coordinate = has_strike      ? row.strike
                                : has_moneyness ? row.moneyness
                                                : parse_delta(t, "delta", row.delta);
      smiles[row.expiry].push_back({coordinate, row.volatility});
    };
    table.read_row(i, validated([&](Section& t) { describe_row(t, row); }, validate));
  }
  if (smiles.empty()) s.fail("quotes_file", "the file has no quotes");
  for (auto& [expiry, quotes] : smiles)
    surface.smiles.push_back({expiry, std::move(quotes), {}, {}});
}

void read_ssvi(const SsviInput& ssvi, SurfaceInput& surface) {
  for (std::size_t i = 0; i < ssvi.expiries.size(); ++i) {
    SmileInput& smile = surface.smiles.emplace_back();
    smile.expiry = ssvi.expiries[i];
    const double theta = square(ssvi.volatilities[i]) * smile.expiry;
    smile.svi = ssvi_slice(theta, ssvi.eta * power(theta, -ssvi.gamma), ssvi.rho);
  }
}

void check_expiries(const Section& s, const SurfaceInput& surface) {
  constexpr double smallest_distance = 1e-6;  // years: half a minute
  if (surface.smiles.empty()) s.fail(surface.key, "the surface has no expiries");
  double before = 0;
  for (std::size_t i = 0; i < surface.smiles.size(); ++i) {
    const double expiry = surface.smiles[i].expiry;
    if (expiry <= before)
      s.fail(surface.key, fmt::format("expiries must increase, but number {} is {} after {}", i + 1,
                                      expiry, before));
    if (expiry < before + smallest_distance)
      s.fail(surface.key,
             fmt::format("expiry number {} is {} after {}, less than {} years apart", i + 1, expiry,
                         before, smallest_distance),
             "give both the same expiry, or leave one of them out");
    before = expiry;
  }
}

/// Keys that would have no effect. Their default values are accepted, which resolved configurations
/// have.
void refuse_unused(const Section& s, const SurfaceInput& surface) {
  const SurfaceInput defaults;
  if (surface.beta != defaults.beta && !(surface.has_quotes && surface.smile == SmileKind::sabr))
    s.fail("beta", "`beta` is for quotes with smile = \"sabr\"",
           "leave `beta` out, or set smile = \"sabr\"");
  if (surface.delta_kind != defaults.delta_kind &&
      !(surface.has_quotes && surface.strike_kind == StrikeKind::delta))
    s.fail("delta", "`delta` is for quotes by delta, and the surface has none",
           "leave `delta` out");
}

void read_smiles(const Section& s, Keys& keys, SurfaceInput& surface) {
  surface.keys = s.locations();
  surface.is_arbitrage_error = keys.arbitrage == 0;
  const std::pair<std::string_view, bool> forms[] = {{quote_key, !keys.volatilities.empty()},
                                                     {"quotes_file", !keys.quotes_file.empty()},
                                                     {"svi", !keys.svi.empty()},
                                                     {"sabr", !keys.sabr.empty()},
                                                     {"ssvi", keys.has_ssvi}};
  int given = 0;
  for (const auto& [key, is_given] : forms)
    if (is_given) {
      surface.key = key;
      ++given;
    }
  if (given != 1)
    s.fail("",
           "a volatility surface needs one of: `volatilities` with `expiries`, `quotes_file`, "
           "[[svi]], [[sabr]], [ssvi]");
  const std::pair<const char*, bool> lists[] = {{"expiries", !keys.expiries.empty()},
                                                {"strikes", !keys.strikes.empty()},
                                                {"moneyness", !keys.moneyness.empty()},
                                                {"deltas", !keys.deltas.empty()}};
  for (const auto& [key, is_given] : lists)
    if (surface.key != quote_key && is_given)
      s.fail(key, fmt::format("`{}` is for `volatilities`", key));
  surface.has_quotes = surface.key == quote_key || surface.key == "quotes_file";
  if (surface.key == quote_key) read_lists(s, keys, surface);
  if (surface.key == "quotes_file") read_file(s, keys, surface);
  if (!keys.svi.empty()) surface.smiles = std::move(keys.svi);
  if (!keys.sabr.empty()) surface.smiles = std::move(keys.sabr);
  if (keys.has_ssvi) read_ssvi(keys.ssvi, surface);
  if (!surface.has_quotes) {
    const SmileKind kind = surface.key == "sabr" ? SmileKind::sabr : SmileKind::svi;
    if (surface.smile != SmileKind::spline && surface.smile != kind)
      s.fail("smile",
             fmt::format("the surface has no quotes, but parameters in `{}`", surface.key));
    surface.smile = kind;
  }
  refuse_unused(s, surface);
  check_expiries(s, surface);
}

}  // namespace

const SurfaceInput& require_surface(const Section& s, std::string_view key,
                                    const std::vector<SurfaceInput>& surfaces,
                                    const std::string& name) {
  std::vector<std::string> names;
  for (const SurfaceInput& surface : surfaces) {
    if (surface.name == name) return surface;
    names.push_back(surface.name);
  }
  s.fail(key, fmt::format("no surface `{}` in [market.volatility_surfaces]", excerpt(name)),
         names.empty() ? "add the table [market.volatility_surfaces." + excerpt(name) + "]"
                       : suggest_known(name, names, "the surfaces are"));
}

void describe_surfaces(Section& market, std::vector<SurfaceInput>& surfaces) {
  surfaces.clear();
  market.named_tables(
      "volatility_surfaces",
      [&](Section& table, const std::string& name) {
        SurfaceInput surface;
        Keys keys;
        surface.name = name;
        validated([&](Section& s) { describe_keys(s, surface, keys); },
                  [&](const Section& s) { read_smiles(s, keys, surface); })(table);
        surfaces.push_back(std::move(surface));
      },
      "surfaces of implied volatilities by expiry and strike, under names of your choice: from "
      "quotes, or from parameters of SVI or SABR");
}

}  // namespace gsim::pricing
