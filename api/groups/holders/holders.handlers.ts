import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import type { LaneStatus } from "../../../engine/lane/protocol.ts"
import { ask } from "../../../engine/query.ts"
import { counters } from "../../../projections/coverage/queries.ts"
import { type HoldersParams, holdersQuery } from "../../../projections/holders/queries.ts"
import type { Address } from "../../../src/domain/address.ts"
import { assuranceOf } from "../../../src/domain/assurance.ts"
import { BACKFILL_GAP } from "../../../streams/source.ts"
import { answered, laneResponse, queryLane, whileAlso } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { Refusal } from "../../errors.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import { tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { HOLDERS_DEFAULT, type HoldersQuery } from "./holders.api.ts"
import { callerOf, type PinCaller, PinDesk } from "./pin-desk.ts"

const decoder = new TextDecoder()

/** Families with routes of their own, by key. */
const OWN_ROUTES: { readonly [chain: string]: string } = {
  arc: "/v1/arc/token/{address}/holders",
  "5042": "/v1/arc/token/{address}/holders",
  rh: "/v1/rh/token/{address}/holders",
  "4663": "/v1/rh/token/{address}/holders"
}

const laneOfFamily = (lanes: Lanes["Service"], key: string): Effect.Effect<Lane, Refusal> => {
  const lane = lanes.find(key)
  if (lane !== undefined) return Effect.succeed(lane)
  const message = `chain ${key} is not served here`
  return Effect.fail(new Refusal({ status: 503, code: "CHAIN_NOT_ENABLED", message }))
}

/** As every chain-keyed route, with a word on where the chain's holders are instead. */
const laneOfChain = (lanes: Lanes["Service"], chain: string) =>
  Effect.mapError(chainKeyedLane(lanes, chain), refusal => {
    const own = chain.toLowerCase()
    return Object.hasOwn(OWN_ROUTES, own)
      ? new Refusal({ ...refusal, message: `${refusal.message}; holders: ${OWN_ROUTES[own]}` })
      : refusal
  })

/** The last blocks of runs, as a query takes them. */
const endsOf = (runs: ReadonlyArray<{ readonly toBlock: number }>): string =>
  runs.map(({ toBlock }) => toBlock).join(" ")

/** What the tables lack at a position, as the query of holders takes it. */
interface Lacking {
  readonly seq: number
  readonly gaps: string
  readonly words: string
}

const COUNTERS = ask(counters, {})

type Counted = Pick<LaneStatus, "gaps" | "words">

/**
 * What the newest tables lack. The lane's status says the same up to a second later, which is long
 * enough to call a ledger complete that is not.
 */
const lackingOf = (lane: Lane): Effect.Effect<Lacking, Refusal> =>
  Effect.map(queryLane(lane, COUNTERS), ({ seq, body }) => {
    const { gaps, words } = JSON.parse(decoder.decode(body)) as Counted
    return {
      seq,
      gaps: endsOf(gaps.filter(({ reason }) => reason !== BACKFILL_GAP)),
      words: endsOf(words.filter(({ grade }) => assuranceOf(grade) === "word"))
    }
  })

/** Of each lane what its newest tables lack, asked once a position. */
class LackingBooks {
  private readonly known = new Map<Lane, Lacking & { readonly setbacks: number }>()

  of(lane: Lane): Effect.Effect<Lacking, Refusal> {
    const setbacks = lane.setbacks()
    const known = this.known.get(lane)
    const isPresent = known?.seq === lane.seq() && known.setbacks === setbacks
    return known !== undefined && isPresent
      ? Effect.succeed(known)
      : Effect.tap(lackingOf(lane), found =>
          Effect.sync(() => this.known.set(lane, { ...found, setbacks }))
        )
  }
}

/** Commits that may come between what the tables lack and the ledger before it is given up. */
const MOST_TRIES = 8

const unsettled = ({ config }: Lane): Refusal => {
  const message = `${config.key}: what the tables lack is being looked up; try again soon`
  return new Refusal({ status: 503, code: "NOT_READY", message })
}

/** What of the source's state goes into an answer: it changes without a commit. */
const progressOf = (lane: Lane, token: string) => {
  const pin = lane.status().source?.pins.find(one => one.token === token)
  return {
    reached: pin?.reachedBlock ?? null,
    problem: pin?.problem ?? null,
    unaudited: pin?.unaudited ?? null
  }
}

export const HoldersHandlers = HttpApiBuilder.group(
  Api,
  "holders",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const desk = yield* PinDesk

    const books = new LackingBooks()

    /** The ledger with what the tables lack at its own position. */
    const ledgerOf = Effect.fnUntraced(function* (
      lane: Lane,
      asked: Omit<HoldersParams, "gaps" | "words">
    ) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { seq, gaps, words } = yield* books.of(lane)
        const request = ask(holdersQuery, { ...asked, gaps, words })
        const response = yield* laneResponse(version, lane, request)
        if (response.headers["x-log-seq"] === String(seq)) return response
      }
      return yield* unsettled(lane)
    })

    const getHolders = Effect.fnUntraced(function* (
      lane: Lane,
      address: string,
      { limit = HOLDERS_DEFAULT }: HoldersQuery,
      caller: PinCaller
    ) {
      const token = tokenOn(lane, address)
      const progress = progressOf(lane, token)
      const response = ledgerOf(lane, { token, limit, ...progress })
      const isPresent = () => {
        const now = progressOf(lane, token)
        return (
          now.reached === progress.reached &&
          now.problem === progress.problem &&
          now.unaudited === progress.unaudited
        )
      }
      return yield* naming(response, lanes, lane, token).pipe(
        Effect.map(found => whileAlso(found, isPresent)),
        Effect.catchIf(
          ({ code }) => code === "HOLDERS_PENDING",
          () => Effect.flatMap(desk.pin(lane, token as Address, caller), Effect.fail)
        )
      )
    })

    return handlers
      .handle("getArcHolders", ({ params, query, request }) =>
        answered(
          Effect.flatMap(laneOfFamily(lanes, "arc"), lane =>
            getHolders(lane, params.address, query, callerOf(request.headers))
          )
        )
      )
      .handle("getRhHolders", ({ params, query, request }) =>
        answered(
          Effect.flatMap(laneOfFamily(lanes, "rh"), lane =>
            getHolders(lane, params.address, query, callerOf(request.headers))
          )
        )
      )
      .handle("getChainHolders", ({ params, query, request }) =>
        answered(
          Effect.flatMap(laneOfChain(lanes, params.chain), lane =>
            getHolders(lane, params.address, query, callerOf(request.headers))
          )
        )
      )
  })
)
