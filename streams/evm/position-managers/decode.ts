/**
 * Events of the contracts that hold positions as ERC-721 tokens: Uniswap's
 * NonfungiblePositionManager (v3-periphery 1.0), its copies at PancakeSwap, Sushi, Velodrome and
 * Aerodrome, and Algebra's own. The pool and the range stand in the pool's log before, not here.
 * Amounts are the position's: what leaves it is negative.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { fitsUnsigned, isAddressWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

const UINT128 = 16

/** Where the event tells who: references of the batch's id table, absent where it does not. */
interface Told {
  readonly pool?: number
  readonly owner?: number
  readonly recipient?: number
}

/** All but liquidity and amounts; `tokenAt` is the topic that holds the token's id. */
const pushChange = (
  log: RawLog,
  out: BatchBuilder,
  change: string,
  tokenAt: number,
  told: Told
): void => {
  const c = out.columns.PositionChanged
  c.manager.push(out.ids.account(log.account))
  c.tokenId.pushUnsigned(log.topics, word(tokenAt))
  c.change.push(out.sym(change))
  c.pool.push(told.pool ?? NONE)
  c.owner.push(told.owner ?? NONE)
  c.recipient.push(told.recipient ?? NONE)
  c.tickLower.push(NULL_I32)
  c.tickUpper.push(NULL_I32)
}

const increase = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== word(3)) return rejection.dataLength
  if (!fitsUnsigned(data, word(0), UINT128)) return rejection.uint128
  pushChange(log, out, "increase", 1, {})
  const c = out.columns.PositionChanged
  c.liquidity.pushUnsigned(data, word(0))
  c.amount0.pushUnsigned(data, word(1))
  c.amount1.pushUnsigned(data, word(2))
  out.end("PositionChanged", log.logIndex)
  return null
}

/** What was asked for stands before what was added: less where a token takes a fee. */
const algebraIncrease = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== word(5)) return rejection.dataLength
  if (!fitsUnsigned(data, word(0), UINT128)) return rejection.uint128
  if (!fitsUnsigned(data, word(1), UINT128)) return rejection.uint128
  if (!isAddressWord(data, word(4))) return rejection.address
  const pool = out.ids.addressWord(data, word(4))
  pushChange(log, out, "increase", 1, { pool })
  const c = out.columns.PositionChanged
  c.liquidity.pushUnsigned(data, word(1))
  c.amount0.pushUnsigned(data, word(2))
  c.amount1.pushUnsigned(data, word(3))
  out.end("PositionChanged", log.logIndex)
  return null
}

/** The amounts are owed from now on; `Collect` tells when they are paid. */
const decrease = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== word(3)) return rejection.dataLength
  if (!fitsUnsigned(data, word(0), UINT128)) return rejection.uint128
  pushChange(log, out, "decrease", 1, {})
  const c = out.columns.PositionChanged
  c.liquidity.pushNegated(data, word(0))
  c.amount0.pushNegated(data, word(1))
  c.amount1.pushNegated(data, word(2))
  out.end("PositionChanged", log.logIndex)
  return null
}

const collect = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  if (log.dataLength !== word(3)) return rejection.dataLength
  if (!isAddressWord(data, word(0))) return rejection.address
  const recipient = out.ids.addressWord(data, word(0))
  pushChange(log, out, "collect", 1, { recipient })
  const c = out.columns.PositionChanged
  c.liquidity.pushNull()
  c.amount0.pushNegated(data, word(1))
  c.amount1.pushNegated(data, word(2))
  out.end("PositionChanged", log.logIndex)
  return null
}

const transfer = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== 0) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  const owner = out.ids.addressWord(topics, word(2))
  pushChange(log, out, "transfer", 3, { owner })
  const c = out.columns.PositionChanged
  c.liquidity.pushNull()
  c.amount0.pushNull()
  c.amount1.pushNull()
  out.end("PositionChanged", log.logIndex)
  return null
}

/** What any position manager logs, believed of its own tokens. */
export const positionManagerEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)",
    topic0: "0x40d0efd1a53d60ecbf40971b9daf7dc90178c3aadc7aab1765632738fa8b8f01",
    decode: collect,
    emitterIsPool: false
  },
  {
    abi: "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
    topic0: "0x3067048beee31b25b2f1681f88dac838c8bba36af25bfb2b7cf7473a5847e35f",
    decode: increase,
    emitterIsPool: false
  },
  {
    abi: "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
    topic0: "0x26f6a048ee9138f2c0ce266f322cb99228e8d619ae2bff30c67f8dcf9d2377b4",
    decode: decrease,
    emitterIsPool: false
  },
  {
    abi: "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidityDesired, uint128 actualLiquidity, uint256 amount0, uint256 amount1, address pool)",
    topic0: "0x8a82de7fe9b33e0e6bca0e26f5bd14a74f1164ffe236d50e0a36c3ea70f2b814",
    decode: algebraIncrease,
    emitterIsPool: false
  }
]

/** Every ERC-20 token logs the same topic: only of managers that the chain's list has. */
export const positionTransfer: EventDecoder = {
  abi: "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
  topic0: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  decode: transfer,
  emitterIsPool: false
}
