// Tests of the exact text of messages about files that are not valid TOML.

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;

namespace {

std::string parse_error(const std::string& text) {
  return error_message_of([&] { gsim::ConfigFile::parse(text, "bad.toml"); });
}

void check(const std::vector<InvalidText>& cases) { check_messages(cases, parse_error); }

}  // namespace

TEST_CASE("keys and tables that are given twice are errors with both locations") {
  check({
      {"key twice", R"(spot = 1
spot = 2.5
)",
       R"(bad.toml:2:1: `spot` is given twice
    2 | spot = 2.5
      | ^^^^ first in line 1)"},
      {"key twice in an inline table", "a = { x = 1, x = 2 }\n",
       R"(bad.toml:1:18: `x` is given twice
    1 | a = { x = 1, x = 2 }
      |                  ^)"},
      {"dotted key twice", R"(a.b = 1
a.b = 2
)",
       R"(bad.toml:2:1: `a.b` is given twice
    2 | a.b = 2
      | ^^^ first in line 1)"},
      {"header twice", R"([a]
x = 1
[a]
y = 1
)",
       R"(bad.toml:3:1: `[a]` is given twice
    3 | [a]
      | ^^^ first in line 1)"},
      {"table, then list", R"([a]
x = 1
[[a]]
y = 1
)",
       R"(bad.toml:3:1: `a` is not a list of tables
    3 | [[a]]
      | ^^^^^)"},
      {"list, then table", R"([[a]]
x = 1
[a]
y = 1
)",
       R"(bad.toml:3:1: `a` is a list already
    3 | [a]
      | ^^^ write [[a]])"},
      {"inline table, then header", R"(a = { x = 1 }
[a]
y = 1
)",
       R"(bad.toml:2:1: `a` is given twice
    2 | [a]
      | ^^^)"},
      {"value, then table", R"([a]
b = 1
[a.b]
c = 1
)",
       R"(bad.toml:3:1: `a.b` has a value already, and cannot be a table
    3 | [a.b]
      | ^^^^^)"},
      {"value, then key below it", R"(a = 1
a.b = 2
)",
       R"(bad.toml:2:1: a part of this key has a value already
    2 | a.b = 2
      | ^)"},
      {"the same key in another table is allowed", R"([a]
x = 1
[b]
x = 1
x = 2
)",
       R"(bad.toml:5:1: `x` is given twice
    5 | x = 2
      | ^ first in line 4)"},
  });
}

TEST_CASE("messages about syntax errors in key-value pairs, strings and lists") {
  check({
      {"word without quotes", "module = pricing\n",
       R"(bad.toml:1:10: this is not a TOML value
    1 | module = pricing
      |          ^ put words in " ")"},
      {"no value", "module = \n",
       R"(bad.toml:1:10: there is no value after `=`
    1 | module =
      |         ^ write key = value)"},
      {"no value at the end", "module =",
       R"(bad.toml:1:9: there is no value after `=`
    1 | module =
      |         ^ write key = value)"},
      {"no equals sign", "module\n",
       R"(bad.toml:1:7: there is no `=` after the key
    1 | module
      |       ^ write key = value)"},
      {"no equals sign at the end", "module",
       R"(bad.toml:1:7: there is no `=` after the key
    1 | module
      |       ^ write key = value)"},
      {"colon", "a : 1\n",
       R"(bad.toml:1:3: there is no `=` after the key
    1 | a : 1
      |   ^ write key = value)"},
      {"open string", R"(a = "abc
b = 1
)",
       R"(bad.toml:1:9: this string is not closed on its line
    1 | a = "abc
      |         ^ write " here)"},
      {"open literal string", "a = 'abc\n",
       R"(bad.toml:1:9: this string is not closed on its line
    1 | a = 'abc
      |         ^ write ' here)"},
      {"open long string", R"(a = """abc
)",
       R"(bad.toml:1:12: a string is not closed
    1 | a = """abc
      |           ^)"},
      {"open list", R"(a = [1, 2
b = 3
)",
       R"(bad.toml:2:1: a list is not closed, or lacks a comma
    2 | b = 3
      | ^ write ] or , before)"},
      {"open list at the end", R"(a = [
  1,
  2
)",
       R"(bad.toml:3:5: a list is not closed
    3 |   2
      |    ^ write ])"},
      {"no comma in a list", "a = [1 2]\n",
       R"(bad.toml:1:8: a list is not closed, or lacks a comma
    1 | a = [1 2]
      |        ^ write ] or , before)"},
      {"two commas", "a = [1,,2]\n",
       R"(bad.toml:1:8: there is no value before this comma
    1 | a = [1,,2]
      |        ^ remove one comma)"},
      {"open inline table", "a = { x = 1\n",
       R"(bad.toml:1:12: a table in { } must be closed on its line
    1 | a = { x = 1
      |            ^ write })"},
      {"comma at the end of an inline table", "a = { x = 1, }\n",
       R"(bad.toml:1:14: a table in { } must not end in a comma
    1 | a = { x = 1, }
      |              ^ remove it)"},
      {"no comma in an inline table", "a = { x = 1 y = 2 }\n",
       R"(bad.toml:1:13: a comma or } is missing
    1 | a = { x = 1 y = 2 }
      |             ^ write , or } before)"},
  });
}

TEST_CASE("messages about syntax errors in numbers") {
  check({
      {"True", "a = True\n",
       R"(bad.toml:1:5: this is not a TOML value
    1 | a = True
      |     ^ write true or false; put words in " ")"},
      {"nearly true", "a = truee\n",
       R"(bad.toml:1:9: this is not a TOML value
    1 | a = truee
      |         ^ write true or false; put words in " ")"},
      {"NaN", "a = NaN\n",
       R"(bad.toml:1:5: this is not a TOML value
    1 | a = NaN
      |     ^ put words in " ")"},
      {"Infinity", "a = infinity\n",
       R"(bad.toml:1:8: this is not a TOML number
    1 | a = infinity
      |        ^ write it like 10, 0.5 or 1e-3; put words in " ")"},
      {"no digit before the point", "a = .5\n",
       R"(bad.toml:1:5: this is not a TOML number
    1 | a = .5
      |     ^ write it like 10, 0.5 or 1e-3; put words in " ")"},
      {"no digit after the point", "a = 5.\n",
       R"(bad.toml:1:7: this is not a TOML number
    1 | a = 5.
      |       ^ write it like 10, 0.5 or 1e-3; put words in " ")"},
      {"two points", "a = 1.5.2\n",
       R"(bad.toml:1:8: this is not a TOML number
    1 | a = 1.5.2
      |        ^ write it like 10, 0.5 or 1e-3; put words in " ")"},
      {"per cent", "a = 10%\n",
       R"(bad.toml:1:7: this is not a TOML number
    1 | a = 10%
      |       ^ write it like 10, 0.5 or 1e-3; put words in " ")"},
      {"semicolon", "a = 1;\n",
       R"(bad.toml:1:6: this is not a TOML number
    1 | a = 1;
      |      ^ write it like 10, 0.5 or 1e-3; put words in " ")"},
      {"decimal comma", "a = 1,5\n",
       R"(bad.toml:1:6: there is text after the value
    1 | a = 1,5
      |      ^ decimals are written with a point, lists as [1, 5])"},
      {"leading zero", "a = 01\n",
       R"(bad.toml:1:5: a number must not begin with 0
    1 | a = 01
      |     ^^ remove the 0)"},
      {"large integer", "a = 9223372036854775808\n",
       R"(bad.toml:1:5: this integer is too large
    1 | a = 9223372036854775808
      |     ^^^^^^^^^^^^^^^^^^^ the largest is 9223372036854775807)"},
      {"large integer in a list", "a = ['é', 99999999999999999999]\n",
       R"(bad.toml:1:11: this integer is too large
    1 | a = ['é', 99999999999999999999]
      |           ^^^^^^^^^^^^^^^^^^^^ the largest is 9223372036854775807)"},
      {"large number", "a = 1e400\n",
       R"(bad.toml:1:5: this number does not fit a double
    1 | a = 1e400
      |     ^^^^^)"},
      {"a unit", "a = 5 min\n",
       R"(bad.toml:1:7: there is text after the value
    1 | a = 5 min
      |       ^ write one key per line; put text in " "; comments begin with #)"},
      {"two on a line", "a = 1 b = 2\n",
       R"(bad.toml:1:7: there is text after the value
    1 | a = 1 b = 2
      |       ^ write one key per line; put text in " "; comments begin with #)"},
  });
}

TEST_CASE("messages about syntax errors in headers and escapes, and about nesting") {
  check({
      {"header and key on a line", "[a] b = 1\n",
       R"(bad.toml:1:5: there is text after the header
    1 | [a] b = 1
      |     ^ begin a new line here)"},
      {"open header", R"([a
x = 1
)",
       R"(bad.toml:1:3: the header is not closed
    1 | [a
      |   ^ write ])"},
      {"empty header", "[]\n",
       R"(bad.toml:1:2: the header has no name
    1 | []
      |  ^ write [name])"},
      {"header ends in a point", "[a.]\n",
       R"(bad.toml:1:4: a part of the name is missing
    1 | [a.]
      |    ^ write one after the point)"},
      {"C++ comment", R"(// x
a = 1
)",
       R"(bad.toml:1:1: a line cannot begin like this
    1 | // x
      | ^ write key = value, [table] or # comment)"},
      {"Windows path", R"(a = "C:\data"
)",
       R"(bad.toml:1:9: a backslash begins an escape in " "
    1 | a = "C:\data"
      |         ^ write \\, or put the text in ' ')"},
      {"short escape", R"(a = "\u12"
)",
       R"(bad.toml:1:10: \u takes four hexadecimal digits, \U eight
    1 | a = "\u12"
      |          ^ write \\, or put the text in ' ')"},
      {"no such date", "a = 2026-13-45\n",
       R"(bad.toml:1:12: this is no date or time
    1 | a = 2026-13-45
      |            ^ put words in " ")"},
      {"nested too deeply", "a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\n",
       R"(bad.toml:1:37: lists and tables are nested too deeply
    1 | a = [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
      |                                     ^)"},
      {"long key",
       "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\n",
       R"(bad.toml:1:66: a key of more than 32 parts
    1 | a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1
      |                                                                  ^ shorten it)"},
  });
}

TEST_CASE("invalid characters are named in messages, and column numbers count characters") {
  check({
      {"typographic quote", "a = “x”\n",
       R"(bad.toml:1:5: `“` is not a quotation mark of TOML
    1 | a = “x”
      |     ^ write a plain " or ')"},
      {"minus sign", "a = −1\n",
       R"(bad.toml:1:5: `−` is not a minus sign of TOML
    1 | a = −1
      |     ^ write a plain -)"},
      {"no-break space", "a\xC2\xA0= 1\n",
       "bad.toml:1:2: invisible character U+00A0 outside strings and comments\n    1 | a\xC2\xA0= "
       "1\n      |  ^ remove it, or write a plain space"},
      {"letter outside strings", "é = 1\n",
       R"(bad.toml:1:1: `é` is not allowed outside strings and comments
    1 | é = 1
      | ^ put keys and words with such letters in " ")"},
      {"control character", "a = 1 # \x01\n",
       R"(bad.toml:1:9: control character U+0001 is not allowed
    1 | a = 1 # ?
      |         ^ remove it)"},
      {"not UTF-8", "a = \"\xFF\"\n",
       R"(bad.toml:1:6: this byte is not UTF-8 text
    1 | a = "?"
      |      ^ save the file as UTF-8)"},
      {"bare carriage return", "a = 1\rb = 2\n",
       R"(bad.toml:1:6: control character U+000D is not allowed
    1 | a = 1?b = 2
      |      ^ remove it)"},
      {"byte order mark, CRLF",
       "\xEF\xBB\xBF"
       "a = x\r\n",
       R"(bad.toml:1:5: this is not a TOML value
    1 | a = x
      |     ^ put words in " ")"},
      {"column after a tab", "\ta = x\n",
       R"(bad.toml:1:6: this is not a TOML value
    1 |  a = x
      |      ^ put words in " ")"},
      {"column after letters of two bytes", R"(a = { "é" = "é", b = x }
)",
       R"(bad.toml:1:22: this is not a TOML value
    1 | a = { "é" = "é", b = x }
      |                      ^ put words in " ")"},
      {"long line",
       R"(a = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" y
)",
       R"(bad.toml:1:128: there is text after the value
    1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" y
      |                                                                                           ^ write one key per line; put text in " "; comments begin with #)"},
  });
}

// Where no string can begin, toml++ parses a quotation mark as part of a word. The check of
// characters that precedes parsing (check_toml.cpp) takes the mark for the beginning of a string
// and accepts the characters that follow, so that the parser meets them outside strings. toml++
// looks up white space in blocks of 1018 code points: the test has one character of each block that
// contains white space, and characters of other blocks.
TEST_CASE("characters outside ASCII are refused in every context of the toml++ parser") {
  for (const char* character : {"é", "\u1681", "\u2010", "、", "\uFEEF", "語", "😀"}) {
    for (const char* before :
         {"a = 1'", "a = x'", "a = [1'", "a = { b = 1'", "[a'", "a = 1979-05-27'"}) {
      const std::string text = std::string(before) + character + "'\n";
      INFO(text);
      CHECK(parse_error(text).starts_with("bad.toml:1:"));
    }
  }
}
