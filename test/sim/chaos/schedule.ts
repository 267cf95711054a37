/** What is done to an engine, and when: rounds of faults drawn from a seed, without any clock. */
import type { Random } from "../../support/seed.ts"

/** Faults by what they strike; those of different places strike together. */
const FAULTS = {
  process: [
    "engine killed",
    "engine frozen",
    "log server killed",
    "log server frozen",
    "tables damaged",
    "log damaged",
    "disk full"
  ],
  node: [
    "node dead",
    "node silent",
    "node broken",
    "node lying",
    "node forgetful",
    "node behind",
    "chain reorganised"
  ],
  client: ["tokens pinned", "sockets opened and closed", "reader slow"]
} as const

type Place = keyof typeof FAULTS
export type Fault = (typeof FAULTS)[Place][number]

export const ALL_FAULTS: ReadonlyArray<Fault> = Object.values(FAULTS).flat()

export interface Round {
  /** each of another place; they begin together */
  readonly faults: ReadonlyArray<Fault>
  /** how long each lasts once it shows, if it is one that lasts */
  readonly holdMs: number
  /** before the next round, in which the engine is left alone */
  readonly pauseMs: number
}

const PLACES = Object.keys(FAULTS) as ReadonlyArray<Place>

/** Faults of each kind, few enough for every run of the tests. */
export const SHORT: ReadonlyArray<ReadonlyArray<Fault>> = [
  ["engine killed", "node lying", "tokens pinned"],
  ["disk full", "chain reorganised", "sockets opened and closed"]
]

/** The faults of `SHORT`, their rounds in a drawn order. */
export const shortSchedule = (r: Random): ReadonlyArray<Round> =>
  r.shuffle(SHORT).map(faults => ({ faults, holdMs: 0, pauseMs: 0 }))

/** Every fault once, in as few rounds as there are of the place with most. */
const everyFault = (r: Random): ReadonlyArray<ReadonlyArray<Fault>> => {
  const drawn = PLACES.map(place => r.shuffle<Fault>(FAULTS[place]))
  const rounds = Math.max(...drawn.map(({ length }) => length))
  return Array.from({ length: rounds }, (_, i) => drawn.flatMap(faults => faults[i] ?? []))
}

/** Rounds without end: every fault once first, then any of them, alone or with others. */
export function* longSchedule(r: Random): Generator<Round, never> {
  const lasting = () => ({ holdMs: r.integer(0, 8000), pauseMs: r.integer(0, 2000) })
  for (const faults of everyFault(r)) yield { faults, ...lasting() }
  for (;;) {
    const places = r.shuffle(PLACES).slice(0, r.integer(1, PLACES.length))
    yield { faults: places.map(place => r.pick<Fault>(FAULTS[place])), ...lasting() }
  }
}
