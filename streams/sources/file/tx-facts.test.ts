import { expect, it } from "vitest"
import { fromHex, toHex } from "../../../src/domain/address.ts"
import { random } from "../../../test/support/seed.ts"
import { TxFacts } from "./tx-facts.ts"

it("finds what was told last of each transaction", () => {
  const { bits, pick, integer } = random("transaction facts")
  const hex = (bytes: number): string =>
    `0x${bits(bytes * 8)
      .toString(16)
      .padStart(bytes * 2, "0")}`
  const addresses = Array.from({ length: 300 }, () => hex(20))
  const told = new Map<string, readonly [string, string | null]>()
  const facts = new TxFacts()
  const known: Array<string> = []
  for (let i = 0; i < 40_000; i++) {
    const isKnown = i > 0 && integer(0, 9) === 0
    // equal in their first bytes, by which they are looked up
    const fresh = integer(0, 99) === 0 ? `0x00000000${hex(28).slice(2)}` : hex(32)
    const hash = isKnown ? pick(known) : fresh
    const from = pick(addresses)
    const to = integer(0, 9) === 0 ? null : pick(addresses)
    if (!told.has(hash)) known.push(hash)
    told.set(hash, [from, to])
    facts.add(hash, from, to)
  }
  for (const [hash, [from, to]] of told) {
    const place = facts.find(fromHex(hash))
    expect(place).toBeGreaterThanOrEqual(0)
    expect(toHex(facts.from(place))).toBe(from)
    const target = facts.to(place)
    expect(target === null ? null : toHex(target)).toBe(to)
  }
  expect(facts.find(fromHex(hex(32)))).toBe(-1)
  expect(facts.find(new Uint8Array(32))).toBe(-1)
})
