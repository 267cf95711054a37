/**
 * Events of Uniswap V3 pools and their factory (Uniswap/v3-core 1.0.1, IUniswapV3PoolEvents and
 * IUniswapV3Factory), sliced word by word. Everything is checked before the first push. Swap
 * amounts are the pool's: positive came in, negative went out.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import type { EventDecoder } from "../../venue.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { checkPosition, checkSwap, pushBurn, pushLiquidityHead, pushSwap } from "../range-events.ts"
import { fitsSigned, fitsUnsigned, isAddressWord, lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

/** Widths in bytes of the narrow integers. */
const UINT24 = 3
const UINT128 = 16
const UINT160 = 20
/** Bits of a tick. */
const INT24 = 24

const poolCreated = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(topics, word(3), UINT24)) return rejection.uint24
  if (!fitsSigned(data, word(0), INT24)) return rejection.int24
  if (!isAddressWord(data, word(1))) return rejection.address
  pushPoolCreated(log, out, {
    kind: "uniswap-v3",
    pool: out.ids.addressWord(data, word(1)),
    bytes: topics,
    token0: word(1),
    fee: lowInt32(topics, word(3)),
    tickSpacing: lowInt32(data, word(0))
  })
  return null
}

const initialize = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!fitsUnsigned(data, word(0), UINT160)) return rejection.uint160
  if (!fitsSigned(data, word(1), INT24)) return rejection.int24
  const c = out.columns.PoolInitialized
  c.pool.push(out.ids.account(log.account))
  c.sqrtPriceX96.pushUnsigned(data, word(0))
  c.tick.push(lowInt32(data, word(1)))
  out.end("PoolInitialized", log.logIndex)
  return null
}

const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkSwap(log, 5)
  if (problem === null) pushSwap(log, out, "uniswap-v3", NULL_I32)
  return problem
}

const mint = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  const problem = checkPosition(log)
  if (problem !== null) return problem
  if (log.dataLength !== word(4)) return rejection.dataLength
  if (!isAddressWord(data, word(0))) return rejection.address
  if (!fitsUnsigned(data, word(1), UINT128)) return rejection.uint128
  pushLiquidityHead(log, out, "uniswap-v3", out.ids.addressWord(data, word(0)))
  const c = out.columns.LiquidityChanged
  c.liquidity.pushUnsigned(data, word(1))
  c.amount0.pushUnsigned(data, word(2))
  c.amount1.pushUnsigned(data, word(3))
  out.end("LiquidityChanged", log.logIndex)
  return null
}

const burn = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkPosition(log)
  if (problem !== null) return problem
  if (log.dataLength !== word(3)) return rejection.dataLength
  if (!fitsUnsigned(log.data, word(0), UINT128)) return rejection.uint128
  pushBurn(log, out, "uniswap-v3")
  return null
}

const collect = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  const problem = checkPosition(log)
  if (problem !== null) return problem
  if (log.dataLength !== word(3)) return rejection.dataLength
  if (!isAddressWord(data, word(0))) return rejection.address
  if (!fitsUnsigned(data, word(1), UINT128)) return rejection.uint128
  if (!fitsUnsigned(data, word(2), UINT128)) return rejection.uint128
  const { ids } = out
  const c = out.columns.FeesCollected
  c.pool.push(ids.account(log.account))
  c.owner.push(ids.addressWord(topics, word(1)))
  c.recipient.push(ids.addressWord(data, word(0)))
  c.tickLower.push(lowInt32(topics, word(2)))
  c.tickUpper.push(lowInt32(topics, word(3)))
  c.amount0.pushUnsigned(data, word(1))
  c.amount1.pushUnsigned(data, word(2))
  out.end("FeesCollected", log.logIndex)
  return null
}

/** Every event of the kind that becomes a fact, the commonest first. */
export const uniswapV3Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
    topic0: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
    decode: swap,
    emitterIsPool: true
  },
  {
    abi: "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
    topic0: "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
    decode: mint,
    emitterIsPool: true
  },
  {
    abi: "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
    topic0: "0x0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c",
    decode: burn,
    emitterIsPool: true
  },
  {
    abi: "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
    topic0: "0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0",
    decode: collect,
    emitterIsPool: true
  },
  {
    abi: "event Initialize(uint160 sqrtPriceX96, int24 tick)",
    topic0: "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95",
    decode: initialize,
    emitterIsPool: true
  },
  {
    abi: "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
    topic0: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118",
    decode: poolCreated,
    emitterIsPool: false
  }
]
