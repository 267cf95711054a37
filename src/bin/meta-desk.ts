/** Runs the aggregators behind the router, and keeps the moves of their breakers in the log. */
import { Effect, Queue } from "effect"
import { askerOf } from "../../engine/trade/meta/ask-provider.ts"
import { appendMoves, lastMoves } from "../../engine/trade/meta/breaker-log.ts"
import type { BreakerMove } from "../../engine/trade/meta/breakers.ts"
import { fallbacksOf } from "../../engine/trade/meta/fallbacks.ts"
import type { Meta } from "../../engine/trade/meta/meta.ts"
import { type MetaChain, MetaDesk } from "../../engine/trade/meta/meta-desk.ts"
import { eachProvider, PROVIDERS } from "../../engine/trade/meta/providers/all.ts"
import type { Trade } from "../../engine/trade/trade.ts"
import { JetStream } from "../platform/jetstream.ts"
import type { RunningLane } from "./lane-set.ts"
import { readAccess, readFallbacks } from "./meta-setting.ts"

/** The newest block that a lane's tables tell of, which an event of its log must name. */
const newestBlock = ({ client }: RunningLane) => ({
  number: client.status().block ?? 0,
  time: client.status().blockTime ?? 0,
  hash: null,
  parentHash: null
})

/** Appends moves as they come. A log that cannot be written costs the memory of them, no swap. */
const keepMoves = (lanes: ReadonlyArray<RunningLane>, moves: Queue.Queue<BreakerMove>) =>
  Effect.gen(function* () {
    for (;;) {
      const move = yield* Queue.take(moves)
      const lane = lanes.find(({ client }) => client.config.key === move.chain)
      if (lane === undefined) continue
      const { chain, provider, state, cause } = move
      yield* Effect.logInfo(
        `${chain}: ${provider}'s breaker is ${state}${cause === null ? "" : `: ${cause}`}`
      )
      yield* appendMoves(chain, [move], newestBlock(lane)).pipe(
        Effect.catch(({ message }) =>
          Effect.logWarning(`${chain}: the move is not in the log: ${message}`)
        )
      )
    }
  })

/** Goes on from the moves that a chain's log tells; without them where it cannot be read. */
const restore = (desk: MetaDesk, chain: string) =>
  lastMoves(chain).pipe(
    Effect.map(moves => {
      for (const move of moves) desk.restore(move)
    }),
    Effect.catch(({ message }) => Effect.logWarning(message))
  )

const configured = Effect.map(readAccess, access =>
  eachProvider(id => ({
    ask: askerOf(PROVIDERS[id], access[id]),
    hasKey: access[id].key !== null
  }))
)

/** Starts the aggregators for these lanes; the scope's end stops them. */
export const startMeta = (
  lanes: ReadonlyArray<RunningLane>,
  trade: Trade["Service"],
  natsUrl: string
) =>
  Effect.gen(function* () {
    const providers = yield* configured
    const moves = yield* Queue.unbounded<BreakerMove>()
    const desk = new MetaDesk(move => {
      Queue.offerUnsafe(moves, move)
    })
    const chains = new Map<string, MetaChain>()
    for (const { client } of lanes) {
      const { key, id } = client.config
      const fallbacks = yield* readFallbacks(id)
      chains.set(key, {
        key,
        providers: fallbacksOf(client.config, fallbacks, providers),
        node: () => trade.site(key).node
      })
    }
    const log = Effect.andThen(
      Effect.forEach([...chains.keys()], key => restore(desk, key)),
      keepMoves(lanes, moves)
    )
    yield* Effect.forkScoped(Effect.provide(log, JetStream.layer({ url: natsUrl })))
    const nowhere: MetaChain = { key: "", providers: [], node: () => null }
    const chainOf = (key: string) => chains.get(key) ?? nowhere
    return {
      quote: (chain, order) => desk.quote(chainOf(chain), order),
      build: (chain, order, floor, first) => desk.build(chainOf(chain), order, floor, first),
      standing: chain => desk.standing(chainOf(chain))
    } satisfies Meta["Service"]
  })
