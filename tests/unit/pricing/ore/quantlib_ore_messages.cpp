// Messages about files of Open Source Risk Engine: those of examples/ore with one change each. This
// source is left out of builds without QuantLib or pugixml.

#include <algorithm>
#include <tuple>

#include <doctest/doctest.h>

#include "tests/unit/pricing/ore/ore_example.hpp"

using namespace gsim;
using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

struct Case {
  const char *file, *from, *to, *after;
  const char* message;
};

void check(const Case& c, const std::string& config = "ore.toml") {
  OreFolder folder;
  folder.replace(c.file, c.from, c.to, c.after);
  const std::string message = folder.error(config);
  CAPTURE(c.to);
  CAPTURE(message);
  CHECK(contains(message, c.message));
}

bool has_warning(const MarketConfig& market, const std::string& text) {
  return std::any_of(market.warnings.begin(), market.warnings.end(),
                     [&](const std::string& warning) { return contains(warning, text); });
}

std::string nested(int levels) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += "<a>";
  for (int i = 0; i < levels; ++i) text += "</a>";
  return text;
}

}  // namespace

TEST_CASE("ORE: the example is read without an error") {
  const OreFolder folder;
  CHECK(folder.error() == "");
  CHECK(folder.error("exposures.toml") == "");
}

TEST_CASE("ORE: XML that is not valid is refused with line and column") {
  const auto error_with = [](const std::string& text) {
    const OreFolder folder;
    folder.write("portfolio.xml", text);
    return folder.error();
  };
  const auto refuses = [&](const std::string& text, const char* message) {
    const std::string error = error_with(text);
    CAPTURE(error);
    CHECK(contains(error, message));
  };
  refuses("", "portfolio.xml: this is not valid XML: No document element found");
  refuses("<Portfolio>\n  <Trade id=\"A\">\n</Portfolio>",
          "portfolio.xml:3:3: this is not valid XML: Start-end tags mismatch");
  refuses("<Portfolio>\n  <Trade id=A/>\n</Portfolio>",
          "portfolio.xml:2:13: this is not valid XML: Error parsing element attribute");
  refuses("<Portfolio/>\n<Portfolio/>",
          "portfolio.xml:2:2: this is not valid XML: a second root element");
  refuses("<Portfolio/>\ntext", "portfolio.xml:2:1: this is not valid XML: text outside the root");
  refuses("<Portfolio>\n<Trade id=\"A\" id=\"B\"/></Portfolio>",
          "portfolio.xml:2:2: this is not valid XML: an attribute is given twice");
  refuses("<CurveConfiguration/>", "the file holds <CurveConfiguration>, not <Portfolio>");
  refuses("<Portfolio>\n<Trade id=\"\xff\"/></Portfolio>",
          "portfolio.xml:2:12: this byte is not UTF-8");
  refuses("<Portfolio>" + nested(100) + "</Portfolio>", "nested more deeply than 64 levels");
  refuses("<!DOCTYPE p [<!ENTITY a \"b\">]>\n<Portfolio>&a;</Portfolio>",
          "portfolio.xml:1:1: this is not valid XML: a document type");
  refuses("<Portfolio>\n &a;</Portfolio>",
          "portfolio.xml:2:2: an & that begins none of XML's own entities");
  refuses("<Portfolio/>", "no trades");
}

TEST_CASE("ORE: trades that are not understood are refused with the place of the element") {
  const Case cases[] = {
      {"portfolio.xml", "EquityOption<", "CommodityOption<", "",
       "portfolio.xml:5:6: the trade type \"CommodityOption\" is not supported"},
      {"portfolio.xml", "<Strike>5000</Strike>", "", "", "<EquityOptionData> has no <Strike>"},
      {"portfolio.xml", "<Strike>5000", "<Strike>5,000", "",
       "<Strike> must be a number, not \"5,000\""},
      {"portfolio.xml", "<Strike>5000", "<Strike>-5000", "",
       "`strike` must be at least 0, not -5000"},
      {"portfolio.xml", "<Strike>5000</Strike>", "<Strike>5000</Strike><Strike>1</Strike>", "",
       "a second <Strike> in <EquityOptionData>"},
      {"portfolio.xml", "2027-08-05", "2027-02-30", "", "there is no day 2027-02-30"},
      {"portfolio.xml", "2027-08-05", "5 Aug 2027", "",
       "dates have the form 2026-11-28 or 20261128"},
      {"portfolio.xml", "2027-08-05", "2026-02-05", "", "`maturity` must be"},
      {"portfolio.xml", "<Name>INDEX", "<Name>INDX", "", "no asset `INDX` in [market.assets]"},
      {"portfolio.xml", "<Currency>EUR", "<Currency>USD", "",
       "the trade is in USD, and the equity in EUR"},
      {"portfolio.xml", "<LongShort>Long", "<LongShort>long", "",
       "<LongShort> \"long\" is not supported"},
      {"portfolio.xml", "<Quantity>", "<Knock>1</Knock><Quantity>", "",
       "<EquityOptionData/Knock> is not understood"},
      {"portfolio.xml", "<Quantity>", "<Quantity unit=\"lots\">", "",
       "the attribute unit of <Quantity> is not understood"},
      {"portfolio.xml", "<TradeType>", "text<TradeType>", "",
       "the text in <Trade> is not understood"},
      {"portfolio.xml", "<Settlement>",
       "<Premiums><Premium><Amount>1</Amount></Premium></Premiums><Settlement>", "",
       "premiums are not supported"},
      {"portfolio.xml", "EUR-EURIBOR-6M", "EUR-EURIBOR-3M", "",
       "the periods last 6M, and the rate EUR-EURIBOR-3M"},
      {"portfolio.xml", "EUR-EURIBOR-6M", "EUR-ESTER", "",
       "the index \"EUR-ESTER\" is not supported"},
      {"portfolio.xml", "<Payer>true", "<Payer>false", "PAYER",
       "both legs are paid, or both received"},
      {"portfolio.xml", "<Notional>5000000", "<Notional>5000001", "",
       "the legs have different notionals"},
      {"portfolio.xml", "</Notional>", "</Notional><Notional startDate=\"2030-01-01\">1</Notional>",
       "", "a <Notional> that changes with time is not supported"},
      {"portfolio.xml", "<FirstDate/>", "<FirstDate>20260401</FirstDate>", "",
       "irregular first or last periods are not supported"},
      {"portfolio.xml", "<Calendar>TARGET", "<Calendar>Mars", "",
       "the calendar \"Mars\" is not supported"},
      {"portfolio.xml", "<PaymentConvention>MF",
       "<PaymentLag>1.5</PaymentLag><PaymentConvention>MF", "",
       "<PaymentLag> must be a whole number"},
      {"portfolio.xml", "<FixingDays>2", "<FixingDays>1", "", "other lags are not supported"},
      {"portfolio.xml", "<Convention>MF", "<Convention>U", "<LegType>Floating",
       "which is no business day of TARGET"},
      {"portfolio.xml", "<DayCounter>A360", "<DayCounter>A365", "",
       "a day count other than that of EUR-EURIBOR-6M"},
      {"portfolio.xml", "<IsInArrears>false", "<IsInArrears>true", "", "fixed in arrears"},
      {"portfolio.xml", "</Caps>", "</Caps><Floors><Floor>0.01</Floor></Floors>", "",
       "both together (a collar) are not"},
      {"portfolio.xml", "id=\"PUT\"", "id=\"CALL\"", "", "trade id `CALL` is already used"},
      {"portfolio.xml", "<NettingSetId>FUND",
       "<NettingSetId>BANK-RATES</NettingSetId><NettingSetId>FUND", "",
       "a second <NettingSetId> in <Envelope>"},
      {"portfolio.xml", "<PayOffAtExpiry>false</PayOffAtExpiry>", "", "AMERICAN",
       "ORE pays at expiry unless <PayOffAtExpiry> is false"},
      {"portfolio.xml", "<PayOffAtExpiry>false", "<PayOffAtExpiry>true", "AMERICAN",
       "American exercise that is paid at expiry is not supported"},
      {"fixings.txt", "20251125", "20251126", "",
       "needs the fixing of EUR-EURIBOR-6M on 2025-11-25"},
      {"fixings.txt", "0.0214", "2,14", "", "fixings.txt:2:1: the line has 4 words"},
      {"ore.toml", "[market.rates.EUR-EURIBOR-6M]", "[market.rates.EUR]", "",
       "there is no [market.rates.EUR-EURIBOR-6M]"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("ORE: market data that are not understood are refused with their place") {
  const Case cases[] = {
      {"ore.toml", "date = 2026-02-05", "date = 2026-02-06", "",
       "no quote is of 2026-02-06, the date of the market"},
      {"ore.toml", "date = 2026-02-05", "", "", "the market of a file needs the date of today"},
      {"ore.toml", "rate = \"EUR-DISCOUNT\"", "rate = 0.02", "",
       "the files of [ore] discount EUR with the curve `EUR-DISCOUNT`"},
      {"ore.toml", "currency = \"EUR\"", "currency = \"USD\"", "", "no curve discounts USD"},
      {"ore.toml", "quotes_file = \"market.txt\"", "", "", "`market_file` needs `quotes_file`"},
      {"ore.toml", "portfolio.xml", "none.xml", "", "none.xml"},
      {"todaysmarket.xml", "Yield/EUR/EUR-6M", "Yield/EUR/EUR-3M", "",
       "curveconfig.xml has no <YieldCurve> with the CurveId \"EUR-3M\""},
      {"todaysmarket.xml", "<Index ",
       "<Index name=\"EUR-EURIBOR-6M\">Yield/EUR/EUR-DISCOUNT</Index><Index ", "",
       "a second <Index> with the name `EUR-EURIBOR-6M`"},
      {"todaysmarket.xml", "<DiscountingCurve ",
       "<DiscountingCurve currency=\"EUR\">Yield/EUR/EUR-6M</DiscountingCurve><DiscountingCurve ",
       "", "a second <DiscountingCurve> with the currency `EUR`"},
      {"todaysmarket.xml", "<EquityCurve ",
       "<EquityCurve name=\"INDEX\">Equity/EUR/INDEX</EquityCurve><EquityCurve ", "",
       "a second <EquityCurve> with the name `INDEX`"},
      {"todaysmarket.xml", "<EquityVolatility ",
       "<EquityVolatility name=\"INDEX\">EquityVolatility/EUR/A</EquityVolatility>"
       "<EquityVolatility ",
       "", "a second <EquityVolatility> with the name `INDEX`"},
      {"todaysmarket.xml", "<DefaultCurve ",
       "<DefaultCurve name=\"FUND\">Default/EUR/FUND_SR_EUR</DefaultCurve><DefaultCurve ", "",
       "a second <DefaultCurve> with the name `FUND`"},
      {"ore.toml", "forecast = \"EUR-6M\"", "forecast = \"EUR-DISCOUNT\"", "",
       "the files of [ore] forecast `EUR-EURIBOR-6M` with the curve `EUR-6M`"},
      {"todaysmarket.xml", "Equity/EUR/INDEX", "EUR/INDEX", "",
       "\"EUR/INDEX\" is not supported here"},
      {"market.txt", "2026-02-05 MM/RATE", "2026-02-04 MM/RATE", "",
       "has no quote `MM/RATE/EUR/2D/6M` on 2026-02-05"},
      {"market.txt", "0.0226", "2.26", "", "market.txt:"},
      {"market.txt", "0.0226", "high", "", "\"high\" is not a number"},
      {"market.txt", "0.0226", "0.0226\n2026-02-05 IR_SWAP/RATE/EUR/2D/6M/2Y 0.03", "",
       "has two values on 2026-02-05"},
      {"curveconfig.xml", "<Simple>", "<TenorBasis>", "", "this is not valid XML"},
      {"curveconfig.xml", "<Type>Swap", "<Type>Future", "", "<Type> \"Future\" is not supported"},
      {"curveconfig.xml", "<Quote>MM/RATE", "<Quote>FRA/RATE", "",
       "is not supported here, where quotes MM/RATE/"},
      {"curveconfig.xml", "<InterpolationMethod>Linear", "<InterpolationMethod>CubicSpline", "",
       "<InterpolationMethod> \"CubicSpline\" is not supported"},
      {"curveconfig.xml", "<YieldCurveDayCounter>A365", "<YieldCurveDayCounter>A360", "",
       "the day count is not act/365"},
      {"curveconfig.xml", "<Currency>EUR", "<Currency>USD", "",
       "the currency is USD, and EUR is needed here"},
      {"curveconfig.xml", "<Segments>", "<Bumps>1</Bumps><Segments>", "",
       "<Bumps> is not understood"},
      {"curveconfig.xml", "<Conventions>EUR-SWAP", "<Conventions>EUR-SWOP", "",
       "conventions.xml has no <Swap> with the Id \"EUR-SWOP\""},
      {"curveconfig.xml", "<ForecastingCurve>EUR-DISCOUNT", "<ForecastingCurve>EUR-6M", "",
       "the equity grows by the curve `EUR-6M`"},
      {"conventions.xml", "<FixedDayCounter>30/360", "<FixedDayCounter>1/1", "",
       "the day count \"1/1\" is not supported"},
      {"conventions.xml", "<Compounding>Continuous", "<Compounding>Annual", "",
       "<Compounding> \"Annual\" is not supported"},
      {"conventions.xml", "<Index>EUR-EURIBOR-6M", "<Index>USD-LIBOR-6M", "EUR-FRA",
       "the index \"USD-LIBOR-6M\" is not supported"},
  };
  for (const Case& c : cases) check(c);
}

TEST_CASE("ORE: netting sets that are not understood are refused") {
  const Case cases[] = {
      {"netting.xml", "Bilateral<", "CallOnly<", "", "<Bilateral> \"CallOnly\" is not supported"},
      {"netting.xml", "Pay>5000", "Pay>6000", "", "different minimum transfers"},
      {"netting.xml", "<IndependentAmountHeld>0", "<IndependentAmountHeld>-1", "",
       "an independent amount is not supported: in ORE it counts as variation margin"},
      {"netting.xml", "<IndependentAmountHeld>0", "<IndependentAmountHeld>1000", "",
       "netting.xml:20:10: an independent amount is not supported"},
      {"netting.xml", "CSACurrency>EUR", "CSACurrency>USD", "",
       "the amounts of the agreement are in USD, and the market is in EUR"},
      {"portfolio.xml", "<NettingSetId>FUND-EQUITY</NettingSetId>", "", "",
       "trade `CALL` names no netting set"},
      {"netting.xml", "2W", "two weeks", "", "\"two weeks\" is not a length of time"},
      {"netting.xml", "<CallFrequency>1D", "<CallFrequency>1W", "",
       "<CallFrequency> \"1W\" is not supported"},
      {"netting.xml", "ThresholdPay>20000", "ThresholdPay>-1", "",
       "own_threshold` must be at least 0"},
      {"netting.xml", "<Index>", "<Haircut>0.1</Haircut><Index>", "",
       "<CSADetails/Haircut> is not understood"},
  };
  for (const Case& c : cases) check(c, "exposures.toml");
}

TEST_CASE("ORE: on_error = \"skip\" leaves trades out and lists them") {
  OreFolder folder;
  folder.replace("ore.toml", "[stop]", "[pricing]\non_error = \"skip\"\n[stop]");
  folder.replace("portfolio.xml", "EquityOption<", "CommodityOption<");
  folder.replace("portfolio.xml", "<Strike>4600", "<Strike>many");
  const PricingConfig config = folder.read();
  REQUIRE(config.skipped.size() == 2);
  CHECK(config.skipped[0].id == "CALL");
  CHECK(contains(config.skipped[0].reason, "portfolio.xml:5:6"));
  CHECK(contains(config.skipped[0].reason, "in trade `CALL`"));
  CHECK(config.skipped[1].id == "PUT");
  CHECK(config.trades.size() == 9);
}

TEST_CASE("ORE: an equity with an error is left out with its trades where errors are skipped") {
  OreFolder folder;
  folder.replace("ore.toml", "[stop]", "[pricing]\non_error = \"skip\"\n[stop]");
  folder.replace("curveconfig.xml", "<Extrapolation>Flat", "<Extrapolation>UseInterpolator");
  const PricingConfig config = folder.read();
  REQUIRE(config.skipped.size() == 5);
  CHECK(contains(config.skipped[0].reason, "asset `INDEX` cannot be used"));
  CHECK(contains(config.skipped[0].reason, "<Extrapolation> \"UseInterpolator\" is not supported"));
  CHECK(config.trades.size() == 6);
}

TEST_CASE("ORE: an equity with an error that no trade needs is left out") {
  OreFolder folder;
  folder.replace("todaysmarket.xml", "<EquityCurve ",
                 "<EquityCurve name=\"OTHER\">Equity/EUR/OTHER</EquityCurve><EquityCurve ");
  CHECK(folder.error() == "");
}

TEST_CASE("ORE: an issuer with an error is left out with a warning") {
  for (const Case& c :
       {Case{"curveconfig.xml", "<Type>HazardRate", "<Type>Benchmark", "",
             "the issuer `BANK` is left out"},
        Case{"conventions.xml", "<Rule>CDS2015", "<Rule>Backward", "",
             "<Rule> \"Backward\" is not supported"},
        Case{"market.txt", "1Y 0.011", "1Y -0.011", "HAZARD", "the issuer `BANK` is left out"},
        Case{"market.txt", "FUND/SR/EUR 0.3", "FUND/SR/EUR 1.4", "",
             "the issuer `FUND` is left out"},
        Case{"curveconfig.xml", "Yield/EUR/EUR-DISCOUNT", "Yield/EUR/NONE", "",
             "no <YieldCurve> with the CurveId \"NONE\""},
        Case{"todaysmarket.xml", "Default/EUR/FUND", "Default/EUR/FOND", "",
             "did you mean `FUND_SR_EUR`"}}) {
    OreFolder folder;
    folder.replace(c.file, c.from, c.to, c.after);
    const PricingConfig config = folder.read();
    CAPTURE(c.to);
    CHECK(has_warning(config.market, c.message));
    CHECK(config.market.credit.size() < 2);
  }
}

TEST_CASE("ORE: curves of indices that no rate needs are not read") {
  OreFolder folder;
  folder.replace("todaysmarket.xml", "<Index ",
                 "<Index name=\"EUR-EURIBOR-3M\">Yield/EUR/NONE</Index><Index "
                 "name=\"USD-SOFR\">Yield/USD/SOFR</Index><Index ");
  const std::vector<std::string> warnings = folder.read().market.warnings;
  REQUIRE(warnings.size() == 4);
  CHECK(contains(warnings[0], "2 curves of other currencies or indices"));
}

TEST_CASE("ORE: what does not change values is listed in a warning") {
  OreFolder folder;
  folder.replace(
      "todaysmarket.xml", "</TodaysMarket>",
      "<Correlations id=\"default\"><Correlation name=\"A:B\">Correlation/A</Correlation>"
      "</Correlations></TodaysMarket>");
  const std::vector<std::string> warnings = folder.read().market.warnings;
  REQUIRE(warnings.size() == 4);
  CHECK(
      contains(warnings[0], "not read, because nothing that is supported needs it: Correlations"));
  CHECK(contains(warnings[1], "YieldCurves/YieldCurve/CurveDescription (2)"));
  CHECK(contains(warnings[2],
                 "conventions.xml: elements that do not change prices were ignored: "
                 "Zero/CompoundingFrequency (1), Zero/SpotCalendar (1)"));
  CHECK(contains(warnings[3], "Trade/Envelope/AdditionalFields (1)"));
  CHECK(has_warning(folder.read("exposures.toml").market,
                    "NettingSet/CSADetails/EligibleCollaterals (1)"));
}

TEST_CASE("ORE: exchange rates that are not understood are errors of the trades on them only") {
  const Case cases[] = {
      {"conventions.xml", "<SpotDays>0", "<SpotDays>2", "",
       "exchange rates for delivery on a later day are not supported"},
      {"conventions.xml", "<SourceCurrency>EUR", "<SourceCurrency>CHF", "",
       "conventions.xml has no <FX> convention of EUR and USD"},
      {"curveconfig.xml", "<Dimension>ATM", "<Dimension>Smile", "",
       "<Dimension> \"Smile\" is not supported"},
      {"curveconfig.xml", "<Expiries>6M", "<Expiries>9M", "",
       "market.txt has no quote `FX_OPTION/RATE_LNVOL/EUR/USD/9M/ATM` on 2026-02-05"},
      {"curveconfig.xml", "FX/EUR/USD", "FX/USD/EUR", "", "and the pair EURUSD"},
      {"market.txt", "FX/RATE/EUR/USD", "FX/RATE/EUR/CHF", "", "has no quote `FX/RATE/EUR/USD`"},
      {"todaysmarket.xml", "<DiscountingCurve currency=\"USD\">",
       "<DiscountingCurve currency=\"CHF\">", "", "no curve discounts USD"},
      {"todaysmarket.xml", "EUR/USD/EURUSD", "EUR/GBP/EURUSD", "",
       "the pair is `EURUSD`, and its volatility that of EURGBP"},
      {"portfolio.xml", "<SoldCurrency>USD", "<SoldCurrency>CHF", "",
       "the market has no exchange rate of EUR and CHF"},
      {"portfolio.xml", "<SoldAmount>1200000", "<SoldAmount>0", "", "the amount must be positive"},
      {"portfolio.xml", "<PayoffCurrency>USD", "<PayoffCurrency>GBP", "",
       "the payment is in GBP, which is none of both currencies"},
      {"portfolio.xml", "<Currency>USD", "<Currency>EUR", "",
       "the trade is in EUR, and the equity in USD"},
      {"currencies.toml", "rate = \"EUR", "currency = \"USD\"\nrate = \"EUR", "",
       "the files of [ore] are in EUR"},
  };
  for (const Case& c : cases) {
    OreFolder folder("ore/currencies");
    folder.replace(c.file, c.from, c.to, c.after);
    const std::string message = folder.error("currencies.toml");
    CAPTURE(c.to);
    CAPTURE(message);
    CHECK(contains(message, c.message));
  }
  OreFolder folder("ore/currencies");
  folder.replace("conventions.xml", "<SpotDays>0", "<SpotDays>2");
  folder.keep_trade("PUT-ON-GBP");
  CHECK(folder.error("currencies.toml") == "");
}

TEST_CASE("ORE: of exchange rates that follow from each other the first ones are taken") {
  OreFolder folder("ore/currencies");
  folder.replace("todaysmarket.xml", "<FxVolatility ",
                 "<FxVolatility pair=\"GBPUSD\">FXVolatility/GBP/USD/GBPUSD</FxVolatility>"
                 "<FxVolatility pair=\"CHFJPY\">FXVolatility/CHF/JPY/CHFJPY</FxVolatility>"
                 "<FxVolatility ");
  CHECK(folder.error("currencies.toml") == "");
  folder.replace("portfolio.xml", "<SoldCurrency>EUR", "<SoldCurrency>USD", "PUT-ON-GBP");
  CHECK(
      contains(folder.error("currencies.toml"), "the exchange rate `GBPUSD` follows from others"));
}

TEST_CASE("ORE: an equity with an expired dividend quote is an error of the trades on it only") {
  OreFolder folder;
  folder.replace("curveconfig.xml", "INDEX/EUR/2027-02-05", "INDEX/EUR/2026-02-04", "DIVIDEND");
  folder.replace("market.txt", "INDEX/EUR/2027-02-05", "INDEX/EUR/2026-02-04", "DIVIDEND");
  CHECK(contains(folder.error(), "the quote is of 2026-02-04, which is not after today"));
  folder.keep_trade("PAYER");
  CHECK(folder.error() == "");
}

TEST_CASE("ORE: an equity with a value out of range is an error of the trades on it only") {
  for (const Case& c : {Case{"market.txt", "EUR 4950.0", "EUR -4950.0", "",
                             "`assets.INDEX.spot` must be greater than 0"},
                        Case{"market.txt", "2027-02-05 0.028", "2027-02-05 28", "",
                             "the dividend yield 28 is not from -1 to 10"}}) {
    OreFolder folder;
    folder.replace(c.file, c.from, c.to, c.after);
    CHECK(contains(folder.error(), c.message));
    folder.keep_trade("PAYER");
    CHECK(folder.error() == "");
  }
}

TEST_CASE("ORE: the discount curve of a default curve is read") {
  OreFolder folder;
  folder.replace("curveconfig.xml", "<CurveId>EUR-DISCOUNT<", "<CurveId>OTHER<");
  folder.replace("curveconfig.xml", "<YieldCurves>",
                 "<YieldCurves><YieldCurve><CurveId>EUR-DISCOUNT</CurveId><Currency>EUR</Currency>"
                 "<Segments><Direct><Type>Zero</Type><Quotes>"
                 "<Quote>ZERO/RATE/EUR/EUR-DISCOUNT/A365/1Y</Quote></Quotes>"
                 "<Conventions>EUR-ZERO</Conventions></Direct></Segments></YieldCurve>");
  folder.replace("curveconfig.xml", "Yield/EUR/EUR-DISCOUNT", "Yield/EUR/OTHER");
  const PricingConfig config = folder.read();
  CHECK(config.market.credit.size() == 2);
  CHECK(find_curve(config.market.curves, "OTHER") != nullptr);
}

TEST_CASE("ORE: day counts that are absent are A365") {
  OreFolder folder;
  folder.replace("ore.toml", "calendar = ", "day_count = \"act/360\"\ncalendar = ");
  CHECK(contains(folder.error(), "the day count is not act/360"));
  folder.replace("curveconfig.xml", "<YieldCurveDayCounter>A365</YieldCurveDayCounter>", "");
  CHECK(contains(folder.error(), "the day count, A365 without <YieldCurveDayCounter>, is not"));
}

TEST_CASE("ORE: the day count of zero quotes is that of the convention") {
  OreFolder folder;
  for (const char* file : {"curveconfig.xml", "market.txt"})
    folder.replace(file, "EUR-DISCOUNT/A365/1Y", "EUR-DISCOUNT/A360/1Y");
  CHECK(contains(folder.error(), "the day count A360 of the zero rate is not that of its"));
}

TEST_CASE("ORE: the forecast curve of an index is that of todaysmarket.xml") {
  OreFolder folder;
  folder.replace("ore.toml", "forecast = \"EUR-6M\"", "");
  const auto forecast = [](const PricingConfig& config) {
    const AssetConfig& rate = config.market.assets.back();
    REQUIRE(rate.is_rate());
    REQUIRE(rate.short_rate->forecast);
    return rate.short_rate->forecast->integral(0, 5);
  };
  CHECK(forecast(folder.read()) == forecast(OreFolder().read()));
}

TEST_CASE("ORE: a caplet whose period begins today needs its fixing") {
  OreFolder folder;
  folder.keep_trade("CAP");
  for (const auto& [from, to] :
       {std::pair{"EUR-EURIBOR-6M", "GBP-LIBOR-6M"}, std::pair{"<FixingDays>2", "<FixingDays>0"},
        std::pair{"<DayCounter>A360", "<DayCounter>A365"}, std::pair{"2026-02-09", "2026-02-05"},
        std::pair{"2031-02-10", "2031-02-05"}, std::pair{"TARGET", "UK"}})
    folder.replace("portfolio.xml", from, to);
  folder.replace("ore.toml", "rates.EUR-EURIBOR-6M", "rates.GBP-LIBOR-6M");
  CHECK(contains(folder.error(),
                 "the period from 2026-02-05 of a cap or floor needs the fixing of GBP-LIBOR-6M"));
  folder.write("fixings.txt", "20260205 GBP-LIBOR-6M 0.04\n");
  CHECK(folder.error() == "");
}

TEST_CASE("ORE: payments of overnight swaps by a convention of their own are refused") {
  for (const auto& [convention, payments, message] :
       {std::tuple{"MF", "<FixedPaymentConvention>F</FixedPaymentConvention>",
                   "a <FixedPaymentConvention> other than <FixedConvention> is not supported"},
        std::tuple{"U", "", "ORE pays on the following business day by default"},
        std::tuple{"MF", "", ""}}) {
    OreFolder folder;
    folder.replace("curveconfig.xml", "<Type>Swap", "<Type>OIS");
    folder.replace("curveconfig.xml", "<Conventions>EUR-SWAP", "<Conventions>EUR-OIS");
    folder.replace("conventions.xml", "<Conventions>",
                   std::string("<Conventions><OIS><Id>EUR-OIS</Id><SpotLag>2</SpotLag>"
                               "<Index>EUR-ESTER</Index><FixedDayCounter>A360</FixedDayCounter>"
                               "<FixedConvention>") +
                       convention + "</FixedConvention>" + payments + "</OIS>");
    const std::string error = folder.error();
    if (*message == '\0')
      CHECK(!contains(error, "FixedPaymentConvention"));
    else
      CHECK(contains(error, message));
  }
}
