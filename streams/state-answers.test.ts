import { expect, it } from "vitest"
import { random } from "../test/support/seed.ts"
import { packAnswers, unpackAnswers } from "./state-answers.ts"
import type { StateAnswer } from "./venue.ts"

it("gives back what was packed, and nothing of what is cut", () => {
  const r = random("state answers")
  const many = <A>(most: number, make: () => A) => Array.from({ length: r.integer(0, most) }, make)
  for (let run = 0; run < 100; run++) {
    const answer = (): StateAnswer =>
      r.boolean(0.2) ? null : many(r.pick([3, 3, 300]), () => r.bits(r.integer(0, 256)))
    const rounds = many(4, () => many(6, answer))
    const bytes = packAnswers(rounds)
    expect(unpackAnswers(bytes)).toEqual(rounds)
    if (bytes.length > 1) {
      expect(unpackAnswers(bytes.subarray(0, bytes.length - 1))).not.toEqual(rounds)
    }
  }
})

it("packs small", () => {
  expect([...packAnswers([[[0n, 255n, 256n], null], []])]).toEqual([
    ...[2, 2, 4, 0, 1, 255, 2, 1, 0, 0, 0]
  ])
  expect(unpackAnswers(new Uint8Array())).toBeNull()
})
