/** Who launched, read from the tables of launches. */
import { ID_BYTES, type IdForm } from "../../src/domain/ids.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Launches } from "./tables.ts"

/** Returns the account in a column at a slot; null where there is none. */
export const accountIn = (form: IdForm, column: Uint8Array, slot: number): string | null => {
  const bytes = column.subarray(slot * ID_BYTES, (slot + 1) * ID_BYTES)
  return bytes.every(byte => byte === 0) ? null : form.account(bytes)
}

/** Returns a launcher as answers show it; null where the log does not name one. */
export const launcherIn = (
  form: IdForm,
  { launchers }: Launches,
  names: ReadonlyMap<string, string>,
  launcher: number
) => {
  const { address, is_contract } = launchers.columns
  const launcherAddress = launcher === NONE ? null : accountIn(form, address, launcher)
  if (launcherAddress === null) return null
  const kind = is_contract[launcher] === 1 ? ("contract" as const) : ("wallet" as const)
  return { address: launcherAddress, kind, name: names.get(launcherAddress) ?? launcherAddress }
}
