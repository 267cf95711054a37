import { expect, it } from "vitest"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { random } from "../../test/support/seed.ts"
import { newBatch } from "./batch.ts"
import { BytesColumn, I32Column, NULL_I32, NumColumn, RefColumn, RefListColumn } from "./columns.ts"
import { ByteTable, IdTable, NONE, packRef, unpackRef } from "./id-table.ts"
import { IntColumn } from "./int-column.ts"

const word = (value: bigint): Uint8Array =>
  fromHex(`0x${BigInt.asUintN(256, value).toString(16).padStart(64, "0")}`)

it("keeps integers of every width and sign", () => {
  const { bits, integer, boolean, pick } = random("int column")
  const column = new IntColumn()
  const expected: Array<bigint | null> = []
  const keep = (value: bigint | null) => expected.push(value)
  for (let i = 0; i < 6000; i++) {
    const width = integer(0, 256)
    const value = pick([
      bits(width),
      1n << BigInt(Math.min(width, 255)),
      (1n << BigInt(width)) - 1n
    ])
    const signed = boolean() ? -(value >> 1n) : value >> 1n
    switch (i % 8) {
      case 0:
        column.pushUnsigned(word(value), 0)
        keep(value)
        break
      case 1:
        column.pushUnsigned(word(value), 12, 20)
        keep(BigInt.asUintN(160, value))
        break
      case 2:
        column.pushSigned(word(signed), 0)
        keep(signed)
        break
      case 3:
        column.pushPositivePart(word(signed), 0)
        keep(signed > 0n ? signed : 0n)
        break
      case 4:
        column.pushNegativePart(word(signed), 0)
        keep(signed < 0n ? -signed : 0n)
        break
      case 5:
        column.pushNegated(word(value), 0)
        keep(-value)
        break
      case 6:
        column.push(signed)
        keep(signed)
        break
      default:
        column.pushNull()
        keep(null)
    }
  }
  expect(expected.map((_, row) => column.get(row))).toEqual(expected)
  expected.forEach((value, row) => {
    expect(column.isNull(row)).toBe(value === null)
    expect(column.isZero(row)).toBe(value === 0n)
    const near = column.toNumber(row)
    if (value === null) expect(near).toBeNaN()
    else expect(Math.abs(near - Number(value)) <= Math.abs(Number(value)) * 1e-15).toBe(true)
  })
})

it("keeps the most negative integers", () => {
  const column = new IntColumn()
  const lowest = [-(2n ** 255n), -(2n ** 128n), -256n, -255n, -1n]
  for (const value of lowest) column.pushSigned(word(value), 0)
  expect(lowest.map((_, row) => column.get(row))).toEqual(lowest)
  for (const value of lowest) column.pushNegativePart(word(value), 0)
  expect(lowest.map((_, row) => column.get(lowest.length + row))).toEqual(lowest.map(v => -v))
})

it("keeps what is pushed while it grows, in columns that begin empty and apart", () => {
  const refs = new RefColumn()
  const ints = new I32Column()
  const numbers = new NumColumn()
  const bytes = new BytesColumn()
  const lists = new RefListColumn()
  for (let i = 0; i < 20_000; i++) {
    refs.push(i * 200_000)
    ints.push(i % 3 === 0 ? NULL_I32 : -i)
    numbers.push(2 ** 52 + i)
    if (i < 2000) bytes.push(new Uint8Array(i % 50).fill(i))
    if (i < 2000) lists.push(Array.from({ length: i % 4 }, () => i))
  }
  for (let i = 0; i < 20_000; i++) {
    if (refs.get(i) !== i * 200_000 || numbers.get(i) !== 2 ** 52 + i) throw new Error(`row ${i}`)
    if (ints.get(i) !== (i % 3 === 0 ? null : -i)) throw new Error(`row ${i}`)
    if (i >= 2000) continue
    expect(bytes.get(i)).toEqual(new Uint8Array(i % 50).fill(i))
    expect(lists.get(i)).toEqual(Array.from({ length: i % 4 }, () => i))
  }
  const untouched = newBatch()
  expect(untouched.columns.SwapExecuted.amount0In.start).toEqual(new Uint32Array(1))
  expect(untouched.columns.PoolCreated.tokens.start).toEqual(new Uint32Array(1))
  expect(untouched.columns.LogQuarantined.data.start).toEqual(new Uint32Array(1))
})

it("gives equal bytes one number, and others another", () => {
  const { bits, pick } = random("byte table")
  for (const width of [20, 32]) {
    const table = new ByteTable(width)
    const known = new Map<string, number>()
    for (let i = 0; i < 5000; i++) {
      // Addresses by chance, and neighbours of each other, as predeploys are.
      const value = pick([bits(width * 8), bits(10), bits(10) << BigInt(8 * (width - 2))])
      const hex = value.toString(16).padStart(width * 2, "0")
      const bytes = fromHex(`0x${"00".repeat(5)}${hex}`)
      const found = table.find(bytes, 5)
      const number = table.intern(bytes, 5)
      if (found !== (known.get(hex) ?? -1) || number !== (known.get(hex) ?? known.size))
        throw new Error(`${hex}: ${found}, ${number}`)
      known.set(hex, number)
    }
    expect(table.count).toBe(known.size)
    for (const [hex, number] of known) {
      const at = table.data.subarray(number * width, (number + 1) * width)
      if (toHex(at) !== `0x${hex}`) throw new Error(`entry ${number}`)
    }
    table.clear()
    expect(table.find(new Uint8Array(width), 0)).toBe(-1)
  }
})

it("tells addresses, hashes and null apart", () => {
  const ids = new IdTable()
  const bytes = new Uint8Array(32).fill(7)
  const address = ids.address(bytes)
  const hash = ids.hash(bytes)
  expect(ids.newHash(bytes)).toBe(hash + 1)
  expect([address, hash, NONE].map(ref => ids.text(ref))).toEqual([
    `0x${"07".repeat(20)}`,
    `0x${"07".repeat(32)}`,
    null
  ])
  for (const ref of [address, hash, NONE, hash + 1]) expect(unpackRef(packRef(ref))).toBe(ref)
})
