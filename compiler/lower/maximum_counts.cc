// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/maximum_counts.h"

#include "compiler/lower/alu_cycles.h"

namespace vta::lower {

bool computes_rows_first(const WindowAxis& rows, const WindowAxis& columns, int64_t th) {
  const int64_t row_maxima = rows.reach(th) * (columns.kernel - 1);
  return row_maxima + th * rows.kernel < th * rows.kernel * columns.kernel;
}

int64_t max_maximum_uops(const WindowAxis& rows, const WindowAxis& columns) {
  return rows.kernel * columns.kernel + 1;  // the windows and the clearing of results
}

int64_t maximum_cycles(const WindowAxis& rows, const WindowAxis& columns, int64_t th, int64_t tw,
                       const CoreSizes& core) {
  const bool rows_first = computes_rows_first(rows, columns, th);
  const int64_t row_maxima = rows_first ? rows.reach(th) * tw * (columns.kernel - 1) : 0;
  const int64_t taps = rows.kernel * (rows_first ? 1 : columns.kernel);
  return alu_uop_cycles(core, true) * (row_maxima + th * tw * taps) +
         alu_uop_cycles(core, false) * th * tw;
}

}  // namespace vta::lower
