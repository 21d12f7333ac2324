#include "expression.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "unary_functions.hpp"

namespace gsim::app {
namespace {

/// The smaller of two numbers of degrees of freedom, where 0 means that one is unknown.
double min_known_degrees(double a, double b) {
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

/// f(a, b) with partial derivatives da and db.
Quantity combine(const Quantity& a, const Quantity& b, double value, double da, double db) {
  // With a slope of 0 the value does not depend on the estimate, so that the estimate's error does
  // not count even where it is infinite (unknown); 0 x inf would be NaN.
  const auto part = [](double slope, double error) {
    return slope == 0 || error == 0 ? 0 : std::fabs(slope) * error;
  };
  return {value, part(da, a.standard_error) + part(db, b.standard_error),
          min_known_degrees(a.degrees_of_freedom, b.degrees_of_freedom),
          std::max(a.samples, b.samples)};
}

/// Parses and evaluates in one pass, with one function for each level of precedence.
class Parser {
 public:
  /// `only_parses`: functions of columns are parsed but not computed.
  Parser(const std::string& text, const NamedResults& results, const ColumnFunctions& functions,
         bool only_parses = false)
      : text_(text), results_(results), functions_(functions), only_parses_(only_parses) {}

  Quantity parse_all() {
    const Quantity q = sum();
    if (peek() != '\0') fail("an operator is expected");
    return q;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("formula `{}`, at character {}: {}", text_, at_ + 1, what));
  }
  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void require(char c) {
    if (!accept(c)) fail(fmt::format("`{}` is expected", c));
  }

  Quantity sum() {
    Quantity a = product();
    for (;;) {
      if (accept('+')) {
        const Quantity b = product();
        a = combine(a, b, a.value + b.value, 1, 1);
      } else if (accept('-')) {
        const Quantity b = product();
        a = combine(a, b, a.value - b.value, 1, -1);
      } else {
        return a;
      }
    }
  }

  Quantity product() {
    Quantity a = factor();
    for (;;) {
      if (accept('*')) {
        const Quantity b = factor();
        a = combine(a, b, a.value * b.value, b.value, a.value);
      } else if (accept('/')) {
        const Quantity b = factor();
        a = combine(a, b, a.value / b.value, 1 / b.value, a.value / (b.value * b.value));
      } else {
        return a;
      }
    }
  }

  Quantity factor() {
    if (accept('-')) {
      const Quantity a = factor();
      return combine(a, {}, -a.value, 1, 0);
    }
    if (accept('+')) return factor();
    if (accept('(')) {
      const Quantity a = sum();
      require(')');
      return a;
    }
    const char c = peek();
    if (c == '\'') return estimate(quoted());
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return call(word());
    fail("a number, a 'name' or a function is expected");
  }

  Quantity number() {
    double value = 0;
    const char *const from = text_.data() + at_, *const end = text_.data() + text_.size();
    const auto [stop, code] = std::from_chars(from, end, value);
    if (code != std::errc()) fail("this is not a number");
    at_ += static_cast<std::size_t>(stop - from);
    return {value, 0, 0, 0};
  }

  std::string word() {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    return text_.substr(from, at_ - from);
  }

  std::string quoted() {
    require('\'');
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string::npos) fail("the name has no closing quote");
    std::string name = text_.substr(at_, end - at_);
    at_ = end + 1;
    return name;
  }

  Quantity estimate(const std::string& name) const {
    const Estimate e = results_.estimate(name);
    return {e.mean, e.standard_error, static_cast<double>(e.degrees_of_freedom), e.count};
  }

  Quantity call(const std::string& name) {
    const ValidationFunction* const column_function = functions_.find(name);
    require('(');
    std::vector<std::vector<double>> columns;
    std::vector<Quantity> numbers;
    do {  // columns come first, then numbers
      if (column_function != nullptr && numbers.empty() && peek() == '\'')
        columns.push_back(results_.column(quoted()));
      else
        numbers.push_back(sum());
    } while (accept(','));
    require(')');
    if (column_function != nullptr) {
      if (only_parses_) return {1, 0, 0, 0};
      std::vector<double> values;
      values.reserve(numbers.size());
      for (const Quantity& q : numbers) values.push_back(q.value);
      try {
        return app::evaluate(*column_function, columns, values);
      } catch (const InputError& error) {
        fail(error.what());
      }
    }
    if (numbers.size() != 1) fail(fmt::format("{}() takes one number", name));
    return function(name, numbers.front());
  }

  Quantity function(const std::string& name, const Quantity& x) const {
    std::vector<std::string_view> known;
    for (const UnaryFunction& f : unary_functions()) {
      if (f.name == name) {
        const ValueAndSlope y = f.evaluate(x.value);
        return combine(x, {}, y.value, y.slope, 0);
      }
      known.push_back(f.name);
    }
    fail(fmt::format(
        "there is no function `{}`; functions of numbers are {}; functions of columns are {}", name,
        fmt::join(known, ", "), fmt::join(functions_.names(), ", ")));
  }

  const std::string& text_;
  const NamedResults& results_;
  const ColumnFunctions& functions_;
  bool only_parses_;
  std::size_t at_ = 0;
};

/// For formulas of numbers alone.
class NoResults : public NamedResults {
 public:
  Estimate estimate(const std::string& name) const override { refuse(name); }
  std::vector<double> column(const std::string& name) const override { refuse(name); }

 private:
  [[noreturn]] static void refuse(const std::string& name) {
    throw InputError(fmt::format("`{}`: only numbers are allowed here", name));
  }
};

/// Accepts any name of an existing run.
class AnyResults : public NamedResults {
 public:
  explicit AnyResults(const std::vector<std::string>& runs) : runs_(runs) {}
  Estimate estimate(const std::string& name) const override {
    check(name);
    Estimate e;
    e.mean = 1;
    e.standard_error = 0;
    return e;
  }
  std::vector<double> column(const std::string& name) const override {
    // A column of a file beside the set ("data/powers.toml#power") belongs to no run.
    if (name.find(".toml#") == std::string::npos) check(name);
    return {1};
  }

 private:
  void check(const std::string& name) const {
    if (runs_.empty()) return;
    const std::size_t colon = name.find(':');
    if (colon != std::string::npos &&
        std::find(runs_.begin(), runs_.end(), name.substr(0, colon)) != runs_.end())
      return;
    throw InputError(fmt::format("`{}` does not begin with one of the case's runs: {}", name,
                                 fmt::join(runs_, ":, ")) +
                     ":");
  }
  const std::vector<std::string>& runs_;
};

}  // namespace

void check_formula(const std::string& text, const std::vector<std::string>& runs,
                   const ColumnFunctions& functions) {
  const AnyResults names(runs);
  Parser(text, names, functions, true).parse_all();
}

Quantity evaluate(const std::string& text, const NamedResults& results,
                  const ColumnFunctions& functions) {
  return Parser(text, results, functions).parse_all();
}

double evaluate_number(const std::string& text) { return evaluate(text, NoResults()).value; }

}  // namespace gsim::app
