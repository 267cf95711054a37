import { expect, it } from "vitest"
import { movedVerdicts } from "../../../test/support/moved-amounts.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"

const files = ["evm/logs/receipts-multichain.jsonl.gz", "evm/logs/blocks.jsonl.gz"]
const EXCHANGE = "0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140"
const UNDERLYING = "0xd013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b"

/** What became of the swaps that are logged so, whose places of coins are in order. */
const verdictsOf = (topic: string, areUnderlying: boolean) =>
  movedVerdicts(files, new Set([topic]), swap => {
    const places = [swap.index0, swap.index1].map(place =>
      areUnderlying ? -1 - Number(place) : place
    )
    expect(places).toEqual([...places].sort())
    expect(places.every(place => Number(place) >= 0)).toBe(true)
  })

describeWithSharedData("Curve swaps in receipts", files, () => {
  it("moved what they say, in the direction they say", () => {
    expect(verdictsOf(EXCHANGE, false)).toEqual({ "came, went": 28 })
  })

  it("moved what they say of the coins of a metapool's base pool, too", () => {
    expect(verdictsOf(UNDERLYING, true)).toEqual({ "came, went": 3 })
  })
})
