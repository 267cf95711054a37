/** Search on Solana, where no token is flagged: an anchor is told by its mint, in its own case. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { foldLog } from "../../../test/support/folded-lane.ts"
import { forkedMarket, routeChains } from "../../../test/support/route-world.ts"
import { random } from "../../../test/support/seed.ts"

const world = forkedMarket("search", random("search"), 60)

interface Found {
  readonly address: string
  readonly symbol: string
  readonly verified: boolean
  readonly impostor?: true
}

/** What a search for USDC finds on a chain: the anchor, and one that only reads like it. */
const search = async (key: string) => {
  const chain = routeChains(world.market).find(one => one.key === key) as ChainConfig
  const asked = Effect.flatMap(foldLog(chain, world.final), ({ ask }) =>
    ask("tokenSearch", { q: "usdc", limit: 50 })
  )
  const { tokens } = (await asked.pipe(Effect.scoped, Effect.runPromise)) as {
    readonly tokens: ReadonlyArray<Found>
  }
  const usd = chain.anchors[0]?.address
  return tokens.map(({ address, symbol, verified, impostor }) => ({
    ...{ isAnchor: address === usd, symbol, verified, impostor }
  }))
}

it("verifies the anchor and flags nothing", async () => {
  const anchor = { isAnchor: true, symbol: "USDC", verified: true, impostor: undefined }
  const other = { isAnchor: false, symbol: "UЅDС", verified: false }
  expect(await search("solana")).toEqual([anchor, { ...other, impostor: undefined }])
  expect(await search("base")).toEqual([anchor, { ...other, impostor: true }])
})
