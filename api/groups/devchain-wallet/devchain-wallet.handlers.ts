import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import type { ChainNode } from "../../../engine/trade/chain-node.ts"
import { Trade } from "../../../engine/trade/trade.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { visitorOf } from "../../../streams/sources/devchain/wallets.ts"
import { answered, freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { requiredField } from "../../body-fields.ts"
import { Refusal } from "../../errors.ts"
import { servedLane } from "../served-lane.ts"
import { type WalletAnswer, WalletBody } from "./devchain-wallet.api.ts"

const TYPE = "application/json"

const Accounts = Schema.Array(Schema.String)
const Quantity = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]+$/))
const Told = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]*$/))
const Receipt = Schema.NullOr(Schema.Struct({ status: Schema.String, blockNumber: Schema.String }))

const refuse = (status: number, code: string, message: string) =>
  new Refusal({ status, code, message })

/** What is said where the method needs a field that the body lacks. */
const lacking = (field: "call" | "hash"): string => requiredField(WalletBody, [field])

/** Kinds of errors that say nothing of what was asked: the node does not answer. */
const SILENT: ReadonlySet<string> = new Set(["timeout", "dead", "bad-answer", "rate-limited"])

const told = ({ kind, message }: RpcError): Refusal =>
  SILENT.has(kind)
    ? refuse(503, "TRADE_UNAVAILABLE", message)
    : refuse(400, "NODE_REFUSED", message)

/** What a node answers, of the form it has by its own documentation. */
const ask = <S extends Schema.Codec<unknown, unknown>>(
  node: ChainNode,
  form: S,
  method: string,
  params: ReadonlyArray<unknown>
) =>
  node.ask(method, params).pipe(
    Effect.mapError(told),
    Effect.flatMap(answer =>
      Effect.mapError(Schema.decodeUnknownEffect(form)(answer), () =>
        refuse(503, "TRADE_UNAVAILABLE", `the node's answer to ${method} is of another form`)
      )
    )
  )

/** Half as much gas again as is estimated now: pools write some things once a block. */
const gasOf = (node: ChainNode, call: WalletBody["call"]) =>
  Effect.map(
    ask(node, Quantity, "eth_estimateGas", [call]),
    estimate => `0x${((BigInt(estimate) * 3n) / 2n).toString(16)}`
  )

/** What each method that only tells something is asked with. */
const paramsOf = (account: string, { method, call }: WalletBody) => {
  switch (method) {
    case "eth_getBalance":
      return [account, "latest"]
    case "eth_gasPrice":
      return []
    case "eth_call":
      return call === undefined ? null : [call, "latest"]
    default:
      return null
  }
}

const sent = (node: ChainNode, account: string, { call }: WalletBody) =>
  Effect.gen(function* () {
    if (call?.from.toLowerCase() !== account) {
      const message = `${lacking("call")}, with ${account} for its from`
      return yield* refuse(400, "INVALID_PARAMS", message)
    }
    const gas = call.gas ?? (yield* gasOf(node, call))
    return yield* ask(node, Schema.String, "eth_sendTransaction", [{ ...call, gas }])
  })

const asked = (node: ChainNode, body: WalletBody) =>
  Effect.gen(function* () {
    const account = visitorOf(yield* ask(node, Accounts, "eth_accounts", [])).toLowerCase()
    const { method, hash } = body
    const answer: WalletAnswer = { account, hash: null, value: null, receipt: null }
    if (method === "eth_accounts") return answer
    if (method === "eth_sendTransaction") {
      return { ...answer, hash: yield* sent(node, account, body) }
    }
    if (method !== "eth_getTransactionReceipt") {
      const params = paramsOf(account, body)
      if (params === null) return yield* refuse(400, "INVALID_PARAMS", lacking("call"))
      return { ...answer, value: yield* ask(node, Told, method, params) }
    }
    if (hash === undefined) return yield* refuse(400, "INVALID_PARAMS", lacking("hash"))
    return { ...answer, receipt: yield* ask(node, Receipt, method, [hash]) }
  })

export const DevchainWalletHandlers = HttpApiBuilder.group(
  Api,
  "devchainWallet",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const trade = yield* Trade
    const wallet = Effect.fnUntraced(function* (body: WalletBody) {
      const lane = yield* servedLane(lanes, String(body.chainId))
      if (lane.config.simulated !== true) {
        const message = `chain ${body.chainId} is no simulated chain: use a wallet of your own`
        return yield* refuse(404, "NOT_FOUND", message)
      }
      if (lane.status().state === "history") {
        const message = `chain ${body.chainId} is a log as it stands: no node of it runs`
        return yield* refuse(404, "NOT_FOUND", message)
      }
      const { node } = trade.site(lane.config.key)
      if (node === null) return yield* refuse(503, "TRADE_UNAVAILABLE", "the chain is starting")
      return yield* asked(node, body)
    })
    return handlers.handle("postDevchainWallet", ({ payload }) =>
      answered(Effect.map(wallet(payload), answer => freshText(JSON.stringify(answer), TYPE, {})))
    )
  })
)
