#pragma once
// Words of Open Source Risk Engine's files: dates, tenors, day counts, calendars and conventions. A
// word that gsim has no equal for is a ConfigError at the element that holds it.

#include <string>
#include <vector>

#include "src/modules/pricing/dates/dates.hpp"
#include "src/modules/pricing/ore/xml_document.hpp"

namespace gsim::pricing {

/// The parts of a text between separators, without blanks around them.
std::vector<std::string> ore_parts(const std::string& text, char separator);

/// "2026-11-28" or "20261128".
Date ore_date(const XmlElement& element);
/// The same for a text; an InputError for any other text.
Date ore_date(const std::string& text);
/// "3M", or "1Y3M", which is 15M.
Tenor ore_tenor(const XmlElement& element);
/// The same; an InputError for any other text.
Tenor ore_tenor(const std::string& text);
/// A tenor as gsim writes it: "15M".
std::string tenor_text(Tenor tenor);

DayCount ore_day_count(const XmlElement& element);
/// The same for a part of the text of the element.
DayCount ore_day_count(const XmlElement& element, const std::string& text);
/// The years from one day to a later one. ORE's 30/360 is that of the USA, gsim's the bond basis:
/// they differ where a period begins on the last day of February, which is refused.
double ore_year_fraction(const XmlElement& element, DayCount day_count, Date from, Date to);

/// The name of gsim's calendar; several joined by commas are joined by "+".
std::string ore_calendar_name(const XmlElement& element);
Calendar ore_calendar(const XmlElement& element);
BusinessDayConvention ore_convention(const XmlElement& element);
/// A whole number from 0 to 1000.
int ore_count(const XmlElement& element);
bool ore_bool(const XmlElement& element);
/// Whether the child says yes; `or_default` where it is absent.
bool ore_bool(const XmlElement& parent, std::string_view child, bool or_default);

/// ConfigError unless the text of the child is one of `words`, or the child is absent and
/// `is_optional`. The position in `words`, or -1.
int ore_word(const XmlElement& parent, std::string_view child,
             const std::vector<std::string>& words, bool is_optional = false);
/// ConfigError where the child exists and is not the number `value`, which is ORE's default.
void require_number(const XmlElement& parent, std::string_view child, double value,
                    const std::string& why);
/// ConfigError where the child has content.
void require_absent(const XmlElement& parent, std::string_view child, const std::string& why);

}  // namespace gsim::pricing
