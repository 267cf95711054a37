import { expect, it } from "vitest"
import { badgeOf } from "./badge.js"

const click = "Live connection: click to connect anew"

it("is live where the connection is open and the lane is well, or not known yet", () => {
  const live = { state: "open", text: "Live", title: click }
  expect(badgeOf({ kind: "open" }, { ok: true, state: "live", problem: null })).toEqual(live)
  expect(badgeOf({ kind: "open" }, undefined)).toEqual(live)
})

it("is a connection to a history where that is all there is", () => {
  const lane = { ok: true, state: "history", problem: null } as const
  expect(badgeOf({ kind: "open" }, lane).text).toBe("Connected")
})

it("is not live over a lane in trouble, and says why", () => {
  const problem = "127.0.0.1:8545 has not answered for 4 s"
  expect(badgeOf({ kind: "open" }, { ok: false, state: "stalled", problem })).toEqual({
    ...{ state: "stalled", text: "Not live", title: problem }
  })
})

it("tells of a connection that is not open before all else", () => {
  const lane = { ok: false, state: "stalled", problem: "gone" } as const
  const waiting = { kind: "waiting", delayMs: 2000, reason: "closed" } as const
  expect(badgeOf(waiting, lane)).toEqual({
    ...{ state: "waiting", text: "Reconnecting", title: "closed; next try in 2.0 s, or click" }
  })
  expect(badgeOf({ kind: "connecting" }, lane).text).toBe("Connecting")
})
