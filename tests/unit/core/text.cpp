#include "gsim/core/text.hpp"

#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/json.hpp"

using namespace gsim;

TEST_CASE("numbers, durations and sizes are printed in short forms") {
  CHECK(human_clock(4.2) == "0:04");
  CHECK(human_clock(751) == "12:31");
  CHECK(human_clock(3600 * 3 + 7 * 60 + 59) == "3:07:59");
  CHECK(human_clock(std::numeric_limits<double>::infinity()) == "–");
  CHECK(human_duration(5.83) == "5.8 s");
  CHECK(human_duration(660) == "11.0 min");
  CHECK(human_duration(43200) == "12.0 h");
  CHECK(human_bytes(999) == "999 B");
  CHECK(human_bytes(1900000) == "1.9 MB");
  CHECK(human_bytes(2.1e8) == "210 MB");
  CHECK(human_number(1.41e8) == "1.41e8");
  CHECK(human_number(0.00012) == "0.00012");
  CHECK(human_number(1.2e-5) == "1.2e-5");
  CHECK(human_number(412.4) == "412");
}

TEST_CASE("display width counts code points and skips colours") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("━━ · é") == 6);
  CHECK(display_width("\x1b[31merror\x1b[0m") == 5);
}

TEST_CASE("long lines are broken at spaces, with the rest indented") {
  CHECK(wrap("one two three", 0, 2) == "one two three");
  CHECK(wrap("one two three", 13, 2) == "one two three");
  CHECK(wrap("one two three", 12, 2) == "one two\n  three");
  CHECK(wrap("one · two", 5, 2) == "one ·\n  two");
  CHECK(wrap("one · two", 4, 2) == "one\n  two");
  CHECK(wrap("a  b   c", 80, 2) == "a  b   c");
  CHECK(wrap("unbreakable word", 5, 2) == "unbreakable\n  word");
  CHECK(wrap("", 5, 2) == "");
}

TEST_CASE("control characters are escaped") {
  CHECK(escape_controls("Übersee · a\\b") == "Übersee · a\\b");
  CHECK(escape_controls("a\nb\t\x1b[31m\x7f") == "a\\nb\\x09\\x1b[31m\\x7f");
  CHECK(escape_controls("\xff\xc2\x9b") ==
        "\\xff\\x9b");  // the second one is U+009B, the control sequence introducer
  CHECK(escape_controls("") == "");
  CHECK(escape_controls_by_line("a\x1b\nb\n") == "a\\x1b\nb\n");
}

TEST_CASE("long texts are truncated by columns, not by bytes") {
  CHECK(shorten("Übersee", 7) == "Übersee");
  CHECK(shorten("Übersee", 6) == "Übers…");
  CHECK(shorten("éé", 1) == "…");
  CHECK(shorten("", 1) == "");
  CHECK(display_width(shorten(std::string(5000, 'x'), 40)) == 40);
  CHECK(excerpt("a\x1b[2J\n") == "a\\x1b[2J\\n");
  CHECK(excerpt(std::string(5000, 'x')) == std::string(59, 'x') + "…");
  CHECK(excerpt(std::vector<std::string>{"A", std::string(61, 'x')}) ==
        "A, " + std::string(59, 'x') + "…");
  CHECK(excerpt(std::vector<std::string>(12, "A")).size() == 34);
  CHECK(excerpt(std::vector<std::string>(15, "A")).ends_with("A, A and 3 more"));
}

TEST_CASE("JSON: members in order, shortest numbers, null for what is not finite") {
  CHECK(Json::event("end").set("n", 3).set("x", 0.1).set("ok", true).text() ==
        R"({"event":"end","n":3,"x":0.1,"ok":true})");
  CHECK(Json::object().set("x", std::numeric_limits<double>::infinity()).text() == R"({"x":null})");
  CHECK(Json::object().set("x", 3.0).set("y", 1e300).set("x", -2.5).text() ==
        R"({"x":-2.5,"y":1e+300})");
  CHECK(Json("a\"b\\c\n\x01é").text() == R"("a\"b\\c\n\u0001é")");
  CHECK(Json(std::string("\xff\xed\xa0\x80")).text() == "\"\uFFFD\uFFFD\uFFFD\uFFFD\"");
  CHECK(Json::array().push(1).push("a").push(Json()).text() == R"([1,"a",null])");
}
