import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { holdersQuery } from "../../../projections/holders/queries.ts"
import { answered, laneResponse, whileAlso } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { Refusal } from "../../errors.ts"
import { ownLane } from "../boards/own-lane.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import { heldLane, tokenOn } from "../served-lane.ts"
import { naming } from "../unknown-token.ts"
import { HOLDERS_DEFAULT, type HoldersQuery } from "./holders.api.ts"
import { callerOf, type PinCaller, PinDesk } from "./pin-desk.ts"

/** Holder routes of chains with a route family of their own, by key and id. */
const OWN_ROUTES: { readonly [chain: string]: string } = {
  arc: "/v1/arc/token/{address}/holders",
  "5042": "/v1/arc/token/{address}/holders",
  rh: "/v1/rh/token/{address}/holders",
  "4663": "/v1/rh/token/{address}/holders"
}

/** Returns a chain-keyed route's lane; the refusal also names the chain's own holder route. */
const laneOfChain = (lanes: Lanes["Service"], chain: string) =>
  Effect.mapError(chainKeyedLane(lanes, chain), refusal => {
    const own = chain.toLowerCase()
    return Object.hasOwn(OWN_ROUTES, own)
      ? new Refusal({ ...refusal, message: `${refusal.message}; holders: ${OWN_ROUTES[own]}` })
      : refusal
  })

/** Returns the parts of the source's state that an answer shows; they change without a commit. */
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

    const getHolders = Effect.fnUntraced(function* (
      lane: Lane,
      address: string,
      { limit = HOLDERS_DEFAULT }: HoldersQuery,
      caller: PinCaller
    ) {
      const token = yield* tokenOn(lane, address)
      const progress = progressOf(lane, token)
      const request = ask(holdersQuery, { token, limit, ...progress })
      const response = laneResponse(version, lane, request)
      const isPresent = () => {
        const now = progressOf(lane, token)
        return (
          now.reached === progress.reached &&
          now.problem === progress.problem &&
          now.unaudited === progress.unaudited
        )
      }
      return yield* naming(response, lanes, lane, token).pipe(
        Effect.map(answer => whileAlso(answer, isPresent)),
        Effect.catchIf(
          ({ code }) => code === "HOLDERS_PENDING",
          () => Effect.flatMap(desk.pin(lane, token, caller), Effect.fail)
        )
      )
    })

    return handlers
      .handle("getArcHolders", ({ params, query, request }) =>
        answered(
          Effect.flatMap(ownLane(lanes, "arc"), lane =>
            getHolders(lane, params.address, query, callerOf(request.headers))
          )
        )
      )
      .handle("getRhHolders", ({ params, query, request }) =>
        answered(
          Effect.flatMap(ownLane(lanes, "rh"), lane =>
            getHolders(lane, params.address, query, callerOf(request.headers))
          )
        )
      )
      .handle("getChainHolders", ({ params, query, request }) =>
        answered(
          Effect.flatMap(Effect.flatMap(laneOfChain(lanes, params.chain), heldLane), lane =>
            getHolders(lane, params.address, query, callerOf(request.headers))
          )
        )
      )
  })
)
