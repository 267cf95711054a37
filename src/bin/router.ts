/** `npm run router`: what deploys the router contract on a chain, and what verifies it there. */
import { Effect } from "effect"
import { routerInput } from "../../engine/trade/contract/compile-router.ts"
import {
  deploymentData,
  routerArguments,
  routerCompiler
} from "../../engine/trade/contract/deployment.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import { runMain } from "../platform/environment.ts"
import { openRpc } from "../platform/rpc.ts"
import { findChain } from "./chain-choice.ts"
import { endpointsOf } from "./endpoints-setting.ts"

const HELP = `Tells how the router contract (engine/trade/contract) is deployed; signs and sends nothing.

  npm run router -- deployment --chain KEY [--chain-file FILE]...
                      the transaction that deploys it on a chain, as JSON: its data, the arguments
                      of the constructor in there, and the gas that RPC_<id> estimates, else null
  npm run router -- verification
                      the compiler's standard JSON, as a verifier of deployed contracts takes it

  --chain KEY         a chain by key or id, such as base
  --chain-file FILE   describes a chain the registry lacks

npm itself prints lines of its own before the command's: npm run --silent router leaves them out.`

const usage = (problem: string) => wrongUsage("router", problem)

const print = (value: unknown) =>
  Effect.sync(() => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`))

/** Asks the endpoints one after the other; null where none tells. Says on standard error why. */
const estimatedGas = Effect.fnUntraced(function* (
  endpoints: ReadonlyArray<string>,
  data: `0x${string}`
) {
  for (const url of endpoints) {
    const rpc = yield* openRpc(url)
    const answer = yield* rpc.request({ method: "eth_estimateGas", params: [{ data }] }).pipe(
      Effect.catch(({ message }) => {
        process.stderr.write(`no estimate: ${message}\n`)
        return Effect.succeed(null)
      })
    )
    if (typeof answer === "string" && /^0x[0-9a-f]+$/i.test(answer)) return Number(answer)
  }
  return null
})

const deployment = Effect.fnUntraced(function* (key: string, files: ReadonlyArray<string>) {
  const chain = yield* findChain(key, files)
  const given = routerArguments(chain)
  const data = deploymentData(given)
  const endpoints = yield* endpointsOf(chain)
  yield* print({
    chain: chain.key,
    chainId: chain.id,
    contract: "Router.sol:Router",
    compiler: routerCompiler,
    arguments: given,
    gasEstimate: yield* estimatedGas(endpoints, data),
    transaction: { to: null, value: "0x0", data }
  })
})

runMain(
  Effect.gen(function* () {
    const { values, positionals } = yield* readArguments("router", {
      allowPositionals: true,
      options: {
        help: { type: "boolean" },
        chain: { type: "string" },
        "chain-file": { type: "string", multiple: true, default: [] }
      }
    })
    if (values.help === true) {
      process.stdout.write(`${HELP}\n`)
      return
    }
    const [what, ...more] = positionals
    if (more.length > 0) return yield* usage(`"${more[0]}" is one word too many`)
    if (what === "verification") return yield* print(routerInput())
    if (what !== "deployment") return yield* usage("deployment or verification is needed")
    if (values.chain === undefined) return yield* usage("--chain KEY is needed, such as base")
    return yield* deployment(values.chain, values["chain-file"])
  }).pipe(Effect.scoped)
)
