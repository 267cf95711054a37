/** Vaults name the token that comes in first: swaps of both ways are of one market. */
import { expect, it } from "vitest"
import {
  MEME,
  pool,
  reserves,
  swap,
  UNIT,
  USDC,
  withPrices
} from "../../test/support/price-events.ts"

const START = 1_700_000_000
const WALLET = `0x${"ab".repeat(20)}`

/** A swap of the wallet that names both tokens, the one that comes in first. */
const named = (time: number, tokenIn: string, tokenOut: string) => ({
  ...swap(time, "a1", UNIT, -UNIT),
  ...{ token0: tokenIn, token1: tokenOut, recipient: WALLET, by: WALLET }
})

it("is a pair of tokens in a pool, whichever of them a swap names first", async () => {
  const list = [
    pool(0, "a1", [MEME, USDC]),
    reserves(0, "a1", 1000n * UNIT, 1000n * UNIT),
    named(10, USDC, MEME),
    named(20, MEME, USDC),
    named(30, USDC, MEME)
  ]
  await withPrices(list, async ({ rows, ask }) => {
    const counted = "(SELECT * FROM markets UNION ALL SELECT * FROM markets_tail)"
    expect(await rows(`SELECT count(DISTINCT market)::INT AS n FROM ${counted}`)).toEqual([
      { n: 1 }
    ])
    const [makers] = await rows(`SELECT bought0_ts, bought1_ts FROM
      (SELECT * FROM market_makers UNION ALL SELECT * FROM market_makers_tail)
      ORDER BY bought1_ts DESC LIMIT 1`)
    // token 0 is the dollar, which the first swap names first: it was bought by the second alone
    expect(makers).toEqual({ bought0_ts: START + 20, bought1_ts: START + 30 })
    const { markets } = await ask("tokenStats", { token: MEME })
    expect(markets).toMatchObject([{ txns24h: 3, vol24h: 3, makers24h: 1 }])
    const candles = await ask("candles", {
      ...{ token: null, pool: `0x${"a1".repeat(20)}`, quote: "usd", tf: "1m", limit: 1 },
      ...{ from: null, to: null, fill: false, closed: false, raw: false, fields: "buys,sells" }
    })
    expect(candles["candles"]).toMatchObject([{ v: 3, n: 3, buys: 2, sells: 1 }])
  })
})
