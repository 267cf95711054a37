/**
 * Events of Curve's crypto pools of two and three coins: the first ones (curvefi/
 * curve-crypto-contract) and twocrypto-ng and tricrypto-ng, whose events tell the price scale too.
 * `RemoveLiquidityOne` of the first pools has StableSwap's signature and is decoded there.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import type { EventDecoder } from "../../venue.ts"
import { curveEvent, isPlace, pushCurveReserves, pushCurveSwap } from "../curve-events.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { parametersOf, pushParameter } from "../parameter-event.ts"
import { lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

const KIND = "curve-crypto"

/** A number of the pool from one word of the data. */
const pushNumber = (
  log: RawLog,
  out: BatchBuilder,
  pool: number,
  name: string,
  at: number,
  index: number = NULL_I32
): void => pushParameter(out, log.logIndex, pool, name, log.data, word(at), index)

const exchange = (log: RawLog, out: BatchBuilder): string | null =>
  checkIndexed(log, 1, 4) ?? pushCurveSwap(log, out, KIND, false)

/** The fee is in units of the bought coin. */
const exchangeWithPrice = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 6) ?? pushCurveSwap(log, out, KIND, false)
  if (problem !== null) return problem
  const pool = out.ids.account(log.account)
  pushNumber(log, out, pool, "feeAmount", 4, lowInt32(log.data, word(2)))
  pushNumber(log, out, pool, "priceScale", 5)
  return null
}

/** The fee is in pool tokens. */
const added =
  (coins: number, hasPrice: boolean) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const problem = checkIndexed(log, 1, coins + (hasPrice ? 3 : 2))
    if (problem !== null) return problem
    const pool = pushCurveReserves(log, out, KIND, 0, coins, 0, false, "liquidity")
    pushNumber(log, out, pool, "liquidityFee", coins)
    if (hasPrice) pushNumber(log, out, pool, "priceScale", coins + 2)
    pushNumber(log, out, pool, "totalSupply", coins + 1)
    return null
  }

const removed =
  (coins: number) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const problem = checkIndexed(log, 1, coins + 1)
    if (problem !== null) return problem
    const pool = pushCurveReserves(log, out, KIND, 0, coins, 0, true, "liquidity")
    pushNumber(log, out, pool, "totalSupply", coins)
    return null
  }

const removedOne = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  const problem = checkIndexed(log, 1, 5)
  if (problem !== null) return problem
  if (!isPlace(data, word(1))) return rejection.coin
  const pool = out.ids.account(log.account)
  pushNumber(log, out, pool, "burned", 0)
  pushCurveReserves(log, out, KIND, lowInt32(data, word(1)), 1, 2, true, "one-coin")
  pushNumber(log, out, pool, "priceScale", 4)
  return null
}

/** The DAO's share of the profit, in coins. */
const claimed = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 2)
  if (problem !== null) return problem
  pushCurveReserves(log, out, KIND, 0, 2, 0, true, "fee")
  return null
}

/** The DAO's share of the profit, in pool tokens that are minted. */
const claimedTokens = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 1)
  if (problem !== null) return problem
  pushNumber(log, out, out.ids.account(log.account), "claimedFee", 0)
  return null
}

/** Decodes numbers whose order depends on the pool's version, so by place. */
const listSet =
  (count: number) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    if (log.topicCount !== 1) return rejection.topicCount
    if (log.dataLength !== word(count)) return rejection.dataLength
    const pool = out.ids.account(log.account)
    for (let i = 0; i < count; i++) pushNumber(log, out, pool, "newFeeParameters", i, i)
    return null
  }

/** Every event of the kind that becomes a fact, the commonest first. */
export const curveCryptoEvents: ReadonlyArray<EventDecoder> = [
  curveEvent(
    "TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought)",
    "0xb2e76ae99761dc136e598d4a629bb347eccb9532a5f8bbd72e18467c3c34cc98",
    exchange
  ),
  curveEvent(
    "TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought, uint256 fee, uint256 packed_price_scale)",
    "0x143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c",
    exchangeWithPrice
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[2] token_amounts, uint256 fee, uint256 token_supply)",
    "0x540ab385f9b5d450a27404172caade516b3ba3f4be88239ac56a2ad1de2a1f5a",
    added(2, false)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256 fee, uint256 token_supply)",
    "0x96b486485420b963edd3fdec0b0195730035600feb7de6f544383d7950fa97ee",
    added(3, false)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[2] token_amounts, uint256 fee, uint256 token_supply, uint256 packed_price_scale)",
    "0x7196cbf63df1f2ec20638e683ebe51d18260be510592ee1e2efe3f3cfd4c33e9",
    added(2, true)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256 fee, uint256 token_supply, uint256 packed_price_scale)",
    "0xe1b60455bd9e33720b547f60e4e0cfbf1252d0f2ee0147d53029945f39fe3c1a",
    added(3, true)
  ),
  curveEvent(
    "RemoveLiquidity(address indexed provider, uint256[2] token_amounts, uint256 token_supply)",
    "0xdd3c0336a16f1b64f172b7bb0dad5b2b3c7c76f91e8c4aafd6aae60dce800153",
    removed(2)
  ),
  curveEvent(
    "RemoveLiquidity(address indexed provider, uint256[3] token_amounts, uint256 token_supply)",
    "0xd6cc314a0b1e3b2579f8e64248e82434072e8271290eef8ad0886709304195f5",
    removed(3)
  ),
  curveEvent(
    "RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_index, uint256 coin_amount, uint256 approx_fee, uint256 packed_price_scale)",
    "0xe200e24d4a4c7cd367dd9befe394dc8a14e6d58c88ff5e2f512d65a9e0aa9c5c",
    removedOne
  ),
  curveEvent(
    "ClaimAdminFee(address indexed admin, uint256[2] tokens)",
    "0x3bbd5f2f4711532d6e9ee88dfdf2f1468e9a4c3ae5e14d2e1a67bf4242d008d0",
    claimed
  ),
  curveEvent(
    "ClaimAdminFee(address indexed admin, uint256 tokens)",
    "0x6059a38198b1dc42b3791087d1ff0fbd72b3179553c25f678cd246f52ffaaf59",
    claimedTokens
  ),
  curveEvent(
    "RampAgamma(uint256 initial_A, uint256 future_A, uint256 initial_gamma, uint256 future_gamma, uint256 initial_time, uint256 future_time)",
    "0xe35f0559b0642164e286b30df2077ec3a05426617a25db7578fd20ba39a6cd05",
    parametersOf(
      "initialA",
      "futureA",
      "initialGamma",
      "futureGamma",
      "initialATime",
      "futureATime"
    )
  ),
  curveEvent(
    "StopRampA(uint256 current_A, uint256 current_gamma, uint256 time)",
    "0x5f0e7fba3d100c9e19446e1c92fe436f0a9a22fe99669360e4fdd6d3de2fc284",
    parametersOf("stoppedA", "stoppedGamma", "stoppedATime")
  ),
  curveEvent(
    "NewParameters(uint256 mid_fee, uint256 out_fee, uint256 fee_gamma, uint256 allowed_extra_profit, uint256 adjustment_step, uint256 ma_time)",
    "0xa32137411fc7c20db359079cd84af0e2cad58cd7a182a8a5e23e08e554e88bf0",
    listSet(6)
  ),
  curveEvent(
    "NewParameters(uint256 mid_fee, uint256 out_fee, uint256 fee_gamma, uint256 allowed_extra_profit, uint256 adjustment_step, uint256 ma_time, uint256 xcp_ma_time)",
    "0x1c65bbdc939f346e5d6f0bde1f072819947438d4fc7b182cc59c2f6dc5504087",
    listSet(7)
  )
]
