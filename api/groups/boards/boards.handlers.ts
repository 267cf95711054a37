import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type Lane, Lanes } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { Trade } from "../../../engine/trade/trade.ts"
import { answered, freshText, laneResponse, whileAlso } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { chainKeyedLane } from "../chains/chain-family.ts"
import { quoteStatus } from "../quote-status.ts"
import {
  BOARD_LIMIT,
  type BoardQuery,
  type DaysQuery,
  type FamilyStatus,
  KEYED_DAYS,
  OWN_DAYS,
  VENUE_DAYS
} from "./boards.api.ts"
import { familyStatus, isBackfilled, isStale } from "./family-status.ts"
import { ownLane } from "./own-lane.ts"
import { tokenBoard } from "./token-board.query.ts"
import { overview, venueShares } from "./totals.query.ts"

const boardParams = (query: BoardQuery) => ({
  sort: query.sort ?? "volume",
  limit: query.limit ?? BOARD_LIMIT,
  offset: query.offset ?? 0,
  includeUnlisted: query.includeUnlisted === "1",
  rules: query.rules ?? null,
  asOf: query.asOf ?? null
})

export const BoardsHandlers = HttpApiBuilder.group(
  Api,
  "boards",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const trade = yield* Trade
    const { version } = yield* EngineInfo
    const clock = yield* Clock.Clock
    const seconds = () => clock.currentTimeMillisUnsafe() / 1000

    const totals = Effect.fnUntraced(function* (lane: Lane, own: boolean) {
      const stale = isStale(lane, seconds())
      const backfilled = isBackfilled(lane)
      const params = { days: own ? OWN_DAYS : KEYED_DAYS, own, stale, backfilled }
      const response = yield* laneResponse(version, lane, ask(overview, params))
      const isSame = () => isStale(lane, seconds()) === stale && isBackfilled(lane) === backfilled
      return whileAlso(response, isSame)
    })
    const venues = (lane: Lane, query: DaysQuery) =>
      laneResponse(version, lane, ask(venueShares, { days: query.days ?? VENUE_DAYS }))
    const tokens = (lane: Lane, query: BoardQuery) =>
      laneResponse(version, lane, ask(tokenBoard, boardParams(query)))
    const status = (lane: Lane) =>
      Effect.map(quoteStatus(trade, lane), quotes => {
        const told: FamilyStatus = { ...familyStatus(lane, seconds()), quotes }
        const position = { seq: told.seq, log: lane.log() }
        return freshText(JSON.stringify(told), "application/json", position)
      })
    const arc = ownLane(lanes, "arc")
    const rh = ownLane(lanes, "rh")
    const keyed = (chain: string) => chainKeyedLane(lanes, chain)

    return handlers
      .handle("arcOverview", () => answered(Effect.flatMap(arc, lane => totals(lane, true))))
      .handle("arcVenues", ({ query }) =>
        answered(Effect.flatMap(arc, lane => venues(lane, query)))
      )
      .handle("arcTokens", ({ query }) =>
        answered(Effect.flatMap(arc, lane => tokens(lane, query)))
      )
      .handle("arcStatus", () => answered(Effect.flatMap(arc, status)))
      .handle("rhOverview", () => answered(Effect.flatMap(rh, lane => totals(lane, true))))
      .handle("rhVenues", ({ query }) => answered(Effect.flatMap(rh, lane => venues(lane, query))))
      .handle("rhTokens", ({ query }) => answered(Effect.flatMap(rh, lane => tokens(lane, query))))
      .handle("rhStatus", () => answered(Effect.flatMap(rh, status)))
      .handle("chainOverview", ({ params }) =>
        answered(Effect.flatMap(keyed(params.chain), lane => totals(lane, false)))
      )
      .handle("chainVenues", ({ params, query }) =>
        answered(Effect.flatMap(keyed(params.chain), lane => venues(lane, query)))
      )
      .handle("chainTokens", ({ params, query }) =>
        answered(Effect.flatMap(keyed(params.chain), lane => tokens(lane, query)))
      )
      .handle("chainStatus", ({ params }) => answered(Effect.flatMap(keyed(params.chain), status)))
  })
)
