/** What of a block is compared where it is read again. */
import { expect, it } from "vitest"
import { eventOf } from "../../streams/venue-laws.ts"
import { linesOf } from "./block-lines.ts"

const tx = { hash: "0x1", index: 1, from: "0x2", to: null }

const set = (name: string, value: bigint) => ({
  ...eventOf({ kind: "PoolParameterSet", pool: "0x3", name, index: 0, value }),
  tx
})

it("leaves out what a reader tells by what it knew before", () => {
  const none = () => false
  const [virtual, fee] = [set("virtualReserve", 5n), set("fee", 6n)]
  expect(linesOf([virtual, fee, { ...fee, tx: null }], none)).toEqual(linesOf([fee], none))
  expect(linesOf([fee], none)).toHaveLength(1)
  expect(linesOf([set("fee", 7n)], none)).not.toEqual(linesOf([fee], none))
})
