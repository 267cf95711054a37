import { expect, test } from "vitest"
import { trimState } from "./trim-state.ts"

const block = (number: number) => ({
  header: { parentHash: "0xaa", number: `0x${number.toString(16)}`, extraData: "0x" },
  transactions: number % 2 === 0 ? [{ hash: "0x01", nested: { list: [1, 2] } }] : [],
  ommers: []
})

const state = (numbers: ReadonlyArray<number>) => ({
  block: { number: "0x1f4" },
  accounts: { "0x00": { storage: { "0x01": "0x02" } } },
  best_block_number: 500,
  blocks: numbers.map(block),
  transactions: [{ info: {} }],
  historical_states: null
})

const trimmed = (numbers: ReadonlyArray<number>, oldest: number): unknown =>
  JSON.parse(trimState(Buffer.from(JSON.stringify(state(numbers))), oldest).toString())

test("old blocks go, whatever their order; blocks 0 to 2 and the rest of the file stay", () => {
  expect(trimmed([3, 0, 498, 2, 1, 500, 499, 10], 499)).toEqual(state([0, 2, 1, 500, 499]))
  expect(trimmed([0, 1, 2], -100)).toEqual(state([0, 1, 2]))
  expect(trimmed([5, 6], 100)).toEqual(state([]))
  expect(trimmed([], 100)).toEqual(state([]))
})

test("a file without blocks is left alone", () => {
  const json = Buffer.from('{"accounts":{}}')
  expect(trimState(json, 5)).toBe(json)
})
