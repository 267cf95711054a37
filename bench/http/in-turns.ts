/** One page served by the engine and by its baseline, in turns. */
import { fullLoad, type Load } from "./load.ts"

export interface Turns {
  /** the engine's server and the baseline's */
  readonly ports: readonly [number, number]
  readonly path: string
  readonly seconds: number
  readonly connections: number
  readonly rounds: number
  readonly folder: string
}

/** Both loads of one round. */
export interface Round {
  readonly ours: Load
  readonly raw: Load
}

const ratioOf = ({ ours, raw }: Round): number => ours.perSecond / raw.perSecond

/**
 * The round whose ratio is the median of all. Loads of one round ran within seconds of each other,
 * so that a machine whose speed changes from minute to minute changes both.
 *
 * @param ourLoad runs a load on the engine, and may look at what it did
 */
export const inTurns = async (
  { ports: [own, baseline], rounds, ...options }: Turns,
  ourLoad: (load: () => Promise<Load>) => Promise<Load> = load => load()
): Promise<Round> => {
  const load = (port: number) => fullLoad({ ...options, port, paths: [options.path] })
  const all: Array<Round> = []
  for (let round = 0; round < rounds; round++) {
    all.push({ ours: await ourLoad(() => load(own)), raw: await load(baseline) })
  }
  const sorted = all.sort((a, b) => ratioOf(a) - ratioOf(b))
  return sorted[sorted.length >> 1] as Round
}
