/** A wallet of simulated chains: what the page needs of one where nothing is worth anything. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_BODY, ANY_ROUTE, failure } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { TokenAddress } from "../fields.ts"
import { A_WALLET } from "../token-parameter.ts"
import { Address, BodyChainId, Hex } from "../trade/swap.api.ts"

const Hash = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{64}$/)).annotate({
  expected: "0x and 64 hex digits",
  examples: [`0x${"12".repeat(32)}`]
})
const Quantity = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{1,64}$/)).annotate({
  expected: "0x and 1 to 64 hex digits in lower case",
  examples: ["0x0"]
})
const METHODS = [
  "eth_accounts",
  "eth_getBalance",
  "eth_gasPrice",
  "eth_call",
  "eth_sendTransaction",
  "eth_getTransactionReceipt"
] as const

export const WalletBody = Schema.Struct({
  chainId: BodyChainId,
  method: Schema.Literals(METHODS).annotate({
    expected: `one of ${METHODS.join(", ")}`,
    examples: ["eth_accounts"]
  }),
  call: Schema.optionalKey(
    Schema.Struct({
      from: Address,
      to: Address,
      data: Hex,
      value: Quantity,
      gas: Schema.optionalKey(Quantity).annotate({
        description: "its gas limit; half as much again as the node estimates unless told"
      })
    })
  ).annotate({
    expected: "an object with from, to, data and value",
    examples: [{ from: A_WALLET, to: A_WALLET, data: "0x", value: "0x0" }],
    description: "what `eth_sendTransaction` sends, and `eth_call` tries"
  }),
  hash: Schema.optionalKey(Hash).annotate({
    description: "what `eth_getTransactionReceipt` asks about"
  })
}).annotate({
  identifier: "WalletBody",
  description: "what is asked of the wallet: a chain's id and a method"
})
export type WalletBody = typeof WalletBody.Type

export const WalletAnswer = Schema.Struct({
  account: TokenAddress.annotate({ description: "the wallet's only account" }),
  value: Schema.NullOr(Schema.String).annotate({
    description: "what the node answers, hex: of `eth_getBalance`, `eth_gasPrice`, `eth_call`"
  }),
  hash: Schema.NullOr(Schema.String).annotate({ description: "of what was sent" }),
  receipt: Schema.NullOr(
    Schema.Struct({ status: Schema.String, blockNumber: Schema.String })
  ).annotate({ description: "null while the transaction is in no block" })
}).annotate({ identifier: "WalletAnswer" })
export type WalletAnswer = typeof WalletAnswer.Type

export const DevchainWalletApi = HttpApiGroup.make("devchainWallet")
  .add(
    HttpApiEndpoint.post("postDevchainWallet", "/devchain/wallet", {
      payload: WalletBody,
      success: WalletAnswer,
      error: [
        ...ANY_ROUTE,
        failure(400, "UNSUPPORTED_CHAIN"),
        failure(400, "NODE_REFUSED"),
        failure(404, "NOT_FOUND"),
        ...ANY_BODY,
        failure(503, "TRADE_UNAVAILABLE")
      ]
    }).annotateMerge(
      documented({
        toldBy: "others",
        summary: "Wallet of a simulated chain",
        description:
          "One account of a devchain, whose node signs for it, so that the page's swap panel can be tried without a wallet. The engine holds no key. 404 on every other chain."
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Devchain wallet", description: "Of simulated chains alone." })
  )
