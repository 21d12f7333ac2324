#pragma once
// Lists of assets in a cell of a CSV file of trades.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gsim::pricing {

/// The names in `cell`, in their order. A cell that is the name of an asset, blanks and semicolons
/// included, is that one name. Else names are separated by semicolons, and where the cell has none
/// outside of quotes, by blanks. A name in single or double quotes is taken as it stands, with a
/// quote inside written twice. `is_asset` tells the names of assets from others. InputError where a
/// quote is not closed, or a name is empty.
std::vector<std::string> split_asset_names(std::string_view cell,
                                           const std::function<bool(std::string_view)>& is_asset);

}  // namespace gsim::pricing
