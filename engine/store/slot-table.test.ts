import { expect, it } from "vitest"
import { NONE } from "../../streams/batch/id-table.ts"
import { SlotTable } from "./slot-table.ts"
import { partOf, table } from "./table.ts"

const def = table({
  name: "known",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    address: { type: "account" },
    name: { type: "text", nullable: true },
    amount: { type: "f64", nullable: true },
    other: { type: "u32", nullable: true },
    count: { type: "i64" }
  }
})

const bytes = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)

it("adds rows of values under the next slots, the others empty", () => {
  const rows = new SlotTable(def)
  expect(rows.add({ address: bytes(7), name: "a", count: 3 })).toBe(0)
  expect(rows.add({ amount: 0.5, other: 9 })).toBe(1)
  const { slot, address, name, amount, other, count } = rows.columns
  expect([...address.subarray(0, 64)]).toEqual([...bytes(7), ...bytes(0)])
  expect(name).toEqual(["a", null])
  expect([slot, amount, other, count].map(column => [...column.subarray(0, 2)])).toEqual([
    [0, 1],
    [Number.NaN, 0.5],
    [NONE, 9],
    [3, 0]
  ])
  // both are versions of the next commit
  rows.collect(10)
  expect(rows.versions.count).toBe(2)
})

it("adds anew under a slot that a rollback took back", () => {
  const rows = new SlotTable(def)
  rows.add({ address: bytes(7), name: "a", count: 3 })
  rows.truncate(0)
  expect(rows.add({ address: bytes(8) })).toBe(0)
  expect([rows.columns.name[0], rows.columns.count[0], rows.columns.address[0]]).toEqual([
    null,
    0,
    8
  ])
})

it("declares some columns of a table as rows of their own", () => {
  expect(partOf(def, ["name", "count"])).toEqual({
    ...{ name: "known", shape: "append", key: [] },
    columns: { name: { type: "text", nullable: true }, count: { type: "i64" } }
  })
})
