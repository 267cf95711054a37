import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { answered, freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { ownLane } from "../boards/own-lane.ts"
import { type Kept, notBuilt, TraderBoards } from "./kept-boards.ts"
import { dayAnswer, smartAnswer } from "./shown-boards.ts"
import type { DayQuery, SmartQuery } from "./traders.api.ts"

/** A board's answer, made at every request: `computedAt` and `updatedAt` tell how old it is. */
const response = ({ seq, log }: Kept<unknown>, answer: unknown) =>
  freshText(JSON.stringify(answer), "application/json", { seq, log })

export const TradersHandlers = HttpApiBuilder.group(
  Api,
  "traders",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const boards = yield* TraderBoards

    const smartTraders = (query: SmartQuery) =>
      Effect.gen(function* () {
        yield* ownLane(lanes, "solana")
        const days = Number(query.days ?? 7)
        const kept = boards.smart(days)
        if (kept === null) {
          const what = `the board of smart traders of ${days} days`
          return yield* notBuilt(what, boards.unbuilt(days))
        }
        return response(kept, smartAnswer(kept, query))
      })

    const traders = (query: DayQuery) =>
      Effect.gen(function* () {
        yield* ownLane(lanes, "solana")
        const kept = yield* boards.day(query.days ?? 1)
        return response(kept, dayAnswer(kept, query))
      })

    return handlers
      .handle("solanaSmartTraders", ({ query }) => answered(smartTraders(query)))
      .handle("solanaTraders", ({ query }) => answered(traders(query)))
  })
)
