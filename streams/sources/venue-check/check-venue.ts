/**
 * Asks a chain about a venue that too few sources tell of: whether there is code at its factory,
 * whether it logged what its kind logs, and whether the pool that this log names calls it its
 * factory. Kinds whose factories log no pools (Curve) are asked for their first pool, and that for
 * a log.
 */
import { Effect, Predicate } from "effect"
import { toFunctionSelector } from "viem"
import { toHex } from "../../../src/domain/address.ts"
import type { ChainVenue, VenueCheck } from "../../../src/domain/chain.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { BatchBuilder } from "../../batch/builder.ts"
import type { RawLog } from "../../evm/raw-log.ts"
import { venueKinds } from "../../evm/venue-kinds.ts"
import { decodedAs } from "../../pool-venue.ts"
import type { SourceError } from "../../source.ts"
import type { AnyVenueKind, EventDecoder } from "../../venue.ts"
import { fromWord, readAddress } from "../evm-rpc/abi-text.ts"
import type { Endpoints } from "../evm-rpc/endpoints.ts"
import { findLog } from "./first-log.ts"

type Found = Omit<VenueCheck, "id" | "kind" | "factory">
type Asked<A> = Effect.Effect<A, RpcError | SourceError>

const proven = (reason: string): Found => ({ state: "proven", reason })
const refuted = (reason: string): Found => ({ state: "refuted", reason })
const unproven = (reason: string): Found => ({ state: "unproven", reason })

const readHex = (value: unknown): string | null =>
  Predicate.isString(value) && value.startsWith("0x") ? value : null

/** What a contract answers; null where it refuses or is none. */
const call = (endpoints: Endpoints, to: string, data: string): Asked<string | null> =>
  endpoints
    .request({ method: "eth_call", params: [{ to, data }, "latest"] }, readHex, { give: ["rpc"] })
    .pipe(
      Effect.catchIf(
        error => error._tag === "RpcError" && (error.kind === "reverted" || error.kind === "rpc"),
        () => Effect.succeed(null)
      )
    )

/** Decoders of the kind, and of the one whose events its pools share. */
const eventsOf = (kind: AnyVenueKind): ReadonlyArray<EventDecoder> =>
  venueKinds
    .filter(one => one.kind === kind.kind || one.kind === decodedAs(kind.kind))
    .flatMap(one => one.events)

const topicsOf = (events: ReadonlyArray<EventDecoder>): ReadonlyArray<string> => [
  ...new Set(events.map(event => event.topic0))
]

/** What a log of these events tells: the pool that it creates, else its emitter; null: nothing. */
const poolIn = (events: ReadonlyArray<EventDecoder>, log: RawLog): string | null => {
  const topic0 = toHex(log.topics.subarray(0, 32))
  const out = new BatchBuilder()
  const taken = events.some(event => event.topic0 === topic0 && event.decode(log, out) === null)
  if (!taken) return null
  const { pool } = out.columns.PoolCreated
  return pool.count === 0 ? toHex(log.address) : out.ids.text(pool.get(pool.count - 1))
}

/** What the pool says of its factory: null where it says nothing. */
const factoryOf = (
  endpoints: Endpoints,
  kind: AnyVenueKind,
  pool: string
): Asked<string | null> => {
  const asked = kind.poolCalls.find(({ fact }) => fact === "factory")
  // an id of 32 bytes is no contract
  if (asked === undefined || pool.length !== 42) return Effect.succeed(null)
  return Effect.map(call(endpoints, pool, toFunctionSelector(asked.abi)), result =>
    readAddress(fromWord(result ?? "0x", asked.word))
  )
}

const FIRST_POOL = `${toFunctionSelector("function pool_list(uint256)")}${"0".repeat(64)}`

/** Whether the factory itself logs something of the kind. */
const logsItself = (kind: AnyVenueKind): ReadonlyArray<EventDecoder> =>
  eventsOf(kind).filter(event => !event.emitterIsPool)

const checkLogs = (
  endpoints: Endpoints,
  kind: AnyVenueKind,
  { factory, startBlock }: ChainVenue,
  head: number
): Asked<Found> =>
  Effect.gen(function* () {
    const own = logsItself(kind)
    const listed = own.length > 0 ? null : yield* call(endpoints, factory, FIRST_POOL)
    const emitter = own.length > 0 ? factory : readAddress(listed ?? "0x")
    if (emitter === null) return refuted("its factory lists no pool")
    const events = own.length > 0 ? own : eventsOf(kind)
    const search = { address: emitter, topics: topicsOf(events), from: startBlock ?? 0, to: head }
    const log = yield* findLog(endpoints, search, raw => poolIn(events, raw))
    if (log === null) return unproven(`no log of the kind from ${emitter} found`)
    const told = yield* factoryOf(endpoints, kind, log.value)
    if (told !== null && told !== factory) {
      return refuted(`pool ${log.value} names ${told} as its factory`)
    }
    const word = told === null ? "" : `, factory() of ${log.value}`
    return proven(`code, log in block ${log.block}${word}`)
  })

/** What the chain says of one venue, up to block `head`. */
export const checkVenue = (
  endpoints: Endpoints,
  venue: ChainVenue,
  head: number
): Asked<VenueCheck> =>
  Effect.gen(function* () {
    const { id, kind, factory } = venue
    const known = venueKinds.find(one => one.kind === kind)
    const code = yield* endpoints.request(
      { method: "eth_getCode", params: [factory, "latest"] },
      readHex
    )
    const found =
      known === undefined
        ? unproven(`no venue kind ${kind}`)
        : code === "0x"
          ? refuted("no code at its factory")
          : yield* checkLogs(endpoints, known, venue, head)
    return { id, kind, factory, ...found }
  })
