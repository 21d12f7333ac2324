// CellTable: keys with the places of a file in a format of its own.

#include "gsim/config/cell_table.hpp"

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/messages.hpp"

using namespace gsim;
using gsim::test::contains;

namespace {

const TextSource book("book.xml", "<a>\n  <b>é 12</b>\n  <c/>\n</a>");

TextPlace place_in_book(const char* text) { return {&book, book.text().find(text), 2}; }

std::string cell_table_message(CellTable& table, const Section::Describe& describe) {
  try {
    table.read({}, describe);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("lines and columns of a text source count characters") {
  const SourceLocation at = place_in_book("12").location();
  CHECK(at.file == "book.xml");
  CHECK(at.line == 2);
  CHECK(at.column == 8);
  CHECK(TextSource("x", "").location(0).line == 0);
}

TEST_CASE("a table of cells has keys, lists, tables and lists of tables") {
  CellTable table(place_in_book("<a>"));
  table.set("number", "12", place_in_book("12"));
  table.set("list", "1;2.5", place_in_book("12"));
  table.set("gone", "1", place_in_book("12"));
  CHECK(table.has("gone"));
  table.remove("gone");
  CHECK_FALSE(table.has("gone"));
  table.table("inner", place_in_book("<b>")).set("word", "x y", place_in_book("12"));
  table.table("inner", place_in_book("<b>")).set("flag", "true", place_in_book("12"));
  for (const char* name : {"p", "q"})
    table.append("rows", place_in_book("<c")).set("name", name, place_in_book("<c"));
  double number = 0;
  std::vector<double> list;
  std::string word;
  bool flag = false;
  std::vector<std::string> rows;
  table.read({}, [&](Section& s) {
    s.required("number", number, {});
    s.required("list", list, {});
    s.optional_table(
        "inner",
        [&](Section& t) {
          t.required("word", word, {});
          t.required("flag", flag, {});
        },
        "");
    s.tables(
        "rows", rows, [](Section& t, std::string& row) { t.required("name", row, {}); }, "");
  });
  CHECK(number == 12);
  CHECK(list == std::vector<double>{1, 2.5});
  CHECK(word == "x y");
  CHECK(flag);
  CHECK(rows == std::vector<std::string>{"p", "q"});
}

TEST_CASE("errors of a table of cells name the place of the value, and keys that nothing reads") {
  const auto message = [](const Section::Describe& describe) {
    CellTable table(place_in_book("<a>"));
    table.set("number", "-1", place_in_book("12"));
    return cell_table_message(table, describe);
  };
  double number = 0;
  const auto describe = [&](Section& s) { s.required("number", number, {.minimum = 0}); };
  CHECK(contains(message(describe), "book.xml:2:8: `number` must be at least 0, not -1"));
  CHECK(contains(message([](Section&) {}), "book.xml:2:8"));
  CHECK(contains(message([&](Section& s) { s.required("other", number, {}); }),
                 "book.xml:1:1: missing `other`"));
}
