import { expect, it } from "vitest"
import { impatience } from "./patience.ts"
import { describeViolation } from "./source-text.ts"

const told = (text: string) =>
  impatience({ path: "api/live/some.test.ts", text }).map(describeViolation)

it("wants waits of tests to last", () => {
  expect(told("await vi.waitUntil(() => true, { timeout: PATIENCE_MS })")).toEqual([])
  expect(told("await vi.waitFor(() => one(), PATIENCE_MS)")).toEqual([])
  expect(told("await expect.poll(read).toBe(1)")).toEqual([])
  expect(told("\nawait vi.waitUntil(() => true)")).toEqual([
    "api/live/some.test.ts:2: `vi.waitUntil` gives up after a second: pass PATIENCE_MS of test/support/patience.ts"
  ])
  expect(told("await vi.waitFor(() => one(), 20_000)")).toHaveLength(1)
  expect(told("const until = performance.now() + PATIENCE_MS")).toEqual([])
  expect(told("const until = performance.now() + 12")).toEqual([])
  expect(told("const seconds = performance.now() / 1000")).toEqual([])
  expect(told("const until = performance.now() + 30_000")).toEqual([
    "api/live/some.test.ts:1: a deadline in 30000 ms is a promise about the machine: wait for PATIENCE_MS"
  ])
  expect(told('await eventually("all", read)')).toEqual([])
  expect(told('await engine.alive("all", read, 300_000)')).toEqual([])
  expect(told('await eventually("all", read, 20_000)')).toEqual([
    "api/live/some.test.ts:1: `eventually` waits long enough by itself"
  ])
  expect(told("await expect.poll(read, { timeout: 5000 }).toBe(1)")).toEqual([
    "api/live/some.test.ts:1: `expect.poll` waits long enough by itself, or for PATIENCE_MS"
  ])
})

it("wants no bound on what the machine takes", () => {
  expect(told("const read = log.read.pipe(Effect.timeout(PATIENCE_MS))")).toEqual([])
  expect(told('const none = log.read.pipe(Effect.timeoutOption("200 millis"))')).toEqual([])
  expect(told('const read = log.read.pipe(Effect.timeout("10 seconds"))')).toEqual([
    "api/live/some.test.ts:1: `Effect.timeout` is a promise about the machine: leave it out, or pass PATIENCE_MS"
  ])
  expect(told("expect(performance.now() - asked).toBeLessThan(atRest(6000))")).toEqual([])
  expect(told("expect(rows.length).toBeLessThan(6000)")).toEqual([])
  expect(told("expect(performance.now() - asked).toBeLessThan(6000)")).toEqual([
    "api/live/some.test.ts:1: a bound on measured time is a promise about the machine: assert its cause, or use `atRest`"
  ])
  expect(told("expect(performance.now() - asked).toBeGreaterThan(2_990)")).toHaveLength(1)
})

it("wants no limit of a test's own that is not longer than every test's", () => {
  expect(told("it('holds', () => {}, 600_000)")).toEqual([])
  expect(told("it('holds', () => {})")).toEqual([])
  expect(told("it('holds', () => {}, 240_000)")).toEqual([
    "api/live/some.test.ts:1: a limit of 240000 ms is no longer than every test's: leave it out"
  ])
  expect(told("it.skipIf(!isLong)('holds', () => {}, 120_000)")).toHaveLength(1)
  expect(told("it.each([1, 2])('holds', () => {}, 60_000)")).toHaveLength(1)
})
