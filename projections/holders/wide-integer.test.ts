import { expect, it } from "vitest"
import { random, seed } from "../../test/support/seed.ts"
import { addUnsigned, compareBytes, subtractUnsigned, wideRank, wideValue } from "./wide-integer.ts"

const bytesOf = (value: bigint): Uint8Array => {
  const hex = value.toString(16)
  return value === 0n
    ? new Uint8Array(0)
    : Uint8Array.from(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex"))
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)

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
    const bytes = bytesOf(amount)
    const data = new Uint8Array(bytes.length + 5)
    data.set(bytes, 3)
    const move = isGain ? addUnsigned : subtractUnsigned
    move(over, low, row, data, 3, bytes.length)
    truth[row] = (truth[row] as bigint) + (isGain ? amount : -amount)
    expect(wideValue(over, low, row)).toBe(truth[row])
    const other = r.integer(0, rows - 1)
    const sign = compare(truth[row] as bigint, truth[other] as bigint)
    const by = Math.sign((over[row] as number) - (over[other] as number))
    expect(by === 0 ? Math.sign(compareBytes(low, 32, row, other)) : by).toBe(sign)
    const difference = wideRank(over, low, row) - wideRank(over, low, other)
    if (difference !== 0) expect(Math.sign(difference)).toBe(sign)
  }
})

it("ranks never fall where values rise", () => {
  const r = random("wide ranks")
  const [over, low] = [new Int32Array(2), new Uint8Array(64)]
  for (let step = 0; step < 4_000; step++) {
    const value = r.bits(r.integer(1, 256))
    const near = value + r.bits(r.integer(1, 210)) + 1n
    over[1] = Number(near >> 256n)
    for (const [row, one] of [value, near % 2n ** 256n].entries()) {
      low.set(Buffer.from(one.toString(16).padStart(64, "0"), "hex"), row * 32)
    }
    expect(wideRank(over, low, 0)).toBeLessThanOrEqual(wideRank(over, low, 1))
  }
})
