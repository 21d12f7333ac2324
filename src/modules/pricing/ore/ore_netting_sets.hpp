#pragma once
// Open Source Risk Engine's netting.xml as tables [[exposure.netting_sets]].

#include <map>
#include <set>
#include <string>
#include <vector>

#include "src/modules/pricing/ore/xml_document.hpp"

namespace gsim::pricing {

/// The netting sets of the file that are in `used`, as a list `netting_sets` of tables, in the
/// order of the file. The key `credit` is the counterparty of the set, where `counterparties` has
/// it and `credits` names its curve, as ORE assumes. ConfigError for what is not understood or
/// supported in them, such as agreements in other currencies than `currency`, unless that is empty
/// (the market has no name for its currency). `document` must outlive the tables.
CellTable ore_netting_sets(const XmlDocument& document, const std::string& currency,
                           const std::set<std::string>& used,
                           const std::map<std::string, std::string>& counterparties,
                           const std::set<std::string>& credits);

}  // namespace gsim::pricing
