/**
 * Laws of what a venue kind declares of its events: whose they are, and what tells of its pools. A
 * kind that breaks one of them decodes and quotes as it should, and its venue is ignored.
 */
import { type Hex, toEventSelector } from "viem"
import { describe, expect, it } from "vitest"
import type { EventKind } from "../../streams/event.ts"
import type { AnyVenueKind, EventDecoder } from "../../streams/venue.ts"
import { abiEvent, encodeLog, randomArgs } from "./abi-logs.ts"
import { decodeAll } from "./decode-one.ts"
import { lawSwap } from "./law-swaps.ts"
import { rawLogOf } from "./raw-logs.ts"
import { random } from "./seed.ts"
import type { KindUnderLaw } from "./venue-laws.ts"

const EMITTER = `0x${"ee".repeat(20)}`
/** Logs of an event that are read, and those drawn for them: some decoders take few of any. */
const READ = 20
const DRAWN = 3000
/** Pools that are drawn, of all sorts that a kind has. */
const POOLS = 20

/** Random logs of the event as others read them: the kinds of events that a decoder makes. */
const readBy = (decoder: EventDecoder, logged: EventDecoder): ReadonlySet<EventKind> => {
  const abi = abiEvent(logged.abi)
  const chance = random(`${logged.abi} declared`)
  const kinds = new Set<EventKind>()
  for (let drawn = 0, read = 0; drawn < DRAWN && read < READ; drawn++) {
    const raw = rawLogOf(encodeLog(abi, randomArgs(chance, abi), EMITTER))
    const decoded = decodeAll(decoder.decode, raw)
    if (typeof decoded === "string") continue
    read++
    for (const { kind } of decoded) kinds.add(kind)
  }
  return kinds
}

/** The kinds of events that logs of these events' topics tell. */
const toldBy = (events: ReadonlyArray<EventDecoder>): ReadonlySet<EventKind> =>
  new Set(events.flatMap(event => [...readBy(event, event)]))

const familyOf = ({ kind, decodedAs }: AnyVenueKind): string => decodedAs ?? kind

/** What is wrong with an event of the topic of a kind that is listed before; null where nothing. */
const problemOfShared = (
  kind: AnyVenueKind,
  event: EventDecoder,
  other: AnyVenueKind
): string | null => {
  const same = other.events.filter(({ topic0 }) => topic0 === event.topic0)
  if (same.length === 0) return null
  const shared = `${kind.kind} decodes "${event.abi}", whose topic ${other.kind} decodes too.`
  if (familyOf(kind) !== familyOf(other)) {
    return (
      `${shared} Such a log looks like one of ${other.kind}, and the pool's venue is not found: ` +
      `write decodedAs: "${familyOf(other)}" in streams/evm/${kind.kind}/venue.ts, and sharedEvents ` +
      "in its laws"
    )
  }
  return same.every(one => readBy(one, event).size === 0)
    ? null
    : `${shared} That one takes the log first, so this decoder never runs: leave the event out of ` +
        `${kind.kind}, and its meaning out of ${kind.kind}.laws.ts`
}

/** What a kind says of itself by another's name is the other's own, and not that of a third. */
const namesAnother = (
  kind: AnyVenueKind,
  field: "decodedAs" | "tradedAs",
  kinds: ReadonlyArray<AnyVenueKind>
): void => {
  const name = kind[field]
  if (name === undefined) return
  const named = kinds.find(other => other.kind === name)
  expect(named, `${field}: "${name}" is no kind of venue-kinds.ts`).toBeDefined()
  const further = named?.[field]
  expect(further, `${name} is itself ${further}'s: write ${field}: "${further}"`).toBeUndefined()
}

const sharesEventsAsDeclared = (kind: AnyVenueKind, kinds: ReadonlyArray<AnyVenueKind>): void => {
  namesAnother(kind, "decodedAs", kinds)
  const before = kinds.slice(0, kinds.indexOf(kind))
  const problems = kind.events.flatMap(event =>
    before.map(other => problemOfShared(kind, event, other)).filter(one => one !== null)
  )
  expect(problems, problems.join("\n")).toEqual([])
}

/** What pools of the laws log, in their histories and in one swap each. */
const loggedBy = ({ kind, laws }: KindUnderLaw): ReadonlySet<EventKind> => {
  const chance = random(`${kind.kind} declared`)
  const logged = Array.from({ length: POOLS }, () => {
    const one = laws.pool(chance)
    const swap = lawSwap({ kind, laws }, chance, one, 40)
    return [...one.history, ...(swap === null ? [] : laws.swapEvents(one, swap))]
  }).flat()
  return new Set(logged.map(event => event.kind))
}

/** Events of the other kind that pools of this one log too, by the signatures of its laws. */
export const sharedOf = ({ kind, laws }: KindUnderLaw, kinds: ReadonlyArray<AnyVenueKind>) => {
  const topics = new Set(laws.sharedEvents?.map(one => toEventSelector(one)))
  const other = kinds.find(one => one.kind === kind.decodedAs)
  return other?.events.filter(({ topic0 }) => topics.has(topic0 as Hex)) ?? []
}

/** `decodedAs` is said of kinds whose pools log events of the other kind, which the laws name. */
const namesWhatItShares = (under: KindUnderLaw, kinds: ReadonlyArray<AnyVenueKind>): void => {
  const { kind, laws } = under
  const { decodedAs } = kind
  const { sharedEvents = [] } = laws
  const place = `streams/evm/${kind.kind}`
  if (decodedAs === undefined) {
    const of = `sharedEvents in ${place}/${kind.kind}.laws.ts, without decodedAs in venue.ts: they`
    expect(sharedEvents, `${of} are of the kind that decodedAs names, or of none`).toEqual([])
    return
  }
  const says =
    `decodedAs: "${decodedAs}" in ${place}/venue.ts says that its pools log events of ` +
    `${decodedAs} to the bit`
  expect(
    sharedEvents.length,
    `${says}. Name them in ${kind.kind}.laws.ts by their signatures, as the source of the contract ` +
      'has them (sharedEvents: ["Sync(uint112,uint112)"]); where there are none, leave decodedAs out'
  ).toBeGreaterThan(0)
  const shared = new Set(sharedOf(under, kinds).map(({ topic0 }) => topic0))
  const foreign = sharedEvents.filter(one => !shared.has(toEventSelector(one)))
  expect(
    foreign,
    `${says}, and sharedEvents of ${kind.kind}.laws.ts names some that ${decodedAs} does not decode. ` +
      "Their topics differ: decode them in decode.ts of the kind itself"
  ).toEqual([])
}

const saysWhereItsPoolsAreFrom = (
  { kind, laws }: KindUnderLaw,
  kinds: ReadonlyArray<AnyVenueKind>
): void => {
  const told = toldBy([...kind.events, ...sharedOf({ kind, laws }, kinds)])
  expect(
    kind.poolsByCalls === true ? "calls" : told.has("PoolCreated") ? "events" : "nothing",
    `by its events ${told.has("PoolCreated") ? "a factory tells" : "no factory tells"} of pools ` +
      "(PoolCreated). Decode the event; or, where another kind has it, write decodedAs with that " +
      "kind's name and name the event in sharedEvents of the laws; or, where no contract logs one, " +
      "write poolsByCalls: true"
  ).toBe(told.has("PoolCreated") ? "events" : "calls")
  if (kind.poolsByCalls === true) {
    expect(
      kind.poolCalls.some(({ fact }) => fact === "factory"),
      "poolsByCalls: no call of poolCalls tells the factory, so the pools have no venue"
    ).toBe(true)
  }
  expect(
    [...loggedBy({ kind, laws })].filter(name => !told.has(name)),
    "events that pools of the laws log and that no event of the kind tells. Where another kind " +
      "decodes them, write decodedAs with that kind's name, and sharedEvents in the laws"
  ).toEqual([])
}

/** What is wrong with how the word of a pool about its factory is proven; null where nothing. */
const problemOfProof = (kind: AnyVenueKind): string | null => {
  const { poolCalls, factoryCalls = [], factoryUnasked } = kind
  const place = `streams/evm/${kind.kind}/venue.ts`
  if (!poolCalls.some(({ fact }) => fact === "factory")) {
    return factoryUnasked === undefined
      ? null
      : `factoryUnasked in ${place}: no call of poolCalls tells a factory, so leave it out`
  }
  if (factoryCalls.length > 0) {
    return factoryUnasked === undefined
      ? null
      : `factoryUnasked in ${place} says that no factory is asked, and factoryCalls ask one: leave ` +
          "one of the two out"
  }
  return factoryUnasked !== undefined
    ? null
    : `poolCalls in ${place} ask the pool for its factory, and nobody asks the factory: any contract ` +
        "that names a listed factory is a pool of that venue. Write factoryCalls, what the factory " +
        "answers of a pool that it made (streams/venue.ts), with its answers in factAnswers of " +
        `${kind.kind}.laws.ts; where no function of it tells, write factoryUnasked with the reason`
}

export const declarationLaws = (under: KindUnderLaw, listed: ReadonlyArray<KindUnderLaw>): void => {
  const kinds = listed.map(({ kind }) => kind)
  describe(`${under.kind.kind}: declarations`, () => {
    it("decodes an event that another kind has only as it says", () =>
      sharesEventsAsDeclared(under.kind, kinds))

    it("names the events for which it is decoded as another kind", () =>
      namesWhatItShares(under, kinds))

    it("is traded as a kind that is there, if as another", () =>
      namesAnother(under.kind, "tradedAs", kinds))

    it("reads states of pools that are older than the log, or never quotes", () =>
      expect(
        under.kind.stateRead !== undefined || under.kind.neverQuotes !== undefined,
        "pools of before the log's beginning are not quoted: write stateRead (StateRead in " +
          "streams/venue.ts), or where no call tells what a quote needs neverQuotes with the reason"
      ).toBe(true))

    it("asks the factory that a pool names, or says why it cannot", () => {
      const problem = problemOfProof(under.kind)
      expect(problem, problem ?? "").toBeNull()
    })

    it("says what tells of its pools", () => saysWhereItsPoolsAreFrom(under, kinds))
  })
}
