#pragma once
// Open Source Risk Engine's market.txt: lines "20260205 MM/RATE/EUR/2D/6M 0.0218".

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/modules/pricing/dates/dates.hpp"
#include "src/modules/pricing/ore/xml_document.hpp"

namespace gsim::pricing {

/// A quote that an element names.
struct OreQuote {
  XmlElement element;
  std::vector<std::string> words;  ///< of its key, between the slashes
  double value = 0;
  TextPlace at;  ///< in the file of quotes

  /// Throws a ConfigError at the element.
  [[noreturn]] void fail(const std::string& problem) const;
};

/// The quotes of one day. Those of other days are ignored, as ORE does.
class OreQuotes {
 public:
  /// ConfigError at a line that is none, or if no quote is of `date`.
  OreQuotes(const InputFile& file, Date date);
  OreQuotes(const OreQuotes&) = delete;
  OreQuotes& operator=(const OreQuotes&) = delete;

  /// The quote whose key is the text of the element. ConfigError if there is none, or two, or if
  /// its key does not begin with `type` ("MM/RATE/") or has fewer words than `min_words` or more
  /// than `max_words`.
  OreQuote get(const XmlElement& element, std::string_view type, std::size_t min_words,
               std::size_t max_words) const;
  /// The quote with this key. Throws a ConfigError at `element`, which needs the quote, if there is
  /// none, and at the quote if it has two values.
  OreQuote get(const XmlElement& element, const std::string& key) const;
  bool has(const std::string& key) const { return quotes_.contains(key); }
  /// The quotes of <Quotes> in `parent`, without absent ones that are marked as optional; at least
  /// one.
  std::vector<OreQuote> list(const XmlElement& parent, std::string_view type, std::size_t min_words,
                             std::size_t max_words) const;

 private:
  struct Quote {
    double value;
    TextPlace at;
    bool has_other_value = false;  ///< on a later line
  };
  TextSource source_;
  std::map<std::string, Quote, std::less<>> quotes_;
  Date date_;
};

}  // namespace gsim::pricing
