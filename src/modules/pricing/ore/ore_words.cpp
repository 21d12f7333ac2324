#include "src/modules/pricing/ore/ore_words.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::pricing {
namespace {

template <class T>
struct Word {
  std::string_view word;
  T value;
};

constexpr Word<DayCount> day_count_words[] = {
    {"A360", DayCount::act_360},
    {"Actual/360", DayCount::act_360},
    {"ACT/360", DayCount::act_360},
    {"Act/360", DayCount::act_360},
    {"A365", DayCount::act_365},
    {"A365F", DayCount::act_365},
    {"Actual/365 (Fixed)", DayCount::act_365},
    {"Actual/365 (fixed)", DayCount::act_365},
    {"ACT/365.FIXED", DayCount::act_365},
    {"ACT/365", DayCount::act_365},
    {"Act/365", DayCount::act_365},
    {"T360", DayCount::thirty_360},
    {"30/360", DayCount::thirty_360},
    {"30/360 US", DayCount::thirty_360},
    {"30/360 (US)", DayCount::thirty_360},
    {"30/360 (Bond Basis)", DayCount::thirty_360},
    {"30E/360", DayCount::thirty_e_360},
    {"30E/360 (Eurobond Basis)", DayCount::thirty_e_360},
    {"30E/360.ICMA", DayCount::thirty_e_360},
    {"30E/360 ICMA", DayCount::thirty_e_360},
    {"ActActISDA", DayCount::act_act},
    {"ACT/ACT.ISDA", DayCount::act_act},
    {"Actual/Actual (ISDA)", DayCount::act_act},
    {"ActualActual (ISDA)", DayCount::act_act},
    {"ACT/ACT", DayCount::act_act},
    {"Act/Act", DayCount::act_act},
    {"ACT", DayCount::act_act},
};

constexpr Word<BusinessDayConvention> convention_words[] = {
    {"F", BusinessDayConvention::following},
    {"Following", BusinessDayConvention::following},
    {"FOLLOWING", BusinessDayConvention::following},
    {"MF", BusinessDayConvention::modified_following},
    {"ModifiedFollowing", BusinessDayConvention::modified_following},
    {"Modified Following", BusinessDayConvention::modified_following},
    {"MODIFIEDF", BusinessDayConvention::modified_following},
    {"P", BusinessDayConvention::preceding},
    {"Preceding", BusinessDayConvention::preceding},
    {"PRECEDING", BusinessDayConvention::preceding},
    {"U", BusinessDayConvention::unadjusted},
    {"Unadjusted", BusinessDayConvention::unadjusted},
    {"NONE", BusinessDayConvention::unadjusted},
};

// Calendars of which ORE and gsim take the same tables of QuantLib.
constexpr Word<std::string_view> calendar_words[] = {
    {"TARGET", "TARGET"},
    {"TGT", "TARGET"},
    {"EUTA", "TARGET"},
    {"EUR", "TARGET"},
    {"US", "US"},
    {"USD", "US"},
    {"US-SET", "US"},
    {"USNY", "US"},
    {"US settlement", "US"},
    {"US-NYSE", "NYSE"},
    {"US-GOV", "SIFMA"},
    {"UK", "UK"},
    {"GB", "UK"},
    {"GBP", "UK"},
    {"GBLO", "UK"},
    {"Japan", "Japan"},
    {"JP", "Japan"},
    {"JPY", "Japan"},
    {"JPTO", "Japan"},
    {"AUD", "Australia"},
    {"CAD", "Canada"},
    {"CATO", "Canada"},
    {"DKK", "Denmark"},
    {"NOK", "Norway"},
    {"SEK", "Sweden"},
    {"SEST", "Sweden"},
    {"WeekendsOnly", "weekends"},
    {"NullCalendar", "none"},
};

template <class T, std::size_t n>
T lookup(const XmlElement& element, const std::string& text, const Word<T> (&words)[n],
         std::string_view what) {
  for (const auto& [word, value] : words)
    if (word == text) return value;
  std::string known;
  for (const auto& [word, value] : words)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", word);
  element.fail(fmt::format("the {} \"{}\" is not supported", what, excerpt(text)),
               fmt::format("supported are {}", known));
}

}  // namespace

std::vector<std::string> ore_parts(const std::string& text, char separator) {
  constexpr const char* blanks = " \t\r\n";
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t first = part.find_first_not_of(blanks);
    parts.push_back(first == std::string::npos
                        ? std::string()
                        : part.substr(first, part.find_last_not_of(blanks) - first + 1));
    at = end + 1;
  }
  return parts;
}

Date ore_date(const std::string& text) {
  const bool is_plain =
      text.size() == 8 && text.find_first_not_of("0123456789") == std::string::npos;
  return parse_date(is_plain ? text.substr(0, 4) + "-" + text.substr(4, 2) + "-" + text.substr(6)
                             : text);
}

Date ore_date(const XmlElement& element) {
  try {
    return ore_date(element.text());
  } catch (const ConfigError&) {
    throw;
  } catch (const InputError& error) {
    element.fail(error.what(), "dates have the form 2026-11-28 or 20261128");
  }
}

Tenor ore_tenor(const std::string& text) {
  Tenor sum;
  bool is_first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find_first_not_of("0123456789", at);
    const std::optional<Tenor> part =
        end == std::string::npos ? std::nullopt : parse_tenor(text.substr(at, end + 1 - at));
    if (!part) throw InputError(fmt::format("\"{}\" is not a length of time", excerpt(text)));
    if (is_first) {
      sum = *part;
    } else {
      const bool is_years_and_months =
          sum.unit == TimeUnit::years && part->unit == TimeUnit::months;
      if (!is_years_and_months)
        throw InputError(fmt::format("the length of time \"{}\" is not supported", excerpt(text)));
      sum = {12 * sum.length + part->length, TimeUnit::months};
    }
    is_first = false;
    at = end + 1;
  }
  if (is_first) throw InputError("a length of time is empty");
  return sum;
}

Tenor ore_tenor(const XmlElement& element) {
  return locate_errors(element.location(), [&] { return ore_tenor(element.text()); });
}

std::string tenor_text(Tenor tenor) {
  return fmt::format("{}{}", tenor.length, "DWMY"[static_cast<int>(tenor.unit)]);
}

DayCount ore_day_count(const XmlElement& element) { return ore_day_count(element, element.text()); }

DayCount ore_day_count(const XmlElement& element, const std::string& text) {
  return lookup(element, text, day_count_words, "day count");
}

double ore_year_fraction(const XmlElement& element, DayCount day_count, Date from, Date to) {
  if (day_count == DayCount::thirty_360 && element.text() != "30/360 (Bond Basis)") {
    const std::string first = to_string(from), next = to_string(Date{from.serial + 1});
    if (first.substr(5, 2) == "02" && next.substr(5, 2) == "03")
      element.fail(
          fmt::format("ORE's 30/360 of a period that begins on the last day of February, {}, "
                      "is not supported",
                      first));
  }
  return year_fraction(day_count, from, to);
}

std::string ore_calendar_name(const XmlElement& element) {
  const std::string text = element.text();
  std::string names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    std::string_view word = std::string_view(text).substr(at, end - at);
    while (word.starts_with(' ')) word.remove_prefix(1);
    const auto* found = std::find_if(std::begin(calendar_words), std::end(calendar_words),
                                     [&](const auto& w) { return w.word == word; });
    if (found == std::end(calendar_words)) {
      std::string known;
      for (const auto& [name, value] : calendar_words)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
      element.fail(fmt::format("the calendar \"{}\" is not supported", excerpt(word)),
                   fmt::format("supported are {}", known));
    }
    names += fmt::format("{}{}", names.empty() ? "" : "+", found->value);
    at = end + 1;
  }
  return names;
}

Calendar ore_calendar(const XmlElement& element) { return Calendar(ore_calendar_name(element)); }

BusinessDayConvention ore_convention(const XmlElement& element) {
  return lookup(element, element.text(), convention_words, "business day convention");
}

int ore_count(const XmlElement& element) {
  const double number = element.number();
  const int count = number >= 0 && number <= 1000 ? static_cast<int>(number) : -1;
  if (count != number)
    element.fail(fmt::format("<{}> must be a whole number from 0 to 1000", element.name()));
  return count;
}

bool ore_bool(const XmlElement& element) {
  static constexpr std::string_view yes[] = {"Y", "YES", "TRUE", "True", "true", "1"};
  static constexpr std::string_view no[] = {"N", "NO", "FALSE", "False", "false", "0"};
  const std::string text = element.text();
  if (std::find(std::begin(yes), std::end(yes), text) != std::end(yes)) return true;
  if (std::find(std::begin(no), std::end(no), text) != std::end(no)) return false;
  element.fail(
      fmt::format("<{}> must be true or false, not \"{}\"", element.name(), excerpt(text)));
}

bool ore_bool(const XmlElement& parent, std::string_view child, bool or_default) {
  return parent.has(child) ? ore_bool(parent.get(child)) : or_default;
}

int ore_word(const XmlElement& parent, std::string_view child,
             const std::vector<std::string>& words, bool is_optional) {
  if (is_optional && !parent.has(child)) return -1;
  const XmlElement element = parent.get(child);
  const std::string text = element.text();
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    element.fail(fmt::format("<{}> \"{}\" is not supported", child, excerpt(text)),
                 fmt::format("supported: {}", excerpt(words)));
  return static_cast<int>(found - words.begin());
}

void require_number(const XmlElement& parent, std::string_view child, double value,
                    const std::string& why) {
  if (!parent.has(child)) return;
  const XmlElement element = parent.get(child);
  if (element.number() != value) element.fail(why);
}

void require_absent(const XmlElement& parent, std::string_view child, const std::string& why) {
  if (parent.has(child)) parent.get(child).fail(why);
}

}  // namespace gsim::pricing
