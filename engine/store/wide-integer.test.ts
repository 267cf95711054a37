import { expect, it } from "vitest"
import { random, seed } from "../../test/support/seed.ts"
import { addWide, wideAt } from "./wide-integer.ts"

it("adds and subtracts as bigints do, beyond 256 bits and below zero", () => {
  console.log(`wide integers: SEED=${seed}`)
  const r = random("wide integers")
  const rows = 8
  const [over, low] = [new Int32Array(rows), new Uint8Array(rows * 32)]
  const truth = Array<bigint>(rows).fill(0n)
  for (let step = 0; step < 4_000; step++) {
    const row = r.integer(0, rows - 1)
    // near powers carries go far
    const amount = r.boolean(0.2) ? 2n ** BigInt(r.integer(0, 256)) - 1n : r.bits(r.integer(0, 256))
    const isGain = r.boolean()
    truth[row] = (truth[row] as bigint) + (isGain ? amount : -amount)
    expect(addWide(over, low, row, isGain ? amount : -amount)).toBe(truth[row])
    for (let other = 0; other < rows; other++) expect(wideAt(over, low, other)).toBe(truth[other])
  }
})
