/**
 * Laws of whose logs a venue kind believes. What is decoded tells whether the emitter is the pool;
 * where it is not, anybody could log the pool's name, and only the venue's own contract is believed.
 */
import { describe, expect, it } from "vitest"
import type { Address } from "../../src/domain/address.ts"
import type { Event } from "../../streams/event.ts"
import { chainDecoder } from "../../streams/evm/chain-decoder.ts"
import { makeDecoder } from "../../streams/evm/decoder.ts"
import type { AnyVenueKind, EventDecoder } from "../../streams/venue.ts"
import type { EventArgs } from "../../streams/venue-laws.ts"
import { abiEvent, encodeLog, randomArgs } from "./abi-logs.ts"
import { testChain } from "./chain-config.ts"
import { decodeAll } from "./decode-one.ts"
import { type HexLog, rawLogOf } from "./raw-logs.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

/** Neither a pool that an argument names nor a listed factory. */
const STRANGER = `0x${"5a".repeat(20)}`
const FACTORY = `0x${"fa".repeat(20)}` as Address
/** Logs of an event that are read, and those drawn for them: some decoders take few of any. */
const READ = 20
const DRAWN = 3000

/**
 * Parameters that contracts log which are neither the pool nor the venue's listed one. Their folds
 * take them with care: a factory counts where it is a known one, of initial fees the last before
 * the pool's registration.
 */
const LOGGED_BY_OTHERS: ReadonlySet<string> = new Set([
  "event PoolCreated(address indexed pool)",
  "event InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 aggregateSwapFeePercentage, bool isProtocolFeeExempt)",
  "event InitialPoolAggregateSwapFeePercentage(address indexed pool, uint256 aggregateSwapFeePercentage)"
])

interface Read {
  readonly args: EventArgs
  readonly log: HexLog
  readonly events: ReadonlyArray<Event>
}

/** Lawful logs of the event by a stranger, with what its decoder alone makes of them. */
const readOf = ({ abi, decode }: EventDecoder): ReadonlyArray<Read> => {
  const event = abiEvent(abi)
  const chance = random(`${abi} emitter`)
  const read: Array<Read> = []
  for (let drawn = 0; drawn < DRAWN && read.length < READ; drawn++) {
    const args = randomArgs(chance, event)
    const log = encodeLog(event, args, STRANGER)
    const events = decodeAll(decode, rawLogOf(log))
    if (typeof events !== "string") read.push({ args, log, events })
  }
  return read
}

/** The pool of an event that is not the emitter; null where it is, or there is none. */
const otherPool = (event: Event): string | null =>
  "pool" in event && event.pool !== STRANGER ? event.pool : null

/** A factory may tell of a pool that it made: `PoolCreated` says which factory that was. */
const isCreation = (event: Event): boolean =>
  event.kind === "PoolCreated" && event.factory === STRANGER

/** A log of a swap that names its pool by an argument, with the pool that is decoded of it. */
interface NamedSwap extends Read {
  readonly pool: string
}

const namedSwapsIn = (read: ReadonlyArray<Read>): ReadonlyArray<NamedSwap> =>
  read.flatMap(one => {
    const swap = one.events.find(event => event.kind === "SwapExecuted")
    const pool = swap === undefined ? null : otherPool(swap)
    return pool === null ? [] : [{ ...one, pool }]
  })

/** What is wrong with `namesPool`: it is the width of the pool, where the engine looks for it. */
const problemOfName = (
  { poolCalls }: AnyVenueKind,
  event: EventDecoder,
  swaps: ReadonlyArray<NamedSwap>,
  bytes: 20 | 32
): string | null => {
  const { namesPool } = event
  if (poolCalls.length === 0 && namesPool === undefined) return null
  const { poolOf } = makeDecoder([], [{ ...event, namesPool: bytes }])
  const missed = swaps.find(({ log, pool }) => poolOf?.(rawLogOf(log)) !== pool)
  if (missed !== undefined) {
    return (
      "pools that are not known yet are found by the swap's first indexed argument, and the pool " +
      `that decode pushes is not there: of one log it pushes ${missed.pool}, and the first indexed ` +
      `argument is ${missed.log.topics[1] ?? "missing"}. Take the pool from that in decode.ts; where ` +
      "the contract has it elsewhere, write no namesPool and an empty poolCalls, so that pools are " +
      "known by their creation alone"
    )
  }
  return namesPool === bytes
    ? null
    : `namesPool is ${namesPool ?? "missing"}: pools that are not known yet are found by the ` +
        `swap's first indexed argument. Write namesPool: ${bytes} beside the event's decode`
}

/** What is wrong with `poolArgument` of the laws, the name of the argument that is the pool. */
const problemOfArgument = (
  poolArgument: string | undefined,
  swaps: ReadonlyArray<NamedSwap>
): string | null => {
  if (poolArgument === undefined) {
    return "poolArgument is missing: write the argument that names the pool in the kind's laws.ts"
  }
  return swaps.every(({ args, pool }) => String(args[poolArgument]).toLowerCase() === pool)
    ? null
    : `poolArgument of the kind's laws.ts is "${poolArgument}", which is not the pool that decode ` +
        "pushes: write the name of the argument that is"
}

/** What must be written of a swap that names its pool by an argument. */
const problemsOfSwap = (
  { kind, laws }: KindUnderLaw,
  event: EventDecoder,
  swaps: ReadonlyArray<NamedSwap>
): ReadonlyArray<string> => {
  const [first] = swaps
  if (first === undefined) return []
  const bytes = first.pool.length === 42 ? 20 : 32
  return [
    kind.oneContract !== undefined
      ? null
      : 'oneContract is missing: one contract logs swaps of all pools. Write oneContract: "all" in ' +
        'venue.ts, or "swaps" where pools log other things themselves',
    problemOfName(kind, event, swaps, bytes),
    problemOfArgument(laws.poolArgument, swaps)
  ].filter(problem => problem !== null)
}

/**
 * What is wrong with an event that tells of its emitter alone; null where nothing. Contracts of a
 * kind whose pools another one holds (`namesPool`) are not asked what they are.
 */
const problemOfOwn = (
  { events }: AnyVenueKind,
  { emitterIsPool }: EventDecoder,
  read: ReadonlyArray<Read>
): string | null => {
  const isOfPool = read.some(one => one.events.some(event => "pool" in event))
  const isHeld = events.some(({ namesPool }) => namesPool !== undefined)
  return !isOfPool || emitterIsPool || isHeld
    ? null
    : "emitterIsPool is false, and all that is decoded is of the emitter: a pool that is not known " +
        "yet is never asked what it is, and has no tokens and no quote. Write emitterIsPool: true"
}

/** What is wrong with the declaration of an event, by what is decoded of its logs. */
const problemsOf = (under: KindUnderLaw, event: EventDecoder): ReadonlyArray<string> => {
  const { kind } = under
  const read = readOf(event)
  const about = read.flatMap(({ events }) => events).filter(one => otherPool(one) !== null)
  const [first] = about
  if (first === undefined) {
    const problem = problemOfOwn(kind, event, read)
    return problem === null ? [] : [`${kind.kind}, "${event.abi}": ${problem}`]
  }
  const isBound = kind.oneContract === "all" || event.fromFactory === true
  const isFree =
    read.every(({ events }) => events.some(isCreation)) || LOGGED_BY_OTHERS.has(event.abi)
  const problems = [
    ...(event.emitterIsPool
      ? [
          "emitterIsPool is true, and the decoded pool is not the emitter: write emitterIsPool: false"
        ]
      : []),
    ...(isBound || isFree
      ? []
      : [
          "anybody is believed who logs it about a pool: write fromFactory: true beside the event's " +
            'decode, or oneContract: "all" in venue.ts where one contract logs all events'
        ]),
    ...problemsOfSwap(under, event, namedSwapsIn(read))
  ]
  return problems.map(problem => `${kind.kind}, "${event.abi}": ${problem}`)
}

/** Events of the venue that a stranger's logs become on a chain that lists the kind. */
const believedOf = (kind: string, event: EventDecoder): ReadonlyArray<string> => {
  if (LOGGED_BY_OTHERS.has(event.abi)) return []
  const chain = { ...testChain, venues: [{ id: "listed", kind, factory: FACTORY }] }
  const decoder = chainDecoder(chain)
  return readOf(event).flatMap(({ log }) => {
    const events = decodeAll(decoder.decode, rawLogOf(log))
    if (typeof events === "string") return []
    const about = events.filter(one => otherPool(one) !== null && !isCreation(one))
    return about.map(one => one.kind)
  })
}

export const emitterLaws = (under: KindUnderLaw): void => {
  const { kind } = under
  describe(`${kind.kind}: emitters`, () => {
    it("says of each event whether its emitter is the pool, and who is believed", () => {
      const problems = kind.events.flatMap(event => problemsOf(under, event))
      expect(problems, problems.join("\n")).toEqual([])
    })

    it("believes no stranger who logs its events about a pool", () => {
      const believed = kind.events.flatMap(event => {
        const kinds = [...new Set(believedOf(kind.kind, event))]
        return kinds.length === 0 ? [] : [`"${event.abi}" becomes ${kinds.join(", ")}`]
      })
      expect(
        believed,
        `a contract that is neither a pool nor a listed factory of ${kind.kind} logs:\n` +
          `${believed.join("\n")}\nWrite fromFactory: true beside the event's decode, or ` +
          'oneContract: "all" in venue.ts where one contract logs all events; of a creation push ' +
          "nothing behind PoolCreated unless the third argument of decode, isListed, is true"
      ).toEqual([])
    })
  })
}
