/** Who launched, read from the tables of launches. */
import { toHex } from "../../src/domain/address.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Launches } from "./tables.ts"

/** Returns the address in a column at a slot; null where there is none. */
export const addressIn = (column: Uint8Array, slot: number): string | null => {
  const bytes = column.subarray(slot * 20, slot * 20 + 20)
  return bytes.every(byte => byte === 0) ? null : toHex(bytes)
}

/** Returns a launcher as answers show it; null where the log does not name one. */
export const launcherIn = (
  { launchers }: Launches,
  names: ReadonlyMap<string, string>,
  launcher: number
) => {
  const { address, is_contract } = launchers.columns
  const launcherAddress = launcher === NONE ? null : addressIn(address, launcher)
  if (launcherAddress === null) return null
  const kind = is_contract[launcher] === 1 ? ("contract" as const) : ("wallet" as const)
  return { address: launcherAddress, kind, name: names.get(launcherAddress) ?? launcherAddress }
}
