/** The answer of the explain query agrees with what the recipe did. */
import { Schema } from "effect"
import { expect, it } from "vitest"
import { Explained } from "../../api/groups/prices/prices.api.ts"
import { recipe } from "../../src/rules/price-recipe.ts"
import {
  address,
  ETHER,
  initialized,
  liquidity,
  MEME,
  OTHER,
  pool,
  reserves,
  rootOf,
  swap,
  USDC,
  WETH,
  withPrices
} from "../../test/support/price-events.ts"

const dollars = (whole: number) => BigInt(whole) * 10n ** 6n
const V3 = { venue: "v3", source: "log" } as const

const list = [
  pool(0, "d1", [WETH, USDC]),
  reserves(0, "d1", 1000n * ETHER, dollars(2_000_000)),
  pool(0, "d2", [WETH, USDC]),
  reserves(0, "d2", 500n * ETHER, dollars(1_000_000)),
  // far from the others
  pool(0, "d3", [WETH, USDC]),
  reserves(0, "d3", 100n * ETHER, dollars(500_000)),
  pool(0, "a1", [MEME, WETH]),
  reserves(0, "a1", dollars(4_000), 2n * ETHER),
  pool(0, "a2", [MEME, USDC]),
  reserves(0, "a2", dollars(3_000), dollars(3_000)),
  pool(0, "a3", [MEME, USDC]),
  reserves(0, "a3", dollars(30), dollars(30)),
  pool(0, "f1", [MEME, USDC], { listed: false }),
  reserves(0, "f1", dollars(9_000), dollars(90_000)),
  pool(0, "e1", [MEME, USDC], V3),
  initialized(0, "e1", rootOf(1)),
  liquidity(0, "e1", [0, 60], 10n ** 13n, [dollars(30_000), 0n]),
  pool(0, "d4", [MEME, USDC]),
  pool(900, "e2", [MEME, USDC], V3),
  initialized(900, "e2", rootOf(4)),
  liquidity(900, "e2", [-887_220, 887_220], dollars(7_000), [dollars(3_500), dollars(14_000)]),
  swap(1000, "a2", dollars(1), -dollars(1))
]

const rowsOf = (answer: { readonly [field: string]: unknown }) =>
  (answer["pools"] as ReadonlyArray<{ readonly [field: string]: unknown }>).map(one => [
    one["pool"],
    one["reason"],
    one["weight"]
  ])

it("tells of a token which pool says it, and why no other", async () => {
  await withPrices(list, async ({ ask }) => {
    const answer = await ask("explainPrice", { token: MEME })
    expect(Schema.decodeUnknownSync(Explained)(answer)).toEqual(answer)
    expect(answer).toMatchObject({
      ...{ chain: 8453, token: MEME, priceUsd: 1, depthUsd: 4_000, pendingUsd: null },
      ...{ ts: 1_700_000_000, anchor: false, poolsTotal: 7 },
      path: [
        { token: MEME, priceUsd: 1, pool: address("a1") },
        { token: WETH, priceUsd: 2000, pool: address("d1") },
        { token: USDC, priceUsd: 1, pool: null }
      ],
      ...{ prints: { acceptedUsd: null, otherUsd: null, votes: 0 }, recipe },
      ...{ block: 1001, updatedAt: 1_700_001_000_000 }
    })
    expect(rowsOf(answer)).toEqual([
      [address("f1"), "unlisted", 0],
      [address("e2"), "new", 0],
      [address("a1"), null, 1],
      [address("a2"), null, 0],
      [address("a3"), "thin", 0],
      [address("e1"), "one-sided", 0],
      [address("d4"), "no-price", 0]
    ])
    expect((answer["pools"] as ReadonlyArray<object>)[1]).toEqual({
      ...{ pool: address("e2"), dex: "uniswap_v3", listed: true, quote: USDC, priceUsd: 4 },
      quotePriceUsd: 1,
      ...{ depthUsd: 14_000, quoteUsd: 14_000, backedUsd: 14_000, ageSeconds: 0 },
      ...{ ts: 1_700_000_900, eligible: false, reason: "new", weight: 0 }
    })
  })
})

it("tells of an anchor what each pool weighs, and that a dollar is one", async () => {
  await withPrices(list, async ({ ask }) => {
    const weth = await ask("explainPrice", { token: WETH })
    expect(Schema.decodeUnknownSync(Explained)(weth)).toEqual(weth)
    expect(weth).toMatchObject({ priceUsd: 2000, depthUsd: 3_000_000, anchor: true })
    expect(rowsOf(weth)).toEqual([
      [address("d1"), null, 2 / 3],
      [address("d2"), null, 1 / 3],
      [address("d3"), "far", 0]
    ])
    const usdc = await ask("explainPrice", { token: USDC })
    expect(usdc).toMatchObject({
      ...{ priceUsd: 1, pools: [], poolsTotal: 0, anchor: true },
      path: [{ token: USDC, priceUsd: 1, pool: null }]
    })
    const other = await ask("explainPrice", { token: OTHER })
    expect(Schema.decodeUnknownSync(Explained)(other)).toEqual(other)
    expect(other).toMatchObject({ priceUsd: null, ts: null, pools: [], anchor: false })
  })
})

it("tells what the prints say where no pool does, and knows no strangers", async () => {
  const thin = [
    pool(0, "d1", [MEME, USDC]),
    ...[1, 1, 90, 80].map((usd, time) => swap(time, "d1", dollars(1), -dollars(usd)))
  ]
  await withPrices(thin, async ({ ask }) => {
    const answer = await ask("explainPrice", { token: MEME })
    expect(answer["prints"]).toEqual({ acceptedUsd: 1, otherUsd: 80, votes: 2 })
    expect(await ask("explainPrice", { token: address("99") })).toEqual({
      ...{ status: 404, code: "UNKNOWN_TOKEN" },
      message: `token ${address("99")} has no indexed trades on chain 8453`
    })
  })
})

it("tells the deepest fifty of many", async () => {
  const many = Array.from({ length: 60 }, (_, i) => {
    const byte = (0x40 + i).toString(16)
    return [pool(0, byte, [MEME, USDC]), reserves(0, byte, dollars(2_000 + i), dollars(2_000 + i))]
  }).flat()
  await withPrices(many, async ({ ask }) => {
    const answer = await ask("explainPrice", { token: MEME })
    expect(answer["poolsTotal"]).toBe(60)
    const depths = (answer["pools"] as ReadonlyArray<{ depthUsd: number }>).map(one => one.depthUsd)
    expect(depths).toEqual(Array.from({ length: 50 }, (_, i) => 2_059 - i))
  })
})
