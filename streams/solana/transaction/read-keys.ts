/** The accounts of a transaction, in the order that its indices mean. */
import { type Fields, fieldsOf, listOf, textsOf, wholeNumber } from "./fields.ts"

export class Keys {
  readonly all: ReadonlyArray<string>
  readonly signers: ReadonlySet<string>

  constructor(all: ReadonlyArray<string>, signers: ReadonlySet<string>) {
    this.all = all
    this.signers = signers
  }
}

/** Returns the keys of the encoding `jsonParsed`, which says of each whether it signed. */
const keysByName = (listed: ReadonlyArray<unknown>): Keys | null => {
  const all: Array<string> = []
  const signers = new Set<string>()
  for (const one of listed) {
    const told = fieldsOf(one)
    const key = told?.["pubkey"]
    if (typeof key !== "string") return null
    all.push(key)
    if (told?.["signer"] === true) signers.add(key)
  }
  return new Keys(all, signers)
}

/**
 * Returns the keys of a message, and behind them those that look-up tables gave; null where they
 * are no keys. In the encoding `json` the first ones signed, as many as the header says.
 */
export const keysOf = (message: Fields, meta: Fields): Keys | null => {
  const listed = listOf(message["accountKeys"])
  if (listed === null || listed.length === 0) return null
  if (typeof listed[0] !== "string") return keysByName(listed)
  const own = textsOf(listed)
  const loaded = fieldsOf(meta["loadedAddresses"])
  const writable = textsOf(loaded?.["writable"])
  const readonly = textsOf(loaded?.["readonly"])
  const signed = wholeNumber(fieldsOf(message["header"])?.["numRequiredSignatures"])
  if (own === null || writable === null || readonly === null || signed === null) return null
  return new Keys(own.concat(writable, readonly), new Set(own.slice(0, signed)))
}
