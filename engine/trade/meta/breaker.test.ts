import { expect, it } from "vitest"
import { randoms } from "../../../test/support/seed.ts"
import { abandoned, admit, type Breaker, CLOSED, failed, succeeded } from "./breaker.ts"

const opened: Breaker = { state: "open", untilMs: 10_000, coolDownMs: 10_000 }

it("opens after three failures in a row, and not after two", () => {
  const twice = failed(failed(CLOSED, 0, null), 0, null)
  expect(twice).toEqual({ state: "closed", recent: [true, true] })
  expect(failed(twice, 0, null)).toEqual(opened)
  const between = failed(succeeded(twice), 0, null)
  expect(between).toEqual({ state: "closed", recent: [true, true, false, true] })
})

it("opens where half of the last ten failed, though never three in a row", () => {
  let breaker = CLOSED
  for (let i = 0; i < 4; i++) breaker = succeeded(failed(breaker, 0, null))
  expect(breaker.state).toBe("closed")
  expect(failed(breaker, 0, null)).toEqual(opened)
})

it("opens at once, and as long as is asked for, where the other side wants fewer calls", () => {
  expect(failed(CLOSED, 5, 42_000)).toEqual({
    ...{ state: "open", untilMs: 42_005, coolDownMs: 10_000 }
  })
  expect(failed(CLOSED, 5, 0)).toEqual({ state: "open", untilMs: 10_005, coolDownMs: 10_000 })
  expect(failed(CLOSED, 0, 10 ** 9)).toMatchObject({ untilMs: 600_000 })
})

it("lets one probe out when its time has come, which closes it or opens it for twice as long", () => {
  expect(admit(opened, 9_999)).toEqual({ breaker: opened, isAdmitted: false })
  const { breaker: half, isAdmitted } = admit(opened, 10_000)
  expect([half, isAdmitted]).toEqual([{ state: "half-open", coolDownMs: 10_000 }, true])
  expect(admit(half, 10_000)).toEqual({ breaker: half, isAdmitted: false })
  expect(succeeded(half)).toEqual(CLOSED)
  expect(failed(half, 10_000, null)).toEqual({
    ...{ state: "open", untilMs: 30_000, coolDownMs: 20_000 }
  })
  expect(abandoned(half, 10_500)).toEqual({
    ...{ state: "open", untilMs: 10_500, coolDownMs: 10_000 }
  })
})

/** What holds of any sequence of calls, by a clock that a test turns. */
it("never lets two probes out, nor any call before its time, and always recovers", () => {
  for (const r of randoms("breaker")) {
    for (let round = 0; round < 200; round++) {
      let breaker: Breaker = CLOSED
      let nowMs = 0
      let probing = false
      for (let step = 0; step < 60; step++) {
        nowMs += r.integer(0, 20_000)
        const before: Breaker = breaker
        const { breaker: after, isAdmitted } = admit(before, nowMs)
        breaker = after
        if (before.state === "closed") expect(isAdmitted).toBe(true)
        else if (before.state === "half-open") expect(isAdmitted).toBe(false)
        else expect(isAdmitted).toBe(nowMs >= before.untilMs)
        if (after.state === "half-open" && before.state === "open") {
          expect(probing).toBe(false)
          probing = true
        }
        if (!isAdmitted && !probing) continue
        // the answer of this call, or of the probe that is under way
        const end = r.integer(0, 3)
        if (end === 0) breaker = succeeded(breaker)
        if (end === 1) breaker = failed(breaker, nowMs, r.boolean() ? null : r.integer(0, 99_999))
        if (end === 2) breaker = abandoned(breaker, nowMs)
        if (end < 3) probing = false
        if (breaker.state === "open") {
          expect(breaker.untilMs - nowMs).toBeLessThanOrEqual(600_000)
          expect(breaker.coolDownMs).toBeGreaterThanOrEqual(10_000)
        }
        expect(breaker.state === "half-open").toBe(probing)
      }
      // a probe that ends well closes it, whatever was before
      if (breaker.state === "half-open") breaker = abandoned(breaker, nowMs)
      expect(succeeded(admit(breaker, nowMs + 600_000).breaker).state).toBe("closed")
    }
  }
})

it("lets a probe out where the clock was set back by more than it is ever open for", () => {
  const long: Breaker = { state: "open", untilMs: 7_200_000, coolDownMs: 10_000 }
  expect(admit(long, 7_200_000 - 600_000).isAdmitted).toBe(false)
  expect(admit(long, 7_200_000 - 600_001).isAdmitted).toBe(true)
})
