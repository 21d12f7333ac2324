#include "src/modules/pricing/trades/trade_config.hpp"

#include "src/modules/pricing/trades/payoff_set_up.hpp"

namespace gsim::pricing {

TradeReader::TradeReader(const MarketConfig& market, PayoffKinds kinds) {
  for (const PayoffKind* kind : kinds) {
    const auto describe = [this, kind](Section& section) {
      trade_->payoff = kind;
      set_up_of(*kind).describe(section, *trade_);
    };
    const auto validate = [this, &market, kind](const Section& section) {
      set_up_of(*kind).validate(section, market, *trade_);
    };
    products_.push_back(
        {std::string(kind->name), std::string(kind->doc), validated(describe, validate)});
  }
}

void TradeReader::describe(Section& s, TradeInput& t) {
  static const KeyInfo id{.doc = "name in the results"};
  static const KeyInfo quantity{.doc = "how many; negative: sold"};
  static const KeyInfo product{.doc = "what is traded"};
  s.required("id", t.id, id);
  s.optional("quantity", t.quantity, quantity);
  trade_ = &t;
  s.alternatives("product", products_, -1, product);
}

void TradeReader::validate(const Section& s, TradeInput& t) {
  if (t.id.empty()) s.fail("id", "a trade's id must not be empty");
  SourceLocation at = s.location();
  if (t.is_row && (file_ == nullptr || file_->file != at.file))
    file_ = std::make_shared<const SourceLocation>(SourceLocation{at.file, 0, 0, {}});
  t.where = t.is_row ? TradePlace(file_, at.line) : TradePlace(std::move(at));
}

SourceLocation TradePlace::location() const {
  if (at_ == nullptr) return {};
  SourceLocation at = *at_;
  if (line_ > 0) {
    at.line = line_;
    at.column = 1;
  }
  return at;
}

std::string TradeConfig::describe() const { return set_up_of(*payoff).name(*this); }

}  // namespace gsim::pricing
