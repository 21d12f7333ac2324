// Tests of the exact text of messages about invalid values of keys.

#include <doctest/doctest.h>

#include "helpers.hpp"

using namespace config_test;

TEST_CASE("a value of the wrong type is an error that names the expected type and the value") {
  check_edits({
      {"number", "spot = 100", R"(spot = "x")",
       R"(bad.toml:4:8: `spot` must be a number (currency), not "x"
    4 | spot = "x"
      |        ^^^)"},
      {"number, a long string", "spot = 100",
       R"(spot = "a string that is longer than forty characters in all")",
       R"(bad.toml:4:8: `spot` must be a number (currency), not a string
    4 | spot = "a string that is longer than forty characters in all"
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^)"},
      {"number, true", "spot = 100", "spot = true",
       R"(bad.toml:4:8: `spot` must be a number (currency), not true
    4 | spot = true
      |        ^^^^)"},
      {"number, list", "spot = 100", "spot = [1]",
       R"(bad.toml:4:8: `spot` must be a number (currency), not a list
    4 | spot = [1]
      |        ^^^)"},
      {"number, date", "spot = 100", "spot = 1979-05-27",
       R"(bad.toml:4:8: `spot` must be a number (currency), not the date 1979-05-27
    4 | spot = 1979-05-27
      |        ^^^^^^^^^^)"},
      {"number, time", "spot = 100", "spot = 07:32:00",
       R"(bad.toml:4:8: `spot` must be a number (currency), not a date or time
    4 | spot = 07:32:00
      |        ^^^^^^^^)"},
      {"number, table", "spot = 100", "spot = { a = 1 }",
       R"(bad.toml:4:8: `spot` must be a number (currency), not a table
    4 | spot = { a = 1 }
      |        ^^^^^^^^^)"},
      {"number without a unit", "strike = 110.5", R"(strike = 110.5
rebate = "x")",
       R"(bad.toml:10:10: `rebate` must be a number, not "x"
   10 | rebate = "x"
      |          ^^^)"},
      {"integer", "strike = 110.5", "strike = 110.5\ncount = 1.5",
       R"(bad.toml:10:9: `count` must be an integer, not 1.5
   10 | count = 1.5
      |         ^^^)"},
      {"integer, text", "strike = 110.5", R"(strike = 110.5
count = "x")",
       R"(bad.toml:10:9: `count` must be an integer, not "x"
   10 | count = "x"
      |         ^^^)"},
      {"integer, too large", "strike = 110.5", "strike = 110.5\ncount = 1e19",
       R"(bad.toml:10:9: `count` must be an integer, not 1e+19
   10 | count = 1e19
      |         ^^^^)"},
      {"boolean", "strike = 110.5", "strike = 110.5\nactive = 1",
       R"(bad.toml:10:10: `active` must be true or false, not 1
   10 | active = 1
      |          ^)"},
      {"boolean, text", "strike = 110.5", R"(strike = 110.5
active = "yes")",
       R"(bad.toml:10:10: `active` must be true or false, not "yes"
   10 | active = "yes"
      |          ^^^^^)"},
      {"string", R"(module = "pricing")", "module = 5",
       R"(bad.toml:1:10: `module` must be a string, not 5
    1 | module = 5
      |          ^ put it in " ")"},
      {"string, table", R"(module = "pricing")", "module = { a = 1 }",
       R"(bad.toml:1:10: `module` must be a string, not a table
    1 | module = { a = 1 }
      |          ^^^^^^^^^)"},
      {"list", R"(assets = ["SPX"])", R"(assets = "SPX")",
       R"(bad.toml:10:10: `assets` must be a list of strings, not "SPX"
   10 | assets = "SPX"
      |          ^^^^^ put it in [ ])"},
      {"list, table", R"(assets = ["SPX"])", "assets = { a = 1 }",
       R"(bad.toml:10:10: `assets` must be a list of strings, not a table
   10 | assets = { a = 1 }
      |          ^^^^^^^^^)"},
      {"element of a list", R"(assets = ["SPX"])", R"(assets = ["SPX", 1])",
       R"(bad.toml:10:18: each element of `assets` must be a string, not 1
   10 | assets = ["SPX", 1]
      |                  ^ put it in " ")"},
      {"list of numbers", "strike = 110.5", R"(strike = 110.5
weights = [1, "x"])",
       R"(bad.toml:10:15: each element of `weights` must be a number, not "x"
   10 | weights = [1, "x"]
      |               ^^^)"},
      {"list of integers", R"(module = "pricing")", R"(module = "pricing"
steps = [1, 2.5])",
       R"(bad.toml:2:13: each element of `steps` must be an integer, not 2.5
    2 | steps = [1, 2.5]
      |             ^^^)"},
      {"duration, table", "volatility = 0.2", R"(volatility = 0.2
[stop.interval]
a = 1)",
       R"(bad.toml:6:1: `interval` must be a length of time, not a table
    6 | [stop.interval]
      | ^^^^^^^^^^^^^^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
      {"a value for a table", R"(module = "pricing")", R"(module = "pricing"
stop = 5)",
       R"(bad.toml:2:8: `stop` must be a table, not 5
    2 | stop = 5
      |        ^ write [stop] and its keys below)"},
      {"[[ ]] for a table", "volatility = 0.2", R"(volatility = 0.2
[[stop]]
maximum = 1)",
       R"(bad.toml:6:1: `stop` must be a table, not a list
    6 | [[stop]]
      | ^^^^^^^^ write [stop], not [[stop]])"},
      {"[ ] for a list of tables", R"([[trades]]
id = "one"
strike = 110.5
assets = ["SPX"])",
       R"([trades]
id = "one")",
       R"(bad.toml:7:1: `trades` must be a list of tables, not a table
    7 | [trades]
      | ^^^^^^^^ write [[trades]], not [trades])"},
  });
}

TEST_CASE("a value out of range is an error with range and unit") {
  check_edits({
      {"exclusive minimum", "spot = 100", "spot = 0",
       R"(bad.toml:4:8: `spot` must be greater than 0 (currency), not 0
    4 | spot = 0
      |        ^)"},
      {"whole numbers print without a point", "spot = 100", "spot = -3.0",
       R"(bad.toml:4:8: `spot` must be greater than 0 (currency), not -3
    4 | spot = -3.0
      |        ^^^^)"},
      {"small numbers print with an exponent", "spot = 100", "spot = -1e-12",
       R"(bad.toml:4:8: `spot` must be greater than 0 (currency), not -1e-12
    4 | spot = -1e-12
      |        ^^^^^^)"},
      {"minimum", "strike = 110.5", "strike = -0.5",
       R"(bad.toml:9:10: `strike` must be at least 0 (currency), not -0.5
    9 | strike = -0.5
      |          ^^^^)"},
      {"both ends", "volatility = 0.2", "volatility = 10.5",
       R"(bad.toml:5:14: `volatility` must be at least 0 and at most 10 (1/sqrt(year)), not 10.5
    5 | volatility = 10.5
      |              ^^^^)"},
      {"integers", "strike = 110.5", "strike = 110.5\ncount = 1001",
       R"(bad.toml:10:9: `count` must be at least 1 and at most 1000, not 1001
   10 | count = 1001
      |         ^^^^)"},
      {"element of a list", R"(module = "pricing")", R"(module = "pricing"
steps = [1, 0])",
       R"(bad.toml:2:13: each element of `steps` must be at least 1, not 0
    2 | steps = [1, 0]
      |             ^)"},
      {"element of a matrix", "volatility = 0.2", R"(volatility = 0.2
[market]
correlation = [[1, 0], [-1.5, 1]])",
       R"(bad.toml:7:25: each element of `correlation` must be at least -1 and at most 1, not -1.5
    7 | correlation = [[1, 0], [-1.5, 1]]
      |                         ^^^^)"},
      {"NaN", "spot = 100", "spot = nan",
       R"(bad.toml:4:8: `spot` must be a finite number (currency), not nan
    4 | spot = nan
      |        ^^^)"},
      {"infinity", "spot = 100", "spot = inf",
       R"(bad.toml:4:8: `spot` must be a finite number (currency), not inf
    4 | spot = inf
      |        ^^^)"},
      {"negative infinity", "strike = 110.5", "strike = 110.5\nrebate = -inf",
       R"(bad.toml:10:10: `rebate` must be a finite number, not -inf
   10 | rebate = -inf
      |          ^^^^)"},
      {"NaN where infinity may be", "volatility = 0.2", R"(volatility = 0.2
[stop]
maximum = nan)",
       R"(bad.toml:7:11: `maximum` must be a number, not nan
    7 | maximum = nan
      |           ^^^)"},
      {"negative infinity where infinity may be", "volatility = 0.2", R"(volatility = 0.2
[stop]
maximum = -inf)",
       R"(bad.toml:7:11: `maximum` must be at least 0, not -inf
    7 | maximum = -inf
      |           ^^^^)"},
  });
}

TEST_CASE("a list of the wrong size is an error") {
  check_edits({
      {"too few", R"(assets = ["SPX"])", R"(assets = ["SPX"]
weights = [])",
       R"(bad.toml:11:11: `weights` must have at least 1 element, not 0
   11 | weights = []
      |           ^^)"},
      {"too few of a range", R"(assets = ["SPX"])", "assets = []",
       R"(bad.toml:10:10: `assets` must have 1 to 3 elements, not 0
   10 | assets = []
      |          ^^)"},
      {"too many of a range", R"(assets = ["SPX"])", R"(assets = ["a", "b", "c", "d"])",
       R"(bad.toml:10:10: `assets` must have 1 to 3 elements, not 4
   10 | assets = ["a", "b", "c", "d"]
      |          ^^^^^^^^^^^^^^^^^^^^)"},
  });
}

TEST_CASE("a word that is not permitted is an error with the most similar permitted word") {
  check_edits({
      {"misspelt", "strike = 110.5", R"(strike = 110.5
type = "cal")",
       R"(bad.toml:10:8: `type` must be "call" or "put", not "cal"
   10 | type = "cal"
      |        ^^^^^ did you mean "call"?)"},
      {"not similar to any", "strike = 110.5", R"(strike = 110.5
type = "straddle")",
       R"(bad.toml:10:8: `type` must be "call" or "put", not "straddle"
   10 | type = "straddle"
      |        ^^^^^^^^^^)"},
      {"another case", "strike = 110.5", R"(strike = 110.5
type = "Put")",
       R"(bad.toml:10:8: `type` must be "call" or "put", not "Put"
   10 | type = "Put"
      |        ^^^^^ did you mean "put"?)"},
      {"number", "strike = 110.5", "strike = 110.5\ntype = 1",
       R"(bad.toml:10:8: `type` must be "call" or "put", not 1
   10 | type = 1
      |        ^)"},
      {"alternatives", "spot = 100", R"(spot = 100
model = "hestn")",
       R"(bad.toml:5:9: `model` must be "black_scholes" or "heston", not "hestn"
    5 | model = "hestn"
      |         ^^^^^^^ did you mean "heston"?)"},
      {"a number or a table", "spot = 100", R"(spot = 100
rate = "3 %")",
       R"(bad.toml:5:8: `rate` must be a number or a table, not "3 %"
    5 | rate = "3 %"
      |        ^^^^^)"},
  });
}

TEST_CASE("a duration that is negative or cannot be read is an error") {
  check_edits({
      {"unknown unit", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = "5 weeks")",
       R"(bad.toml:7:12: `interval` must be a length of time, not "5 weeks"
    7 | interval = "5 weeks"
      |            ^^^^^^^^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
      {"empty text", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = "")",
       R"(bad.toml:7:12: `interval` must be a length of time, not ""
    7 | interval = ""
      |            ^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
      {"unit alone", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = "min")",
       R"(bad.toml:7:12: `interval` must be a length of time, not "min"
    7 | interval = "min"
      |            ^^^^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
      {"seconds as text", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = "90")",
       R"(bad.toml:7:12: `interval` must be a length of time, not "90"
    7 | interval = "90"
      |            ^^^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
      {"list", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = [1])",
       R"(bad.toml:7:12: `interval` must be a length of time, not a list
    7 | interval = [1]
      |            ^^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
      {"negative", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = "-2 min")",
       R"(bad.toml:7:12: `interval` must be at least 0 (s), not -120
    7 | interval = "-2 min"
      |            ^^^^^^^^)"},
      {"negative number", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = -1)",
       R"(bad.toml:7:12: `interval` must be at least 0 (s), not -1
    7 | interval = -1
      |            ^^)"},
      {"unknown second unit", "volatility = 0.2", R"(volatility = 0.2
[stop]
interval = "1 h 2 parsecs")",
       R"(bad.toml:7:12: `interval` must be a length of time, not "1 h 2 parsecs"
    7 | interval = "1 h 2 parsecs"
      |            ^^^^^^^^^^^^^^^ write seconds, or "90 s", "10 min", "1.5 h", "2 d")"},
  });
}
