#include "kernels/domain/atomics.hpp"
#include "kernels/domain/id_rows.hpp"

GSIM_TARGET_BEGIN
namespace domain_kernels {

struct ClearIdTable {
  domain::IdTable table;
  GSIM_HD void operator()(Index k) const {
    if (table.rows.size > 0)
      table.rows[k] = -1;
    else
      table.slots[k] = {0, -1};
  }
};

/// Which slot of a hash table a row gets depends on the order of threads; what find() returns does
/// not.
struct EnterIds {
  domain::FillIdTableArgs args;
  GSIM_HD void operator()(Index i) const {
    const domain::IdTable& table = args.table;
    const std::int64_t id = args.ids[i];
    const auto row = static_cast<std::int32_t>(i);
    if (table.rows.size > 0) {
      table.rows[id - table.lowest] = row;
      return;
    }
    Index slot = table.hash_slot(id);
    while (!atomic_replace(&table.slots[slot].row, -1, row))
      slot = (slot + 1) & (table.slots.size - 1);
    table.slots[slot].id = id;
  }
};

}  // namespace domain_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(domain_fill_id_table, domain::FillIdTableArgs) {
  using namespace domain_kernels;
  const Index size = args.table.rows.size > 0 ? args.table.rows.size : args.table.slots.size;
  launch(executor, "clear id table", size, ClearIdTable{args.table});
  launch(executor, "enter ids", args.ids.size, EnterIds{args});
}
