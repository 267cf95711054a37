/** Every projection, folded beside what it uses alone, gives the same tables however its log came. */
import { describe, it } from "vitest"
import { allProjections } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../support/chain-config.ts"
import { foldedEveryWay } from "../support/folded-every-way.ts"
import { marketBlock, newMarket } from "../support/market.ts"
import { seed } from "../support/seed.ts"

const isLong = process.env["SWAPTAPE_LONG"] === "1"
const BLOCKS = isLong ? 60 : 5
/** Swaps of the blocks, in turns: enough that a fold which keeps the hundred largest drops some. */
const SWAPS = [120, 6, 60, 6, 6]

const [usd, native] = testChain.anchors.map(({ address }) => address)

/** The blocks of a market, each with what its block tells first. */
const blocks = (): ReadonlyArray<ReadonlyArray<Event>> => {
  const name = `${seed}/projections`
  const market = newMarket(name, usd ?? "", native ?? "")
  const known = new Set<string>()
  let parent: string | null = null
  return Array.from({ length: BLOCKS }, (_, i) => {
    const events: ReadonlyArray<Event> = marketBlock(
      name,
      market,
      "main",
      i + 1,
      parent,
      SWAPS[i % SWAPS.length] as number,
      known
    )
    parent = events[0]?.block.hash ?? null
    return events
  })
}

describe("a projection's tables do not depend on how its log came", () => {
  // what the log says of itself counts rollbacks: it is another log
  const others = allProjections.filter(
    ({ name, tables }) => name !== "coverage" && tables.length > 0
  )
  it.each(others.map(projection => ({ name: projection.name, projection })))(
    "$name",
    async ({ projection }) => {
      await foldedEveryWay(projection, blocks(), [])
    }
  )
})
