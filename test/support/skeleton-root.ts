/** Folders in which `npm run new` finds what it looks at and writes to, and nothing else. */
import { cpSync } from "node:fs"
import { join } from "node:path"

export const repository = join(import.meta.dirname, "../..")

/** The files that list projections and routes. */
export const LISTS = [
  "projections/all.ts",
  "api/api.ts",
  "api/handlers.ts",
  "api/groups/chains/capabilities.ts",
  "api/groups/changelog/contract-changes.ts"
]

/** The files that list skeletons of any kind. */
export const EVERY_LIST = [
  ...LISTS,
  "streams/evm/venue-kinds.ts",
  "streams/solana/venues.ts",
  "src/domain/chains/solana.ts"
]

/** The longest name that is taken, of one word: such a one is the longest in code, too. */
export const LONGEST = `x${"q".repeat(27)}`

/** Lays the lists and the contract's paths into a folder, which it returns. */
export const layListed = (at: string): string => {
  for (const path of [...EVERY_LIST, "client/generated/routes.js"]) {
    cpSync(join(repository, path), join(at, path))
  }
  return at
}
