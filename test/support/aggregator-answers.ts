/** Right answers of each aggregator, made of an order; tests make them wrong. */
import { allowedRouter } from "../../engine/trade/meta/allow-list.ts"
import type { BuildOrder, Hex } from "../../engine/trade/meta/protocol/provider.ts"
import type {
  Answering,
  ProviderLaws,
  Told
} from "../../engine/trade/meta/protocol/provider-laws.ts"
import { PROVIDER_IDS, PROVIDERS, type ProviderId } from "../../engine/trade/meta/providers/all.ts"

const NOBODY: Hex = `0x${"00".repeat(20)}`
export const EXECUTOR: Hex = `0x${"e7".repeat(20)}`

/** What each provider tells in `<name>.laws.ts` beside it. */
const told = await Promise.all(
  PROVIDER_IDS.map(async id => {
    const path = `../../engine/trade/meta/providers/${id}.laws.ts`
    return [id, ((await import(path)) as { laws: ProviderLaws }).laws] as const
  })
)
export const lawsOf = Object.fromEntries(told) as { readonly [id in ProviderId]: ProviderLaws }

export const toldOf = (order: BuildOrder, minimumOut: bigint): Told => ({
  ...{ tokenIn: order.tokenIn, tokenOut: order.tokenOut, amountIn: order.amountIn },
  ...{ minimumOut, recipient: order.recipient, flags: 0n, executor: EXECUTOR }
})

export const answeringOf = (
  id: ProviderId,
  order: BuildOrder,
  amountOut: bigint,
  minimumOut: bigint
): Answering => {
  const nobody = { router: NOBODY, spender: NOBODY }
  const { router, spender } = allowedRouter(PROVIDERS[id], order.chainId) ?? nobody
  const data = lawsOf[id].dataOf(toldOf(order, minimumOut))
  return { order, amountOut, router, spender, value: 0n, data, chainId: order.chainId }
}
