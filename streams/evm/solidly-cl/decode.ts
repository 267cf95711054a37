/**
 * The events in which the concentrated pools of Velodrome and Aerodrome ("Slipstream",
 * velodrome-finance/slipstream 1.0, ICLFactory and ICLPoolEvents) differ from Uniswap V3's.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { fitsSigned, fitsUnsigned, isAddressWord, lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

/** Width in bytes of collected amounts. */
const UINT128 = 16
/** Bits of a tick spacing. */
const INT24 = 24

/** The fee is asked of the factory swap by swap: none is fixed here. */
const poolCreated = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!fitsSigned(topics, word(3), INT24)) return rejection.int24
  if (!isAddressWord(data, word(0))) return rejection.address
  pushPoolCreated(log, out, {
    kind: "solidly-cl",
    pool: out.ids.addressWord(data, word(0)),
    bytes: topics,
    token0: word(1),
    tickSpacing: lowInt32(topics, word(3))
  })
  return null
}

/** The gauge takes what staked liquidity earned: no position and no range is named. */
const collectFees = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  const problem = checkIndexed(log, 1, 2)
  if (problem !== null) return problem
  if (!fitsUnsigned(data, word(0), UINT128)) return rejection.uint128
  if (!fitsUnsigned(data, word(1), UINT128)) return rejection.uint128
  const { ids } = out
  const c = out.columns.FeesCollected
  c.pool.push(ids.account(log.account))
  c.owner.push(NONE)
  c.recipient.push(ids.addressWord(topics, word(1)))
  c.tickLower.push(NULL_I32)
  c.tickUpper.push(NULL_I32)
  c.amount0.pushUnsigned(data, word(0))
  c.amount1.pushUnsigned(data, word(1))
  out.end("FeesCollected", log.logIndex)
  return null
}

export const solidlyClEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)",
    topic0: "0xab0d57f0df537bb25e80245ef7748fa62353808c54d6e528a9dd20887aed9ac2",
    decode: poolCreated,
    emitterIsPool: false
  },
  {
    abi: "event CollectFees(address indexed recipient, uint128 amount0, uint128 amount1)",
    topic0: "0x205860e66845f2bbc0966bfab80db9bf93fca93862ea2b9fcf6945748352b4a3",
    decode: collectFees,
    emitterIsPool: true
  }
]
