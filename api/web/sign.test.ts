import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { Problem } from "../../client/retry.js"
import { Sign } from "./sign.js"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it("asks for what is not there once, and again at each sign that it may be", async () => {
  const [sign, ending, said] = [new Sign(), new AbortController(), vi.fn()]
  const statuses = [503, 404, 404]
  const load = vi.fn(async () => {
    const status = statuses.shift()
    if (status !== undefined) throw new Problem(`C${status}`, "no", { status })
    return "there"
  })
  const answer = sign.answer(load, { signal: ending.signal, onProblem: said })
  // what is only not ready is tried by itself
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load).toHaveBeenCalledTimes(2)
  for (const calls of [3, 4]) {
    sign.tell()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(load).toHaveBeenCalledTimes(calls)
  }
  expect(await answer).toBe("there")
  expect(said.mock.calls.map(([problem]) => problem?.code)).toEqual(["C503", "C404", "C404"])
})

it("misses no sign that comes while it asks, and ends by its signal", async () => {
  const [sign, ending] = [new Sign(), new AbortController()]
  const load = vi.fn(async () => {
    if (load.mock.calls.length === 1) sign.tell()
    throw new Problem("UNKNOWN_TOKEN", "no", { status: 404 })
  })
  const answer = sign.answer(load, { signal: ending.signal })
  const ended = expect(answer).rejects.toThrow("over")
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load).toHaveBeenCalledTimes(2)
  ending.abort(new Error("over"))
  await ended
  sign.tell()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load).toHaveBeenCalledTimes(2)
})
