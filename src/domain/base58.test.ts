import { base58 } from "@scure/base"
import { expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { fromBase58, toBase58, writeFromBase58 } from "./base58.ts"

/** Bitcoin's alphabet, in an order of its own: each is the digit of its place. */
const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

it.each([
  ["", []],
  ["1", [0]],
  ["111", [0, 0, 0]],
  ["2", [1]],
  ["z", [57]],
  ["21", [58]],
  ["5Q", [255]],
  ["5R", [1, 0]],
  ["15R", [0, 1, 0]],
  ["LUv", [255, 255]],
  ["LUw", [1, 0, 0]]
] as const)("%j is %j", (text, bytes) => {
  expect([...(fromBase58(text) ?? [])]).toEqual(bytes)
  expect(toBase58(Uint8Array.from(bytes))).toBe(text)
})

it("writes the system program's address as 32 ones", () => {
  expect(toBase58(new Uint8Array(32))).toBe("1".repeat(32))
  expect(fromBase58("1".repeat(32))).toEqual(new Uint8Array(32))
})

it.each(["0", "O", "I", "l", "2O", "222222I", " 2", "2\n", "é", "2é", "😀"])("refuses %j", text => {
  expect(fromBase58(text)).toBe(null)
})

it("agrees with another implementation both ways, also with leading zeros", () => {
  const { integer, boolean } = random("base58")
  for (let round = 0; round < 500; round++) {
    const bytes = Uint8Array.from({ length: integer(0, 130) }, () => integer(0, 255))
    if (boolean()) bytes.fill(0, 0, integer(0, 4))
    if (boolean(0.1)) bytes.fill(255)
    const text = base58.encode(bytes)
    expect(toBase58(bytes)).toBe(text)
    expect(fromBase58(text)).toEqual(bytes)
    const into = new Uint8Array(200).fill(7)
    expect(writeFromBase58(text, into)).toBe(bytes.length)
    expect(into.subarray(0, bytes.length)).toEqual(bytes)
  }
  expect(writeFromBase58("2O", new Uint8Array(2))).toBe(-1)
})

it("reads any text of digits as the other implementation does", () => {
  const { integer } = random("base58 texts")
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: integer(0, 100) }, () => digits[integer(0, 57)]).join("")
    expect(fromBase58(text)).toEqual(base58.decode(text))
  }
})

it.each([19, 20, 21, 399, 400, 401, 999, 1000, 1001, 1007, 2500])(
  "reads texts of %i digits, also of the highest",
  length => {
    const { integer } = random(`base58 of ${length}`)
    const drawn = Array.from({ length: length - 1 }, () => digits[integer(0, 57)]).join("")
    for (const text of ["z".repeat(length), `2${drawn}`, `11${"1".repeat(length)}2`, `z${drawn}`])
      expect(fromBase58(text)).toEqual(base58.decode(text))
    expect(fromBase58(`${"z".repeat(length)}0`)).toBe(null)
    expect(fromBase58(`0${"z".repeat(length)}`)).toBe(null)
  }
)

it("writes a part of the bytes", () => {
  const bytes = Uint8Array.from([9, 0, 1, 0, 7])
  expect(toBase58(bytes, 1, 4)).toBe("15R")
})
