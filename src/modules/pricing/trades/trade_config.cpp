#include "src/modules/pricing/trades/trade_config.hpp"

#include "src/modules/pricing/trades/payment_currency.hpp"
#include "src/modules/pricing/trades/payoff_functions.hpp"

namespace gsim::pricing {

TradeReader::TradeReader(MarketConfig& market, PayoffKinds kinds) : market_(&market) {
  for (const PayoffKind* kind : kinds) {
    const auto describe = [this, kind](Section& section) {
      trade_->payoff = kind;
      functions_of(*kind).describe(section, *trade_);
    };
    const auto validate = [this, &market, kind](const Section& section) {
      functions_of(*kind).validate(section, market, *trade_);
    };
    products_.push_back(
        {std::string(kind->name), std::string(kind->doc), validated(describe, validate)});
  }
}

void TradeReader::describe(Section& s, TradeInput& t) {
  static const KeyInfo id{.doc = "identifier of the trade in the results"};
  static const KeyInfo quantity{.doc = "number of contracts; negative: a short position"};
  static const KeyInfo target_error{
      .doc =
          "target standard error of the value of the whole quantity, in place of the targets of "
          "[stop] or [multilevel] (0: these); for the modules pricing and multilevel",
      .unit = "currency",
      .minimum = 0};
  static const KeyInfo netting_set{
      .doc =
          "netting set of the trade, which the module exposure uses; not needed if there is one"};
  static const KeyInfo product{.doc = "payoff of the trade"};
  s.required("id", t.id, id);
  s.optional("quantity", t.quantity, quantity);
  s.optional("target_error", t.target_error, target_error);
  s.optional("netting_set", t.netting_set, netting_set);
  describe_payment_currency(s, t);
  t.market = market_;
  trade_ = &t;
  s.alternatives("product", products_, -1, product);
  describe_exercise(s, t);
}

void TradeReader::validate(const Section& s, TradeInput& t) {
  if (t.id.empty()) s.fail("id", "a trade's id must not be empty");
  SourceLocation at = s.location();
  if (t.is_row && (file_ == nullptr || file_->file != at.file))
    file_ = std::make_shared<const SourceLocation>(SourceLocation{at.file, 0, 0, {}});
  t.source = t.is_row ? TradeSource(file_, at.line) : TradeSource(std::move(at));
}

SourceLocation TradeSource::location() const {
  if (at_ == nullptr) return {};
  SourceLocation at = *at_;
  if (line_ > 0) {
    at.line = line_;
    at.column = 1;
  }
  return at;
}

std::string TradeConfig::product_name() const {
  std::string name = functions_of(*payoff).name(*this);
  if (!exercise.is_early() || !exercise.prices.empty()) return name;
  const std::string style = exercise.style == ExerciseStyle::american ? "American " : "Bermudan ";
  constexpr std::string_view european = "European ";
  if (name.starts_with(european)) name.erase(0, european.size());
  return style + name;
}

}  // namespace gsim::pricing
