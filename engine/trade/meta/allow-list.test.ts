/** Holds the allow-list to where its addresses were collected, wherever that is. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { allowedRouter } from "./allow-list.ts"
import { PROVIDER_IDS, PROVIDERS } from "./providers/all.ts"

const file = join(import.meta.dirname, "../../../../shared/reference/aggregators.json")
const isThere = existsSync(file)
if (!isThere) console.log("skipped: allow-list: ../shared/reference/aggregators.json is missing")

interface Row {
  readonly chainId: number
  readonly provider: string
  readonly to: string
  readonly spender: string
  readonly confirmed: boolean
}

it.skipIf(!isThere)("has each confirmed router, and none besides", () => {
  const { allowlist, asOf } = JSON.parse(readFileSync(file, "utf8")) as {
    readonly allowlist: ReadonlyArray<Row>
    readonly asOf: string
  }
  expect(asOf).toBe("2026-11-22")
  const chains = [1, 56, 143, 4663, 5042, 8453, 42161, 43114]
  for (const id of PROVIDER_IDS) {
    for (const chainId of chains) {
      const row = allowlist.find(one => one.provider === id && one.chainId === chainId)
      const wanted =
        row?.confirmed === true
          ? { router: row.to.toLowerCase(), spender: row.spender.toLowerCase() }
          : null
      expect([id, chainId, allowedRouter(PROVIDERS[id], chainId)]).toEqual([id, chainId, wanted])
    }
  }
  expect(allowedRouter(PROVIDERS.kyberswap, 10)).toBe(null)
})

it("leaves out what one source alone tells of", () => {
  const { openocean, zeroex } = PROVIDERS
  expect([openocean, zeroex].map(one => allowedRouter(one, 5042))).toEqual([null, null])
})
