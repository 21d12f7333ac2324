#pragma once
// Lists of assets in a cell of a CSV file of trades.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gsim::pricing {

/// The asset names in `cell`, in order. A cell that equals the name of an asset, including blanks
/// and semicolons, is that single name. Otherwise names are separated by semicolons or, if there
/// are none outside quotes, by blanks. A name in single or double quotes is taken literally; a
/// quote inside it is doubled. `is_asset` returns whether a name is that of an asset. Throws
/// InputError if a quote is not closed or a name is empty.
std::vector<std::string> split_asset_names(std::string_view cell,
                                           const std::function<bool(std::string_view)>& is_asset);

}  // namespace gsim::pricing
