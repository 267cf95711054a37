import { Effect } from "effect"
import { expect, it } from "vitest"
import { PinRequests } from "./pin-requests.ts"

const [ONE, OTHER] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`] as const

const ask = (pins: PinRequests, token: string) => Effect.runSync(Effect.result(pins.pin(token)))

it("is refused before there is a source, and not kept", () => {
  const pins = new PinRequests({ key: "base" })
  const told: Array<ReadonlyArray<string>> = []
  expect(ask(pins, ONE)).toMatchObject({
    _tag: "Failure",
    failure: {
      _tag: "LaneUnavailable",
      chain: "base",
      message: "no source runs that could pin"
    }
  })
  pins.attach(tokens => told.push(tokens))
  expect(told).toEqual([])
})

it("tells the source each token in lower case, and a new source all of them", () => {
  const pins = new PinRequests({ key: "base" })
  const told: Array<ReadonlyArray<string>> = []
  pins.attach(tokens => told.push(["first", ...tokens]))
  ask(pins, ONE.toUpperCase().replace("0X", "0x"))
  ask(pins, OTHER)
  ask(pins, ONE)
  pins.attach(tokens => told.push(["second", ...tokens]))
  ask(pins, OTHER)
  expect(told).toEqual([
    ["first", ONE],
    ["first", OTHER],
    ["first", ONE],
    ["second", ONE, OTHER],
    ["second", OTHER]
  ])
})
