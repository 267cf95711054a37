/**
 * The simulated Solana as a process's own node: it makes a block a slot but for some that are
 * skipped, and answers JSON-RPC over HTTP on this machine.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Clock, Effect, Predicate, Schedule, Schema } from "effect"
import { optionalText } from "../../../src/platform/environment.ts"
import { seededRandom } from "../devchain/random.ts"
import { Bank } from "./bank.ts"
import { type ChainStore, openChainStore } from "./chain-store.ts"
import { type Genesis, type GenesisPlan, makeGenesis } from "./genesis.ts"
import { type Market, makeMarket } from "./market.ts"
import { type FairPrices, fairPricesOf } from "./moment.ts"
import { programsOf } from "./programs.ts"
import { answerCall, RpcError } from "./rpc.ts"
import { signed } from "./sign.ts"
import { planSlot } from "./traders.ts"

const MOST_BODY_BYTES = 100_000
const CHANCE_OF_NO_BLOCK = 1 / 30
/** When the real chain began: slots are counted from there, so that they are of its size. */
const FIRST_SLOT_MS = Date.UTC(2020, 2, 16, 14, 29)

/** The node cannot listen, or cannot keep its chain; the message says which. */
class NodeFailed extends Schema.TaggedError<NodeFailed>()("NodeFailed", {
  message: Schema.String
}) {}

export interface NodeOptions extends GenesisPlan {
  /** 0 for any that is free */
  readonly port: number
  readonly slotMs: number
  /** where it keeps its chain; without, each start begins another */
  readonly folder?: string | null
  /** what to do, in words, where the folder's chain cannot go on */
  readonly anew?: string
}

const ANOTHER = "use another folder or remove this one to begin another chain"

export interface SolanaNode {
  readonly url: string
  readonly bank: Bank
  readonly genesis: Genesis
  /** makes the next slot's block, or none where the seed skips it */
  readonly step: Effect.Effect<void, NodeFailed>
}

const errorText = (id: unknown, { code, message, data }: RpcError): string =>
  JSON.stringify({ jsonrpc: "2.0", error: { code, message, data }, id })

/** The answer to the body of a request. */
const answerText = (bank: Bank, body: string): Effect.Effect<string> =>
  Effect.try({
    try: () => {
      const call: unknown = JSON.parse(body)
      if (!Predicate.isObject(call)) return errorText(null, new RpcError(-32600, "Invalid request"))
      const { id = null, method, params = [] } = call as { readonly [name: string]: unknown }
      if (typeof method !== "string" || !Array.isArray(params))
        return errorText(id, new RpcError(-32600, "Invalid request"))
      const answer = answerCall(bank, method, params)
      return answer instanceof RpcError
        ? errorText(id, answer)
        : JSON.stringify({ jsonrpc: "2.0", result: answer, id })
    },
    catch: cause => String(cause)
  }).pipe(
    Effect.catch(problem =>
      Effect.succeed(errorText(null, new RpcError(-32700, `Parse error: ${problem}`)))
    )
  )

const handle = (bank: Bank, request: IncomingMessage, response: ServerResponse): void => {
  const parts: Array<Buffer> = []
  let size = 0
  request.on("data", (part: Buffer) => {
    size += part.length
    if (size > MOST_BODY_BYTES) {
      response.writeHead(413).end()
      request.destroy()
    } else parts.push(part)
  })
  request.on("end", () => {
    const text = Effect.runSync(answerText(bank, Buffer.concat(parts).toString("utf8")))
    response.writeHead(200, { "content-type": "application/json" }).end(text)
  })
}

const listen = (bank: Bank, port: number) =>
  Effect.acquireRelease(
    Effect.callback<Server, NodeFailed>(resume => {
      const server = createServer((request, response) => handle(bank, request, response))
      server.on("error", ({ message }) =>
        resume(
          Effect.fail(new NodeFailed({ message: `the simulated Solana cannot listen: ${message}` }))
        )
      )
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    server =>
      Effect.callback<void>(resume => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

/** What slots are made of; a chain that is not kept has no store. */
interface Slots extends Pick<SolanaNode, "bank" | "genesis"> {
  readonly market: Market
  readonly prices: FairPrices
  readonly store: ChainStore | null
}

/** Makes the block of what was sent; it is on disk before anybody reads it. */
const makeBlock = ({ bank, store }: Slots, slot: number, timeSeconds: number) =>
  Effect.gen(function* () {
    const made = bank.run(slot, timeSeconds)
    if (store !== null) yield* store.append(made)
    bank.publish(made.block)
    if (store !== null) yield* store.tidy(bank)
  }).pipe(
    Effect.mapError(
      ({ message }) =>
        new NodeFailed({
          message: `the simulated Solana cannot keep its chain (${message}): start it again`
        })
    ),
    Effect.uninterruptible
  )

/** Sends what wallets plan for the slot `age` slots after the first, and makes its block. */
const makeSlot = (slots: Slots, slot: number, age: number) =>
  Effect.gen(function* () {
    const { bank } = slots
    const timeSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const { blockhash } = bank.head
    yield* slots.market.read(bank)
    const planned = yield* planSlot({ ...slots, timeSeconds, age })
    for (const { user, instructions } of planned)
      bank.send(yield* Effect.promise(() => signed(user.signer, blockhash, instructions)))
    yield* makeBlock(slots, slot, Math.max(timeSeconds, bank.head.blockTime))
  })

/** Makes one slot after another; once a block could not be kept no other is made. */
const stepsOf = (slots: Slots, firstSlot: number, startSlot: number) => {
  const { seed } = slots.genesis
  let slot = startSlot
  let failed: NodeFailed | null = null
  return Effect.suspend((): Effect.Effect<void, NodeFailed> => {
    if (failed !== null) return Effect.fail(failed)
    slot++
    // what the seed decides is counted from the first slot, which is another of each chain
    const age = slot - firstSlot
    if (seededRandom(seed, "skips", age).chance(CHANCE_OF_NO_BLOCK)) return Effect.void
    return makeSlot(slots, slot, age)
  }).pipe(
    Effect.tapError(error =>
      Effect.sync(() => {
        failed = error
      })
    )
  )
}

/**
 * Starts a node for the length of the scope; its chain begins now, or goes on where its folder's
 * was, and moves by `step` alone. Slots that passed meanwhile have no blocks.
 */
export const startNode = ({ port, folder = null, anew = ANOTHER, ...plan }: NodeOptions) =>
  Effect.gen(function* () {
    const genesis = yield* makeGenesis(plan)
    const nowMs = yield* Clock.currentTimeMillis
    const nowSlot = Math.floor((nowMs - FIRST_SLOT_MS) / plan.slotMs)
    const programs = yield* programsOf(yield* optionalText("SVM_PROGRAMS"))
    const now = { firstSlot: nowSlot, began: Math.floor(nowMs / 1000) }
    const store = folder === null ? null : yield* openChainStore(folder, plan, programs, now, anew)
    const { firstSlot, began } = store ?? now
    const bank = new Bank(genesis, firstSlot, began, programs)
    const market = yield* makeMarket(genesis)
    // of the first pools as they began
    const prices = fairPricesOf(genesis, bank)
    if (store !== null) yield* store.resume(bank)
    const server = yield* listen(bank, port)
    const address = server.address()
    const url = `http://127.0.0.1:${Predicate.isObject(address) ? (address as { port: number }).port : port}`
    const slots = { bank, genesis, market, prices, store }
    const step = stepsOf(slots, firstSlot, Math.max(bank.head.slot, nowSlot))
    const node: SolanaNode = { url, bank, genesis, step }
    return node
  })

/** Makes a slot every `slotMs` until it is interrupted. */
export const keepMaking = (node: SolanaNode, slotMs: number) =>
  node.step.pipe(Effect.repeat(Schedule.fixed(slotMs)))
