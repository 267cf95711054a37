/** Which endpoint is asked next where some of them rest. */
import { expect, it } from "vitest"
import { EndpointHealth } from "./endpoint-health.ts"
import { EndpointPool } from "./endpoint-pool.ts"

const NOW = 1_000_000
const LONGEST_REST_MS = 20_000

interface Fares {
  readonly failures: number
  readonly restMs: number
}

const slotOf = ({ failures, restMs }: Fares, place: number) => {
  const health = new EndpointHealth(`node:${place}`)
  health.failures = failures
  health.restUntil = NOW + restMs
  return { health }
}

/** The place of the endpoint that is asked next. */
const chosenOf = (...fares: ReadonlyArray<Fares>): number => {
  const pool = new EndpointPool(fares.map(slotOf), 1000, LONGEST_REST_MS, new Set())
  const seat = pool.choose("eth_chainId", NOW)
  return seat === null ? -1 : pool.placeOf(seat)
}

const MINUTES = 300_000

it("waits for one that failed once rather than ask one that only fails", () => {
  expect(chosenOf({ failures: 1, restMs: LONGEST_REST_MS }, { failures: 3, restMs: 0 })).toBe(0)
})

it("asks one that only fails rather than wait for minutes for one that asked for them", () => {
  expect(chosenOf({ failures: 2, restMs: MINUTES }, { failures: 3, restMs: 0 })).toBe(1)
  expect(chosenOf({ failures: 3, restMs: 0 }, { failures: 2, restMs: MINUTES })).toBe(0)
  expect(chosenOf({ failures: 1, restMs: MINUTES }, { failures: 9, restMs: 400 })).toBe(1)
})

it("waits for the one that may be asked first where all rest for minutes", () => {
  expect(chosenOf({ failures: 1, restMs: MINUTES }, { failures: 4, restMs: MINUTES - 1 })).toBe(1)
})
