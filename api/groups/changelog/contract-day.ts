/** How a day of changes of the contract is written down. */

/** What a change asks of clients: `added` and `fixed` nothing, the others that they look. */
export const CHANGE_KINDS = ["added", "changed", "fixed", "removed"] as const

export interface ContractChange {
  readonly kind: (typeof CHANGE_KINDS)[number]
  /** paths as the contract has them; the live socket's among them; none where all are meant */
  readonly routes: ReadonlyArray<string>
  /** for people */
  readonly text: string
}

export interface ContractDay {
  /** as 2026-01-31, UTC */
  readonly date: string
  readonly changes: ReadonlyArray<ContractChange>
}

/** The paths of a family of chains. */
export const family = (...below: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["arc", "rh", "chains/{chain}"].flatMap(place => below.map(path => `/v1/${place}/${path}`))

/** The paths of the two chains that have families of their own. */
export const ownFamilies = (...below: ReadonlyArray<string>): ReadonlyArray<string> =>
  ["arc", "rh"].flatMap(place => below.map(path => `/v1/${place}/${path}`))
