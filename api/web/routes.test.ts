import { describe, expect, it } from "vitest"
import { readRoute, routeOfQuery, tokenLink, writeRoute } from "./routes.js"
import type { PageRoute, TokenRoute } from "./types.d.ts"

const usual: Omit<TokenRoute, "view" | "chain" | "token"> = {
  ...{ tf: "1m", tab: "trades", at: null, swap: null, quote: "usd", pool: null },
  ...{ side: null, wallet: null, minUsd: null }
}
const POOL = `0x${"aa".repeat(32)}`
const [MINT, OWNER] = ["FptMeTjFnknkDF6X6BivB3h82gfVNB6QrCvYAtazyLpb", "1".repeat(32)]
const [TOKEN, USDC] = ["cc", "bb"].map(byte => `0x${byte.repeat(20)}`) as [string, string]

describe("the address behind its #", () => {
  const written: ReadonlyArray<readonly [PageRoute, string]> = [
    [{ view: "home" }, "#/"],
    [{ view: "status" }, "#/status"],
    [{ view: "totals", chain: "base" }, "#/base/totals"],
    [{ view: "wallet", chain: "rh", wallet: TOKEN, days: 7 }, `#/rh/wallet/${TOKEN}`],
    [{ view: "wallet", chain: "rh", wallet: TOKEN, days: 30 }, `#/rh/wallet/${TOKEN}?days=30`],
    [{ view: "boards", chain: "arc", board: "new", sort: null }, "#/arc/boards/new"],
    [{ view: "wallet", chain: "solana", wallet: MINT, days: 7 }, `#/solana/wallet/${MINT}`],
    [
      {
        ...{ view: "token", chain: "solana", token: MINT, ...usual, quote: "token", pool: OWNER },
        ...{ tab: "pools", wallet: MINT }
      },
      `#/solana/token/${MINT}?tf=1m&unit=token&pool=${OWNER}&tab=pools&wallet=${MINT}`
    ],
    [
      { view: "boards", chain: "base", board: "volume", sort: "mcap" },
      "#/base/boards/volume?sort=mcap"
    ],
    [
      { view: "token", chain: "base", token: TOKEN, ...usual, tf: "5m" },
      `#/base/token/${TOKEN}?tf=5m`
    ],
    [
      {
        ...{ view: "token", chain: "base", token: TOKEN, ...usual, quote: "token", pool: POOL },
        ...{ tab: "why", at: 1_700_000_000, side: "buy", wallet: USDC, minUsd: 99.5 }
      },
      `#/base/token/${TOKEN}?tf=1m&unit=token&pool=${POOL}&tab=why&at=1700000000&side=buy` +
        `&wallet=${USDC}&minUsd=99.5`
    ],
    [
      {
        ...{ view: "token", chain: "8453", token: TOKEN, ...usual },
        swap: { pay: USDC, receive: TOKEN, amount: "12.5", slippageBps: 100 }
      },
      `#/8453/token/${TOKEN}?tf=1m&pay=${USDC}&receive=${TOKEN}&amount=12.5&slippage=100`
    ]
  ]
  it.each(written)("reads back as what was written: %j", (route, hash) => {
    expect(writeRoute(route)).toBe(hash)
    expect(readRoute(hash)).toEqual(route)
  })

  it("is home where nothing stands in it", () => {
    for (const hash of ["", "#", "#/"]) expect(readRoute(hash)).toEqual({ view: "home" })
  })

  it("is the boards of a chain where that stands alone in it", () => {
    const route = { view: "boards", chain: "solana", board: "volume", sort: null } as const
    for (const hash of ["#/solana", "#/Solana/", "#/solana/boards", "#/1399811149"])
      expect(readRoute(hash)).toEqual(route)
    expect(readRoute("#/solana?sort=mcap")).toEqual({ ...route, sort: "mcap" })
  })

  it.each([
    "#/base//x",
    "#/base/boards/loudest",
    "#/base/token/0x12",
    "#/base/constructor/x",
    `#/base/token/${TOKEN}/more`,
    `#/base/token/${MINT}`,
    `#/solana/token/${TOKEN}`,
    `#/solana/wallet/${MINT}0`,
    // of the letters and length of a mint: 33 bytes, and 31
    `#/solana/token/${"z".repeat(44)}`,
    `#/solana/token/${MINT.slice(0, 42)}`,
    `#/solana/token/${"1".repeat(33)}`,
    "#/status/now"
  ])("is of no page: %s", hash => {
    expect(readRoute(hash)).toEqual({ view: "unknown", hash })
    expect(writeRoute(readRoute(hash))).toBe(hash)
  })

  it("counts what is malformed as not there", () => {
    const path = `#/base/token/${TOKEN}`
    const plain = { view: "token", chain: "base", token: TOKEN, ...usual }
    expect(readRoute(`${path.replace("base", "BASE")}?tf=9m`)).toEqual(plain)
    expect(readRoute(`${path}?pay=${USDC}&receive=x`)).toEqual(plain)
    // quote tokens are those of one pool
    expect(readRoute(`${path}?unit=token&pool=x&side=both&minUsd=-1&tab=no&at=x`)).toEqual(plain)
    const odd = `${path}?pay=${USDC}&receive=${TOKEN}&amount=<b>&slippage=9999`
    const swap = { pay: USDC, receive: TOKEN, amount: "", slippageBps: 50 }
    expect(readRoute(odd)).toEqual({ ...plain, swap })
  })

  it("reads hex in letters of any case, base58 as it is, and what Solana lacks as not there", () => {
    const hex = `#/base/token/${TOKEN.replaceAll("c", "C")}?wallet=${USDC.replaceAll("b", "B")}`
    const plain = { view: "token", chain: "base", token: TOKEN, ...usual }
    expect(readRoute(hex)).toEqual({ ...plain, wallet: USDC })
    const path = `#/Solana/token/${MINT}?tab=holders&pool=${POOL}&pay=${OWNER}&receive=${MINT}`
    expect(readRoute(path)).toEqual({ ...plain, chain: "solana", token: MINT })
    expect(readRoute(path.replace("Solana", "1399811149"))).toEqual(readRoute(path))
  })

  it("takes over what links named in their query", () => {
    expect(tokenLink("base", TOKEN)).toBe(`#/base/token/${TOKEN}?tf=1m`)
    expect(routeOfQuery(`?chain=8453&token=${TOKEN}&tf=5m`)).toBe(`#/8453/token/${TOKEN}?tf=5m`)
    expect(routeOfQuery("?chain=8453")).toBeNull()
    expect(routeOfQuery("")).toBeNull()
  })
})
