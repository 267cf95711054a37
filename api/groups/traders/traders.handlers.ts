import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { rpcSettingOf } from "../../../src/domain/shown-chain.ts"
import { answered, freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { Refusal } from "../../errors.ts"
import { withheldOr } from "../withheld-chain.ts"
import { type Kept, notBuilt, TraderBoards } from "./kept-boards.ts"
import { dayAnswer, smartAnswer } from "./shown-boards.ts"
import type { DayQuery, SmartQuery } from "./traders.api.ts"

/** Refuses where Solana is not served to whoever asks. */
const served = (lanes: Lanes["Service"]): Effect.Effect<void, Refusal> => {
  if (lanes.find(solana.key) !== undefined) return Effect.void
  const setting = rpcSettingOf(solana)
  const message = `${solana.key} is off on this deployment; set ${setting} to turn it on`
  const refusal = new Refusal({ status: 503, code: "CHAIN_NOT_ENABLED", message })
  return Effect.fail(withheldOr(lanes, solana.key, refusal))
}

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
        yield* served(lanes)
        const days = Number(query.days ?? 7)
        const kept = boards.smart(days)
        if (kept === null) return yield* notBuilt(`the board of smart traders of ${days} days`)
        return response(kept, smartAnswer(kept, query))
      })

    const traders = (query: DayQuery) =>
      Effect.gen(function* () {
        yield* served(lanes)
        const kept = yield* boards.day(query.days ?? 1)
        return response(kept, dayAnswer(kept, query))
      })

    return handlers
      .handle("solanaSmartTraders", ({ query }) => answered(smartTraders(query)))
      .handle("solanaTraders", ({ query }) => answered(traders(query)))
  })
)
