/**
 * Events of Maverick V2 pools and their factory (maverick-v2-examples, `IMaverickV2Pool.sol`,
 * `IMaverickV2Factory.sol`). Nothing is indexed. Token A is token 0, token B is token 1; amounts
 * are unsigned, and a flag tells which came in.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import type { EventDecoder } from "../../venue.ts"
import { parametersOf, pushParameter, pushSignedParameter } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import {
  fitsSigned,
  fitsUnsigned,
  isAddressWord,
  isBoolWord,
  lowInt32,
  type RawLog,
  word
} from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pushNoPrice, pushOneWay, pushPoolTokens, pushSwapHead } from "../swap-columns.ts"
import { addLiquidity, removeLiquidity } from "./decode-liquidity.ts"

const KIND = "maverick-v2"
const UINT8 = 1
const UINT24 = 3
const INT32 = 32

/** Sender, recipient, the amount asked for, A came in, output was exact, tick limit, in, out. */
const poolSwap = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(8)) return rejection.dataLength
  if (!isAddressWord(data, word(0)) || !isAddressWord(data, word(1))) return rejection.address
  if (!isBoolWord(data, word(3)) || !isBoolWord(data, word(4))) return rejection.bool
  if (!fitsSigned(data, word(5), INT32)) return rejection.int32
  const c = out.columns.SwapExecuted
  pushSwapHead(log, out, KIND, data, word(0), word(1))
  pushOneWay(c, data[word(3) + 31] === 1, data, word(6), word(7))
  pushNoPrice(c)
  pushPoolTokens(c)
  out.end("SwapExecuted", log.logIndex)
  return null
}

const createdProblem = ({ data }: RawLog): string | null => {
  for (const at of [0, 7, 8, 10]) if (!isAddressWord(data, word(at))) return rejection.address
  if (!fitsUnsigned(data, word(1), UINT8) || !fitsUnsigned(data, word(9), UINT8)) {
    return rejection.uint8
  }
  if (!fitsUnsigned(data, word(4), UINT24)) return rejection.uint24
  return fitsSigned(data, word(6), INT32) ? null : rejection.int32
}

/**
 * Pool, protocol fee, fees of A and B coming in, tick spacing, lookback, active tick, A, B, kinds
 * of bins, accessor. What a quote needs follows as parameters; `activeTick` last, for it begins
 * anew. So a known pool could be emptied by anybody, were it not for the factory's address.
 */
const poolCreated = (log: RawLog, out: BatchBuilder): string | null => {
  const { data, logIndex } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(11)) return rejection.dataLength
  const problem = createdProblem(log)
  if (problem !== null) return problem
  const pool = out.ids.addressWord(data, word(0))
  pushPoolCreated(log, out, {
    kind: KIND,
    pool,
    bytes: data,
    token0: word(7),
    tickSpacing: lowInt32(data, word(4))
  })
  pushParameter(out, logIndex, pool, "protocolFee", data, word(1))
  pushParameter(out, logIndex, pool, "feeAIn", data, word(2))
  pushParameter(out, logIndex, pool, "feeBIn", data, word(3))
  pushParameter(out, logIndex, pool, "kinds", data, word(9))
  pushSignedParameter(out, logIndex, pool, "activeTick", data, word(6))
  return null
}

/** Every event of the kind that becomes a fact, the commonest first. */
export const maverickV2Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event PoolSwap(address sender, address recipient, (uint256 amount, bool tokenAIn, bool exactOutput, int32 tickLimit) params, uint256 amountIn, uint256 amountOut)",
    topic0: "0x103ed084e94a44c8f5f6ba8e3011507c41063177e29949083c439777d8d63f60",
    decode: poolSwap,
    emitterIsPool: true
  },
  {
    abi: "event PoolAddLiquidity(address sender, address recipient, uint256 subaccount, (uint8 kind, int32[] ticks, uint128[] amounts) params, uint256 tokenAAmount, uint256 tokenBAmount, uint32[] binIds)",
    topic0: "0x16768f4ecc93786618270641524e6209d40480302598062adee1bf55a3e7da29",
    decode: addLiquidity,
    emitterIsPool: true
  },
  {
    abi: "event PoolRemoveLiquidity(address sender, address recipient, uint256 subaccount, (uint32[] binIds, uint128[] amounts) params, uint256 tokenAOut, uint256 tokenBOut)",
    topic0: "0x022484d9ab07e2ea8d2f868574c16404cf7fc639be80032dc1e9a1641bdd2eb1",
    decode: removeLiquidity,
    emitterIsPool: true
  },
  {
    abi: "event PoolSetVariableFee(uint256 newFeeAIn, uint256 newFeeBIn)",
    topic0: "0x8ce70d54a53997801d36099160d0e5784bb9c06b7a3d6848dcc3433160062f88",
    decode: parametersOf("feeAIn", "feeBIn"),
    emitterIsPool: true
  },
  {
    abi: "event PoolSetProtocolFeeRatio(uint256 protocolFeeRatioD3)",
    topic0: "0x8c315eec9a54adc4a7ff999f8b5230281cd9cf25054c184cc427e60bd02368f6",
    decode: parametersOf("protocolFee"),
    emitterIsPool: true
  },
  {
    abi: "event PoolCreated(address poolAddress, uint8 protocolFeeRatio, uint256 feeAIn, uint256 feeBIn, uint256 tickSpacing, uint256 lookback, int32 activeTick, address tokenA, address tokenB, uint8 kinds, address accessor)",
    topic0: "0x848331e408557f4b7eb6561ca1c18a3ac43004fbe64b8b5bce613855cfdf22d2",
    decode: poolCreated,
    emitterIsPool: false,
    fromFactory: true
  }
]
