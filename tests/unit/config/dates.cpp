// Keys whose values are dates, and values that are a number, a text or a table.

#include <nlohmann/json.hpp>

#include <doctest/doctest.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"

using namespace gsim;

namespace {

struct DateValues {
  std::string today;
  double at = 0;
  std::vector<double> list;
  double rate = 0;
  std::string name;
  bool is_table = false;
};

// Days of November 2026 after the first.
double days(const std::string& text) {
  if (!text.starts_with("2026-11-")) throw InputError("`" + text + "` is not in November 2026");
  return std::stod(text.substr(8)) - 1;
}

void describe_dates(Section& s, DateValues& v) {
  s.optional("at", v.at, {.unit = "days", .minimum = 0, .maximum = 20, .is_date = true});
  s.optional("list", v.list, {.is_date = true});
}

void describe_dated(Section& s, DateValues& v, bool reads_dates) {
  s.optional("today", v.today, {.is_date = true});
  if (reads_dates) s.read_dates_with(days);
  describe_dates(s, v);
  v.is_table = s.number_text_or_table(
      "rate", v.rate, v.name, {.minimum = 0}, [](Section&) {}, false);
}

DateValues read_dated(const std::string& text, bool reads_dates = true) {
  ConfigFile file = ConfigFile::parse(text, "bad.toml");
  DateValues v;
  file.read([&](Section& s) { describe_dated(s, v, reads_dates); });
  return v;
}

std::string dated_error(const std::string& text, bool reads_dates = true) {
  try {
    read_dated(text, reads_dates);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("dates are TOML dates or texts, and numbers stay numbers") {
  CHECK(read_dated("at = 2026-11-11").at == 10);
  CHECK(read_dated("at = \"2026-11-11\"").at == 10);
  CHECK(read_dated("at = 2.5").at == 2.5);
  CHECK(read_dated("today = 2026-11-28").today == "2026-11-28");
  CHECK(read_dated("today = \"2026-11-28\"").today == "2026-11-28");
  CHECK(read_dated("list = [1, 2026-11-03, \"2026-11-04\"]").list == std::vector<double>{1, 2, 3});
}

TEST_CASE("dates in cells and lists of cells of CSV files") {
  CsvTable table =
      CsvTable::parse("at,list\n2026-11-11,2026-11-02;3\n3,2026-11-02 2026-11-05\n,\n", "t.csv");
  ConfigFile file = ConfigFile::parse("", "run.toml");
  std::vector<DateValues> rows(3);
  file.read([&](Section& s) {
    s.read_dates_with(days);
    table.read_dates_as(s);
    for (Index i = 0; i < 3; ++i)
      table.read_row(i,
                     [&](Section& row) { describe_dates(row, rows[static_cast<std::size_t>(i)]); });
  });
  CHECK(rows[0].at == 10);
  CHECK(rows[0].list == std::vector<double>{1, 3});
  CHECK(rows[1].at == 3);
  CHECK(rows[1].list == std::vector<double>{1, 4});
  CHECK(rows[2].at == 0);
}

TEST_CASE("messages about dates") {
  CHECK(dated_error("at = \"soon\"") == R"(bad.toml:1:6: `at`: `soon` is not in November 2026
    1 | at = "soon"
      |      ^^^^^^)");
  CHECK(dated_error("at = 2026-11-28")
            .starts_with("bad.toml:1:6: `at` must be at least 0 and at most 20 (days), not 27"));
  CHECK(dated_error("at = 07:30:00")
            .starts_with("bad.toml:1:6: `at` must be a number, a date or a length of time (days), "
                         "not a date or time"));
  CHECK(dated_error("at = 2026-11-28T07:30:00").find("not a date or time") != std::string::npos);
  CHECK(dated_error("list = [2027-11-28]")
            .starts_with(
                "bad.toml:1:9: each element of `list`: `2027-11-28` is not in November 2026"));
  CHECK(dated_error("at = 2026-11-28", false)
            .starts_with("bad.toml:1:6: `at` must be a number, a date or a length of time (days), "
                         "not the date 2026-11-28"));
}

TEST_CASE("the resolved configuration has numbers in place of dates") {
  ConfigFile file =
      ConfigFile::parse("today = 2026-11-02\nat = 2026-11-11\nrate = \"C\"\n", "run.toml");
  DateValues v;
  file.read([&](Section& s) { describe_dated(s, v, true); });
  CHECK(file.resolved() == "today = \"2026-11-02\"\nat = 10.0\nrate = \"C\"\n");
}

TEST_CASE("a number, a text or a table") {
  CHECK(read_dated("rate = 0.5").rate == 0.5);
  CHECK(read_dated("rate = 0.5").name.empty());
  CHECK(read_dated("rate = \"C\"").name == "C");
  CHECK(read_dated("[rate]").is_table);
  CHECK(dated_error("rate = true")
            .starts_with("bad.toml:1:8: `rate` must be a number, a name or a table"));
  CHECK(dated_error("rate = -1").starts_with("bad.toml:1:8: `rate` must be at least 0"));
}

TEST_CASE("dates and texts in the schema") {
  DateValues v;
  const auto describe_all = [&](Section& s) { describe_dated(s, v, true); };
  const std::string text = schema_text(describe_all);
  CHECK(text.find("number or date [days]") != std::string::npos);
  CHECK(text.find("numbers or dates") != std::string::npos);
  CHECK(text.find("string or date") != std::string::npos);
  CHECK(text.find("number, string or table") != std::string::npos);
  const auto schema = nlohmann::json::parse(schema_json(describe_all, "T"));
  CHECK(schema["properties"]["at"]["anyOf"][1]["type"] == "string");
  CHECK(schema["properties"]["list"]["items"]["anyOf"][0]["type"] == "number");
  CHECK(schema["properties"]["rate"]["oneOf"].size() == 3);
}
