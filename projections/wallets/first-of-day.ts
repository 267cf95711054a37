/** Notes the newest day on which a wallet, token, venue or listing was traded. */

/** A state table with the start of the UTC day of a row's newest swap, in Unix seconds. */
interface Dated {
  readonly columns: { readonly last_day: Uint32Array }
  readonly touch: (slot: number) => void
}

/** Whether a swap is the row's first of the day that starts at `day`. If so, sets the row's day. */
export const isFirstOfDay = (table: Dated, slot: number, day: number): boolean => {
  const { last_day } = table.columns
  if ((last_day[slot] as number) >= day) return false
  last_day[slot] = day
  table.touch(slot)
  return true
}
