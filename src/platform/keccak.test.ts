import { keccak256 as reference } from "viem"
import { expect, it } from "vitest"
import { random } from "../../test/support/random.ts"
import { seed } from "../../test/support/seed.ts"
import { keccak256 } from "./keccak.ts"

it("hashes as viem does, whatever the length", () => {
  const r = random(`${seed}/keccak`)
  const lengths = [0, 1, 20, 32, 85, 135, 136, 137, 271, 272, 16_384, 16_385, 70_000]
  for (const length of lengths) {
    const bytes = Uint8Array.from({ length }, () => r.int(256))
    expect([...keccak256(bytes)], `${length} bytes`).toEqual([...reference(bytes, "bytes")])
  }
})

it("keeps an answer when more is hashed", () => {
  const first = keccak256(new Uint8Array([1]))
  const copy = [...first]
  keccak256(new Uint8Array([2]))
  expect([...first]).toEqual(copy)
})
