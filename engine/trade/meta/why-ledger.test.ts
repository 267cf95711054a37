import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { WhyLedger } from "./why-ledger.ts"

it("keeps the newest entries, and replaces one of the same id", () => {
  const ledger = new WhyLedger({ entries: 2, bytes: 1000 })
  for (const id of ["a", "b", "c"]) ledger.put(id, `why ${id}`)
  expect(["a", "b", "c"].map(id => ledger.get(id))).toEqual([null, "why b", "why c"])
  ledger.put("b", "again")
  ledger.put("d", "why d")
  expect(["b", "c", "d"].map(id => ledger.get(id))).toEqual(["again", null, "why d"])
  expect(ledger.bytes).toBe("b".length + "again".length + "d".length + "why d".length)
})

it("holds no more bytes than it may, of whatever text", () => {
  const r = random("why ledger")
  const ledger = new WhyLedger({ entries: 1000, bytes: 5000 })
  for (let i = 0; i < 2000; i++) {
    ledger.put(String(r.integer(0, 300)), "ü".repeat(r.integer(0, 900)))
    expect(ledger.bytes).toBeLessThanOrEqual(5000)
  }
  ledger.put("large", "x".repeat(6000))
  expect([ledger.get("large"), ledger.bytes]).toEqual([null, 0])
})
