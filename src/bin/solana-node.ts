/** `npm run solana:node`: a simulated Solana with traders, which answers JSON-RPC. */
import { Effect } from "effect"
import { MARKET, SLOT_MS } from "../../streams/sources/solana-devchain/devchain.ts"
import { keepMaking, startNode } from "../../streams/sources/solana-devchain/node.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { loggerLayer } from "./logging.ts"

const DEFAULT_PORT = 8899

const HELP = `Runs a simulated Solana on this machine: a real SVM with the real token programs, small
programs of ours that speak swaps and liquidity of Raydium CPMM, launches, swaps and graduation of
pump.fun's curves and swaps of PumpSwap, into which they graduate, and seeded traders. Nothing of it
is on the real chain.

  npm run solana:node

  --port N            where it answers JSON-RPC (default ${DEFAULT_PORT}; 0: any that is free)
  --seed TEXT         what its market and traders follow from (default swaptape)
  --data DIR          where it keeps its chain, to go on with it at the next start, also after a
                      kill -9 (default: none; it keeps nothing, and each start begins a chain)

  SVM_PROGRAMS=DIR    real programs in place of ours: each <address>.so of the folder, as "solana
                      program dump" writes it; a chain that is kept goes on only with those of its start

It ends with Ctrl-C. Its blocks are checked with
  curl -s http://127.0.0.1:${DEFAULT_PORT} -d '{"jsonrpc":"2.0","id":1,"method":"getBlock","params":[SLOT,
    {"commitment":"confirmed","maxSupportedTransactionVersion":0}]}' > block.json
  npm run solana:check -- block.json`

const portFrom = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) < 65_536
    ? Effect.succeed(Number(text))
    : Effect.fail(wrongUsage("solana:node", `--port ${text} is no port`))

const run = (port: number, seed: string, folder: string | null) =>
  Effect.gen(function* () {
    const node = yield* startNode({ ...MARKET, seed, port, folder, slotMs: SLOT_MS })
    yield* Effect.logInfo(`simulated Solana on ${node.url}, slot ${node.bank.head.slot}`)
    yield* keepMaking(node, SLOT_MS)
  }).pipe(Effect.scoped)

runMain(
  Effect.gen(function* () {
    const { values } = yield* readArguments("solana:node", {
      options: {
        help: { type: "boolean" },
        data: { type: "string" },
        port: { type: "string", default: String(DEFAULT_PORT) },
        seed: { type: "string", default: "swaptape" }
      }
    })
    if (values.help === true) {
      yield* Effect.sync(() => process.stdout.write(`${HELP}\n`))
      return
    }
    yield* run(yield* portFrom(values.port), values.seed, values.data ?? null)
  }).pipe(Effect.provide(loggerLayer(false)))
)
