/**
 * The simulated Solana as a process's own node: it makes a block a slot but for some that are
 * skipped, and answers JSON-RPC over HTTP on this machine.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Clock, Effect, Predicate, Schedule, Schema } from "effect"
import { optionalText } from "../../../src/platform/environment.ts"
import { seededRandom } from "../devchain/random.ts"
import { Bank } from "./bank.ts"
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

/** The node cannot listen, or its machine fails; the message says which. */
class NodeFailed extends Schema.TaggedError<NodeFailed>()("NodeFailed", {
  message: Schema.String
}) {}

export interface NodeOptions extends GenesisPlan {
  /** 0 for any that is free */
  readonly port: number
  readonly slotMs: number
}

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

/** Sends what wallets plan for the slot `age` slots after the first, and makes its block. */
const makeSlot = (
  { bank, genesis }: Pick<SolanaNode, "bank" | "genesis">,
  plan: { readonly market: Market; readonly prices: FairPrices; readonly age: number },
  slot: number
) =>
  Effect.gen(function* () {
    const timeSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const { blockhash } = bank.head
    yield* plan.market.read(bank)
    const planned = yield* planSlot({ bank, genesis, ...plan, timeSeconds })
    for (const { user, instructions } of planned)
      bank.send(yield* Effect.promise(() => signed(user.signer, blockhash, instructions)))
    bank.produce(slot, Math.max(timeSeconds, bank.head.blockTime))
  })

/** Starts a node for the length of the scope; its chain begins now, and moves by `step` alone. */
export const startNode = ({ port, slotMs, ...plan }: NodeOptions) =>
  Effect.gen(function* () {
    const genesis = yield* makeGenesis(plan)
    const now = yield* Clock.currentTimeMillis
    const first = Math.floor((now - FIRST_SLOT_MS) / slotMs)
    const programs = yield* programsOf(yield* optionalText("SVM_PROGRAMS"))
    const bank = new Bank(genesis, first, Math.floor(now / 1000), programs)
    const market = yield* makeMarket(genesis)
    const prices = fairPricesOf(genesis, bank)
    const server = yield* listen(bank, port)
    const address = server.address()
    const url = `http://127.0.0.1:${Predicate.isObject(address) ? (address as { port: number }).port : port}`
    let slot = first
    const step = Effect.suspend(() => {
      slot++
      // what the seed decides is counted from the first slot, which is another at each start
      const age = slot - first
      if (seededRandom(plan.seed, "skips", age).chance(CHANCE_OF_NO_BLOCK)) return Effect.void
      return makeSlot({ bank, genesis }, { market, prices, age }, slot)
    })
    return { url, bank, genesis, step }
  })

/** Makes a slot every `slotMs` until it is interrupted. */
export const keepMaking = (node: SolanaNode, slotMs: number) =>
  node.step.pipe(Effect.repeat(Schedule.fixed(slotMs)))
