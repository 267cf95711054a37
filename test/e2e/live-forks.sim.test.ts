/**
 * Forks through the whole engine, deep and shallow, while it runs: what HTTP answers, and what a
 * reader of the live socket holds, is the final chain and nothing else.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { FORKS_PATIENCE_MS, ForkedEngine } from "../support/forked-engine.ts"

let forked: ForkedEngine
beforeAll(async () => {
  forked = await ForkedEngine.open()
})
afterAll(() => forked?.close())

it(
  "undoes what a fork replaced, and brings the new branch, to HTTP and the live socket",
  async () => {
    let isOver = false
    const reading = forked.readMeanwhile(() => isOver)
    await forked.forks()
    isOver = true
    expect(await reading).toEqual([])
    const { held, told } = await forked.settled()
    const { reader, tokens } = forked
    expect(reader.faults).toEqual([])
    expect(held).toEqual(told)
    for (const token of tokens) {
      expect(reader.undos({ channel: "trades", token })).toBeGreaterThan(0)
    }
  },
  FORKS_PATIENCE_MS
)
