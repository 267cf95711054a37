/**
 * Events of Curve's StableSwap pools, old ones with arrays of fixed length (curvefi/curve-contract,
 * pool-templates) and stable-ng (CurveStableSwapNG.vy), sliced word by word. Pools have two to
 * eight coins; a swap's two columns stand for its coins in the order of their places.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import type { EventDecoder } from "../../venue.ts"
import { arrayLength, arrayProblem, arrayRejection } from "../abi-array.ts"
import {
  curveEvent,
  isPlace,
  MAX_COINS,
  pushCurveReserves,
  pushCurveSwap
} from "../curve-events.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { parametersOf, pushParameter } from "../parameter-event.ts"
import { isAddressWord, isZeroWord, lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

const KIND = "curve-stable"

const exchange =
  (isUnderlying: boolean) =>
  (log: RawLog, out: BatchBuilder): string | null =>
    checkIndexed(log, 1, 4) ?? pushCurveSwap(log, out, KIND, isUnderlying)

/** What an event about all coins tells: whether they leave, and whether the invariant is there. */
interface Change {
  readonly isOut: boolean
  readonly hasInvariant: boolean
}

/** The coins' amounts, the invariant with them, the fees for imbalance, the pool token's supply. */
const pushChange = (
  log: RawLog,
  out: BatchBuilder,
  { isOut, hasInvariant }: Change,
  coins: number,
  amounts: number,
  fees: number,
  rest: number
): null => {
  const at = log.logIndex
  const pool = pushCurveReserves(log, out, KIND, 0, coins, amounts, isOut, "liquidity")
  if (hasInvariant) pushParameter(out, at, pool, "invariant", log.data, word(rest))
  for (let i = 0; i < coins; i++) {
    const from = word(fees + i)
    if (!isZeroWord(log.data, from)) {
      pushParameter(out, at, pool, "imbalanceFee", log.data, from, i)
    }
  }
  const supply = word(rest + (hasInvariant ? 1 : 0))
  pushParameter(out, at, pool, "totalSupply", log.data, supply)
  return null
}

const fixedChange =
  (change: Change, coins: number) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const problem = checkIndexed(log, 1, coins * 2 + (change.hasInvariant ? 2 : 1))
    return problem ?? pushChange(log, out, change, coins, 0, coins, coins * 2)
  }

const listChange =
  (change: Change) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    if (log.topicCount !== 2) return rejection.topicCount
    if (!isAddressWord(log.topics, word(1))) return rejection.address
    const head = change.hasInvariant ? 4 : 3
    if (log.dataLength < word(head + 2)) return rejection.dataLength
    const coins = arrayLength(log, 0, head)
    if (coins < 0) return arrayProblem(coins)
    const fees = arrayLength(log, 1, head + 1 + coins)
    if (fees < 0) return arrayProblem(fees)
    if (fees !== coins) return arrayRejection.lengths
    if (coins === 0) return arrayRejection.empty
    if (coins > MAX_COINS) return arrayRejection.length
    if (log.dataLength !== word(head + 2 + 2 * coins)) return rejection.dataLength
    return pushChange(log, out, change, coins, head + 1, head + 2 + coins, 2)
  }

/** A withdrawal in one coin of known or unknown place. */
const pushOne = (
  log: RawLog,
  out: BatchBuilder,
  burned: number,
  place: number,
  amount: number,
  supply: number | null
): null => {
  const pool = out.ids.account(log.account)
  pushParameter(out, log.logIndex, pool, "burned", log.data, word(burned))
  pushCurveReserves(log, out, KIND, place, 1, amount, true, "one-coin")
  if (supply !== null) pushParameter(out, log.logIndex, pool, "totalSupply", log.data, word(supply))
  return null
}

/** The first pools: neither place nor supply is told. */
const removeOneShort = (log: RawLog, out: BatchBuilder): string | null =>
  checkIndexed(log, 1, 2) ?? pushOne(log, out, 0, NULL_I32, 1, null)

/**
 * Two layouts with one signature: burned, amount and supply in StableSwap pools; burned, place and
 * amount in Curve's crypto pools. No withdrawal pays less than eight units, so a second word that
 * can be a place is one.
 */
const removeOneMiddle = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 3)
  if (problem !== null) return problem
  if (!isPlace(log.data, word(1))) return pushOne(log, out, 0, NULL_I32, 1, 2)
  const pool = out.ids.account(log.account)
  pushParameter(out, log.logIndex, pool, "burned", log.data, word(0))
  const place = lowInt32(log.data, word(1))
  pushCurveReserves(log, out, "curve-crypto", place, 1, 2, true, "one-coin")
  return null
}

const removeOneLong = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 4)
  if (problem !== null) return problem
  if (!isPlace(log.data, word(0))) return rejection.coin
  return pushOne(log, out, 1, lowInt32(log.data, word(0)), 2, 3)
}

const added: Change = { isOut: false, hasInvariant: true }
const removed: Change = { isOut: true, hasInvariant: false }
const imbalanced: Change = { isOut: true, hasInvariant: true }

/** Every event of the kind that becomes a fact, the commonest first. */
export const curveStableEvents: ReadonlyArray<EventDecoder> = [
  curveEvent(
    "TokenExchange(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)",
    "0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140",
    exchange(false)
  ),
  curveEvent(
    "TokenExchangeUnderlying(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)",
    "0xd013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b",
    exchange(true)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply)",
    "0x189c623b666b1b45b83d7178f39b8c087cb09774317ca2f53c2d3c3726f222a2",
    listChange(added)
  ),
  curveEvent(
    "RemoveLiquidity(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 token_supply)",
    "0x347ad828e58cbe534d8f6b67985d791360756b18f0d95fd9f197a66cc46480ea",
    listChange(removed)
  ),
  curveEvent(
    "RemoveLiquidityImbalance(address indexed provider, uint256[] token_amounts, uint256[] fees, uint256 invariant, uint256 token_supply)",
    "0x3631c28b1f9dd213e0319fb167b554d76b6c283a41143eb400a0d1adb1af1755",
    listChange(imbalanced)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 invariant, uint256 token_supply)",
    "0x26f55a85081d24974e85c6c00045d0f0453991e95873f52bff0d21af4079a768",
    fixedChange(added, 2)
  ),
  curveEvent(
    "RemoveLiquidity(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 token_supply)",
    "0x7c363854ccf79623411f8995b362bce5eddff18c927edc6f5dbbb5e05819a82c",
    fixedChange(removed, 2)
  ),
  curveEvent(
    "RemoveLiquidityImbalance(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 invariant, uint256 token_supply)",
    "0x2b5508378d7e19e0d5fa338419034731416c4f5b219a10379956f764317fd47e",
    fixedChange(imbalanced, 2)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[3] token_amounts, uint256[3] fees, uint256 invariant, uint256 token_supply)",
    "0x423f6495a08fc652425cf4ed0d1f9e37e571d9b9529b1c1c23cce780b2e7df0d",
    fixedChange(added, 3)
  ),
  curveEvent(
    "RemoveLiquidity(address indexed provider, uint256[3] token_amounts, uint256[3] fees, uint256 token_supply)",
    "0xa49d4cf02656aebf8c771f5a8585638a2a15ee6c97cf7205d4208ed7c1df252d",
    fixedChange(removed, 3)
  ),
  curveEvent(
    "RemoveLiquidityImbalance(address indexed provider, uint256[3] token_amounts, uint256[3] fees, uint256 invariant, uint256 token_supply)",
    "0x173599dbf9c6ca6f7c3b590df07ae98a45d74ff54065505141e7de6c46a624c2",
    fixedChange(imbalanced, 3)
  ),
  curveEvent(
    "AddLiquidity(address indexed provider, uint256[4] token_amounts, uint256[4] fees, uint256 invariant, uint256 token_supply)",
    "0x3f1915775e0c9a38a57a7bb7f1f9005f486fb904e1f84aa215364d567319a58d",
    fixedChange(added, 4)
  ),
  curveEvent(
    "RemoveLiquidity(address indexed provider, uint256[4] token_amounts, uint256[4] fees, uint256 token_supply)",
    "0x9878ca375e106f2a43c3b599fc624568131c4c9a4ba66a14563715763be9d59d",
    fixedChange(removed, 4)
  ),
  curveEvent(
    "RemoveLiquidityImbalance(address indexed provider, uint256[4] token_amounts, uint256[4] fees, uint256 invariant, uint256 token_supply)",
    "0xb964b72f73f5ef5bf0fdc559b2fab9a7b12a39e47817a547f1f0aee47febd602",
    fixedChange(imbalanced, 4)
  ),
  curveEvent(
    "RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount)",
    "0x9e96dd3b997a2a257eec4df9bb6eaf626e206df5f543bd963682d143300be310",
    removeOneShort
  ),
  curveEvent(
    "RemoveLiquidityOne(address indexed provider, uint256 token_amount, uint256 coin_amount, uint256 token_supply)",
    "0x5ad056f2e28a8cec232015406b843668c1e36cda598127ec3b8c59b8c72773a0",
    removeOneMiddle
  ),
  curveEvent(
    "RemoveLiquidityOne(address indexed provider, int128 token_id, uint256 token_amount, uint256 coin_amount, uint256 token_supply)",
    "0x6f48129db1f37ccb9cc5dd7e119cb32750cabdf75b48375d730d26ce3659bbe1",
    removeOneLong
  ),
  curveEvent(
    "RampA(uint256 old_A, uint256 new_A, uint256 initial_time, uint256 future_time)",
    "0xa2b71ec6df949300b59aab36b55e189697b750119dd349fcfa8c0f779e83c254",
    parametersOf("initialA", "futureA", "initialATime", "futureATime")
  ),
  curveEvent(
    "StopRampA(uint256 A, uint256 t)",
    "0x46e22fb3709ad289f62ce63d469248536dbc78d82b84a3d7e74ad606dc201938",
    parametersOf("stoppedA", "stoppedATime")
  ),
  curveEvent(
    "NewFee(uint256 fee, uint256 admin_fee)",
    "0xbe12859b636aed607d5230b2cc2711f68d70e51060e6cca1f575ef5d2fcc95d1",
    parametersOf("fee", "adminFee")
  ),
  curveEvent(
    "NewFee(uint256 fee, uint256 admin_fee, uint256 offpeg_fee_multiplier)",
    "0xcfca96e0fef3432146913b2a5a2268a55d3f475fe057e7ffde1082b77693f4f3",
    parametersOf("fee", "adminFee", "offpegFeeMultiplier")
  ),
  curveEvent(
    "ApplyNewFee(uint256 fee)",
    "0xa8715770654f54603947addf38c689adbd7182e21673b28bcf306a957aaba215",
    parametersOf("fee")
  ),
  curveEvent(
    "ApplyNewFee(uint256 fee, uint256 offpeg_fee_multiplier)",
    "0x750d10a7f37466ce785ee6bcb604aac543358db42afbcc332a3c12a49c80bf6d",
    parametersOf("fee", "offpegFeeMultiplier")
  ),
  curveEvent(
    "ApplyNewAdminFee(uint256 admin_fee)",
    "0xafd278a088f25853d83ca43da1e02bb10dd3a1fcfcf5abf9dd64aca5fa10f880",
    parametersOf("adminFee")
  )
]
