// Tests of the exact text of messages about CSV tables, and of the contents of tables.

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;

namespace {

std::vector<Trade> read_table(const std::string& text) {
  gsim::CsvTable table = gsim::CsvTable::parse(text, "bad.csv");
  std::vector<Trade> trades(static_cast<std::size_t>(table.rows()));
  for (Index i = 0; i < table.rows(); ++i)
    table.read_row(i, [&](Section& s) { describe_trade(s, trades[static_cast<std::size_t>(i)]); });
  return trades;
}

std::string table_error(const std::string& text) {
  return error_message_of([&] { read_table(text); });
}

void check(const std::vector<InvalidText>& cases) { check_messages(cases, table_error); }

}  // namespace

TEST_CASE("a CSV table that cannot be split into cells is an error with its location") {
  check({
      {"no header", "", "bad.csv: there is no header line; name the columns in the first line"},
      {"only comments", R"(# nothing

)",
       "bad.csv: there is no header line; name the columns in the first line"},
      {"semicolons", "id;strike;assets\n",
       R"(bad.csv:1:1: the header is a single cell
    1 | id;strike;assets
      | ^^^^^^^^^^^^^^^^ separate cells by commas)"},
      {"column twice", "id,strike,id\n",
       R"(bad.csv:1:11: column `id` is given twice
    1 | id,strike,id
      |           ^^)"},
      {"no name", "id,.strike\n",
       R"(bad.csv:1:4: `.strike` is not a valid name of a column
    1 | id,.strike
      |    ^^^^^^^ write key or table.key)"},
      {"too few cells", R"(id,strike,assets
one,1,SPX
two,2
)",
       R"(bad.csv:3:5: the row has 2 cells, the header has 3
    3 | two,2
      |     ^ leave absent cells empty)"},
      {"too many cells", R"(id,strike,assets
one,1,SPX,5
)",
       R"(bad.csv:2:11: the row has 4 cells, the header has 3
    2 | one,1,SPX,5
      |           ^ put cells that hold commas in quotes)"},
      {"comment below the header", R"(id,strike,assets
# the first three
one,1,SPX
)",
       R"(bad.csv:2:1: the row has 1 cell, the header has 3
    2 | # the first three
      | ^^^^^^^^^^^^^^^^^ leave absent cells empty; comments must be above the header)"},
      {"cell without a column name", R"(id,,strike,assets
one,x,1,SPX
)",
       R"(bad.csv:2:5: this column has no name
    2 | one,x,1,SPX
      |     ^ name it in the header)"},
      {"open quote", R"(id,strike,assets
"one,1,SPX
)",
       R"(bad.csv:2:1: this quote is not closed
    2 | "one,1,SPX
      | ^)"},
      {"quote in a cell", R"(id,strike,assets
o"ne,1,SPX
)",
       R"(bad.csv:2:2: a quote inside a cell
    2 | o"ne,1,SPX
      |  ^ put the whole cell in quotes)"},
      {"text after a quote", R"(id,strike,assets
"one"x,1,SPX
)",
       R"(bad.csv:2:6: text after the closing quote
    2 | "one"x,1,SPX
      |      ^ write quotes inside a cell twice)"},
      {"control character", "id,strike,assets\no\x01,1,SPX\n",
       R"(bad.csv:2:2: control character U+0001 is not allowed
    2 | o?,1,SPX
      |  ^ remove it)"},
      {"not UTF-8", "id,strike,assets\no\xFF,1,SPX\n",
       R"(bad.csv:2:2: this byte is not UTF-8 text
    2 | o?,1,SPX
      |  ^ save the file as UTF-8)"},
  });
}

TEST_CASE("a CSV cell with an invalid value or column is an error with its location") {
  check({
      {"number", R"(id,strike,assets
one,1x,SPX
)",
       R"(bad.csv:2:5: `strike` must be a number (currency), not "1x"
    2 | one,1x,SPX
      |     ^^)"},
      {"range", R"(id,strike,assets
one,-3.0,SPX
)",
       R"(bad.csv:2:5: `strike` must be at least 0 (currency), not -3
    2 | one,-3.0,SPX
      |     ^^^^)"},
      {"integer", R"(id,strike,assets,count
one,1,SPX,1.5
)",
       R"(bad.csv:2:11: `count` must be an integer, not "1.5"
    2 | one,1,SPX,1.5
      |           ^^^)"},
      {"boolean", R"(id,strike,assets,active
one,1,SPX,yes
)",
       R"(bad.csv:2:11: `active` must be true or false, not "yes"
    2 | one,1,SPX,yes
      |           ^^^)"},
      {"word", R"(id,strike,assets,type
one,1,SPX,cal
)",
       R"(bad.csv:2:11: `type` must be "call" or "put", not "cal"
    2 | one,1,SPX,cal
      |           ^^^ did you mean "call"?)"},
      {"missing", R"(id,strike,assets
one,,SPX
)",
       R"(bad.csv:2:1: missing `strike` in this row
    2 | one,,SPX
      | ^ it is required: strike price (currency))"},
      {"misspelt", R"(id,strik,assets
one,1,SPX
)",
       R"(bad.csv:1:4: unknown column `strik`
    1 | id,strik,assets
      |    ^^^^^ did you mean `strike`?)"},
      {"unknown column", R"(id,strike,assets,xyzzy
one,1,SPX,2
)",
       R"(bad.csv:1:18: unknown column `xyzzy`
    1 | id,strike,assets,xyzzy
      |                  ^^^^^ allowed here: id, type, strike, count, active, assets, weights, rebate)"},
      {"misspelt optional column", R"(id,strike,assets,wieghts
one,1,SPX,2
)",
       R"(bad.csv:1:18: unknown column `wieghts`
    1 | id,strike,assets,wieghts
      |                  ^^^^^^^ did you mean `weights`?)"},
      {"element of a list", R"(id,strike,assets,weights
one,1,SPX,1 x
)",
       R"(bad.csv:2:11: each element of `weights` must be a number, not "x"
    2 | one,1,SPX,1 x
      |           ^^^)"},
      {"too many elements", R"(id,strike,assets
one,1,a b c d
)",
       R"(bad.csv:2:7: `assets` must have 1 to 3 elements, not 4
    2 | one,1,a b c d
      |       ^^^^^^^)"},
      {"value and table", R"(id,strike,assets,id.x
one,1,SPX,2
)",
       R"(bad.csv:2:11: columns `id.x` and `id` cannot both have a value
    2 | one,1,SPX,2
      |           ^)"},
      {"columns after letters of two bytes, CRLF, byte order mark",
       "\xEF\xBB\xBFid,strike,assets\r\n\xC3\xA9 \xC3\xA9, x ,SPX\r\n",
       R"(bad.csv:2:6: `strike` must be a number (currency), not "x"
    2 | é é, x ,SPX
      |      ^)"},
      {"line after a quoted line end", R"(id,strike,assets
"a
b",1,SPX
one,x,SPX
)",
       R"(bad.csv:4:5: `strike` must be a number (currency), not "x"
    4 | one,x,SPX
      |     ^)"},
  });
}

TEST_CASE("a CSV table and TOML tables of the same trades are equal") {
  const std::vector<Trade> from_csv = read_table(
      "\xEF\xBB\xBF# a comment, with \"quotes\"\r\n"
      "id,type,strike,count,active,assets,weights,rebate\r\n"
      "one,put, 110.5 ,1e2,FALSE,SPX,0.25,1e-3\r\n"
      "\r\n"
      "\"two, \"\"quoted\"\"\",,+90,,,\"SPX;Ä b; C\",1 2.5 -3,0");
  const Setup from_toml = read(R"(module = "pricing"
[market]
[[trades]]
id = "one"
type = "put"
strike = 110.5
count = 100
active = false
assets = ["SPX"]
weights = [0.25]
rebate = 1e-3
[[trades]]
id = 'two, "quoted"'
strike = 90
assets = ["SPX", "Ä b", "C"]
weights = [1, 2.5, -3]
rebate = 0
)");
  CHECK(from_csv.size() == 2);
  CHECK(from_csv == from_toml.trades);
}

TEST_CASE("a row below the header whose first cell begins with # is no comment") {
  const std::vector<Trade> trades = read_table(R"(# trades of Friday
# all European
id,strike,assets
#1,100,SPX
two,90,SPX
"#3",80,SPX
)");
  REQUIRE(trades.size() == 3);
  CHECK(trades[0].id == "#1");
  CHECK(trades[0].strike == 100);
  CHECK(trades[1].id == "two");
  CHECK(trades[2].id == "#3");
}

TEST_CASE("dotted columns are nested tables, and an empty cell is an absent key") {
  gsim::CsvTable table = gsim::CsvTable::parse(
      "spot,model,volatility,kappa,rate,rate.times,rate.values\n"
      "100,,0.3,,0.01,,\n"
      "50,heston,,2,,0.5 1,0.01 0.02\n",
      "assets.csv");
  REQUIRE(table.rows() == 2);
  Asset flat, curved;
  table.read_row(0, [&](Section& s) { describe_asset(s, flat); });
  table.read_row(1, [&](Section& s) { describe_asset(s, curved); });
  CHECK(flat == Asset{.spot = 100, .model = 0, .volatility = 0.3, .rate = 0.01});
  CHECK(curved == Asset{.spot = 50,
                        .model = 1,
                        .kappa = 2,
                        .curve = {.times = {0.5, 1}, .values = {0.01, 0.02}},
                        .has_curve = true});
}

TEST_CASE("a missing key of a CSV row that is read within a configuration is reported at the row") {
  gsim::ConfigFile file = gsim::ConfigFile::parse("trades = 1\n", "file.toml");
  gsim::Index trades = 0;
  const auto read = [&] {
    file.read([&](gsim::Section& top) {
      top.required("trades", trades, {});
      gsim::CsvTable table = gsim::CsvTable::parse("id,strik\nA,1\n", "rows.csv");
      table.read_row(0, [](gsim::Section& row) {
        std::string id;
        double barrier = 0;
        row.required("id", id, {});
        row.required("barrier", barrier, {});
      });
    });
  };
  CHECK_THROWS_WITH_AS(read(), doctest::Contains("rows.csv:2:1: missing `barrier`"),
                       gsim::ConfigError);
}

TEST_CASE("add_line() appends a line to the message and keeps the type of the error") {
  const auto fail = [] {
    gsim::ConfigFile file = gsim::ConfigFile::parse("strike = -1\n", "file.toml");
    file.read([](gsim::Section& top) {
      double strike = 0;
      try {
        top.required("strike", strike, {.minimum = 0});
      } catch (gsim::ConfigError& error) {
        error.add_line("in trade `A`");
        throw;
      }
    });
  };
  CHECK_THROWS_WITH_AS(fail(), doctest::Contains("\n  in trade `A`"), gsim::ConfigError);
}

TEST_CASE("a row does not contain values of the row before it, also after an error") {
  gsim::CsvTable table = gsim::CsvTable::parse(
      "id,strike,note,assets\none,1,x,SPX\ntwo,,,DAX\nthree,3,,\nfour,4,y,SPX\nfive,5,,DAX\n",
      "rows.csv");
  const auto cells = [&](Index row) {
    std::string found;
    table.read_row(row, [&](Section& s) {
      for (const char* key : {"id", "strike", "note", "assets"}) {
        std::string text;
        s.optional(key, text, {});
        found += text + "|";
      }
    });
    return found;
  };
  CHECK(cells(0) == "one|1|x|SPX|");
  CHECK(cells(1) == "two|||DAX|");
  CHECK(cells(2) == "three|3|||");
  CHECK_THROWS_AS(table.read_row(3, [](Section& s) { s.fail("strike", "an error"); }),
                  gsim::ConfigError);
  CHECK_THROWS_AS(table.read_row(0, [](Section&) {}), gsim::ConfigError);  // unknown columns
  CHECK(cells(4) == "five|5||DAX|");
  CHECK(cells(0) == "one|1|x|SPX|");
}
