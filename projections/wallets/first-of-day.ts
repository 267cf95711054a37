/** Notes the days on which something was traded. */

/** A state table whose rows tell the start of the UTC day of their newest swap, Unix seconds. */
interface Dated {
  readonly columns: { readonly last_day: Uint32Array }
  readonly touch: (slot: number) => void
}

/** Whether a swap is a row's first of the day that starts at `day`; then the row says so. */
export const isFirstOfDay = (table: Dated, slot: number, day: number): boolean => {
  const { last_day } = table.columns
  if ((last_day[slot] as number) >= day) return false
  last_day[slot] = day
  table.touch(slot)
  return true
}
