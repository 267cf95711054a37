import { describe, expect, it } from "vitest"
import { addOlder, addTrade, printsOf, reconcile, strike } from "./tape.js"
import type { Print, Trade } from "./types.d.ts"

/** A trade whose block and time are its number. */
const trade = (number: number): Trade => ({
  tx: `0x${number}`,
  logIndex: 0,
  block: number,
  pool: "0xpool",
  dex: "uniswap_v3",
  side: "buy",
  tokenAmt: 1,
  quoteAmount: 1,
  usd: 2,
  priceUsd: 2,
  ts: number,
  wallet: null
})
const trades = (...numbers: ReadonlyArray<number>) => numbers.map(trade)
/** Each print's block, in brackets where it is struck. */
const shown = (prints: ReadonlyArray<Print>) =>
  prints.map(each => (each.undone ? `(${each.trade.block})` : `${each.trade.block}`)).join(" ")

describe("the tape", () => {
  it("puts a new trade first, once", () => {
    const one = addTrade(printsOf(trades(2, 1)), trade(3), 13)
    expect(shown(one)).toBe("3 2 1")
    expect(addTrade(one, trade(3), 13)).toBe(one)
    expect(addTrade(one, trade(1), 14)).toBe(one)
  })

  it("tells logs of one transaction apart", () => {
    const prints = addTrade(printsOf(trades(1)), { ...trade(1), logIndex: 1 }, 2)
    expect(shown(prints)).toBe("1 1")
  })

  it("appends an older page without what is there", () => {
    expect(shown(addOlder(printsOf(trades(4, 3)), trades(3, 2, 1)))).toBe("4 3 2 1")
  })

  it("strikes between the position that stands and the undo, bounds excluded", () => {
    let prints: ReadonlyArray<Print> = printsOf(trades(1))
    for (const number of [2, 3, 4]) prints = addTrade(prints, trade(number), number * 10)
    expect(shown(strike(prints, 41, 20))).toBe("(4) (3) 2 1")
    expect(shown(strike(prints, 40, 20))).toBe("4 (3) 2 1")
  })

  it("takes a struck trade again", () => {
    const struck = strike(addTrade([], trade(1), 10), 11, 0)
    expect(shown(addTrade(struck, trade(1), 12))).toBe("1 (1)")
  })

  it("strikes what a page read anew lacks, and adds what it has, in the chain's order", () => {
    const prints = printsOf(trades(6, 5, 4, 3))
    expect(shown(reconcile(prints, trades(7, 4, 3, 2), false))).toBe("7 (6) (5) 4 3 2")
    expect(shown(reconcile(prints, trades(6, 5), false))).toBe("6 5 4 3")
    expect(shown(reconcile(prints, trades(6, 5), true))).toBe("6 5 (4) (3)")
    expect(shown(reconcile(prints, [], true))).toBe("(6) (5) (4) (3)")
  })
})
