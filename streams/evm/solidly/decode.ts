/**
 * Events of Solidly pairs and of their second generation (Velodrome v2, Aerodrome), sliced word by
 * word: IPool and IPoolFactory of velodrome-finance/contracts, BaseV1-core.sol of Solidly. The
 * first generation's `Swap`, `Sync`, `Mint` and `Burn` are Uniswap V2's and decoded there.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { decodePairBurn, decodePairSwap } from "../pair-events.ts"
import { pushParameterValue } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { isAddressWord, isBoolWord, isZeroWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

interface Told {
  readonly isStable: boolean
  readonly version: bigint
  readonly isListed: boolean
}

/** Both generations: tokens in topics 1 and 2, the pair's address in data word `pairAt`. */
const pushCreated = (
  log: RawLog,
  out: BatchBuilder,
  pairAt: number,
  { isStable, version, isListed }: Told
): null => {
  const { topics } = log
  const pool = out.ids.addressWord(log.data, word(pairAt))
  pushPoolCreated(log, out, {
    kind: "solidly",
    pool,
    bytes: topics,
    token0: word(1)
  })
  if (!isListed) return null
  pushParameterValue(out, log.logIndex, pool, "stable", isStable ? 1n : 0n)
  pushParameterValue(out, log.logIndex, pool, "version", version)
  return null
}

const pairCreated: EventDecoder["decode"] = (log, out, isListed = true) => {
  const { data } = log
  const problem = checkIndexed(log, 2, 3)
  if (problem !== null) return problem
  if (!isBoolWord(data, word(0))) return rejection.bool
  if (!isAddressWord(data, word(1))) return rejection.address
  return pushCreated(log, out, 1, { isStable: data[31] === 1, version: 1n, isListed })
}

const poolCreated: EventDecoder["decode"] = (log, out, isListed = true) => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!isBoolWord(topics, word(3))) return rejection.bool
  if (!isAddressWord(data, word(0))) return rejection.address
  return pushCreated(log, out, 0, { isStable: topics[word(4) - 1] === 1, version: 2n, isListed })
}

const swap = (log: RawLog, out: BatchBuilder): string | null => decodePairSwap(log, out, "solidly")

const sync = (log: RawLog, out: BatchBuilder): string | null => {
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  const c = out.columns.ReservesSynced
  c.pool.push(out.ids.account(log.account))
  c.reserve0.pushUnsigned(log.data, word(0))
  c.reserve1.pushUnsigned(log.data, word(1))
  out.end("ReservesSynced", log.logIndex)
  return null
}

/** The fee leaves the reserves for a contract of its own: one event a token that paid one. */
const fees = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  const problem = checkIndexed(log, 1, 2)
  if (problem !== null) return problem
  const c = out.columns.ReserveChanged
  const isPaid1 = !isZeroWord(data, word(1))
  for (let index = 0; index < 2; index++) {
    const isPaid = index === 1 ? isPaid1 : !isPaid1 || !isZeroWord(data, word(0))
    if (!isPaid) continue
    c.pool.push(out.ids.account(log.account))
    c.venueKind.push(out.sym("solidly"))
    c.owner.push(out.ids.addressWord(topics, word(1)))
    c.token.push(NONE)
    c.index.push(index)
    c.amount.pushNegated(data, word(index))
    c.reason.push(out.sym("fee"))
    out.end("ReserveChanged", log.logIndex)
  }
  return null
}

const burn = (log: RawLog, out: BatchBuilder): string | null => decodePairBurn(log, out, "solidly")

const claim = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  const problem = checkIndexed(log, 2, 2)
  if (problem !== null) return problem
  const { ids } = out
  const c = out.columns.FeesCollected
  c.pool.push(ids.account(log.account))
  c.owner.push(ids.addressWord(topics, word(1)))
  c.recipient.push(ids.addressWord(topics, word(2)))
  c.tickLower.push(NULL_I32)
  c.tickUpper.push(NULL_I32)
  c.amount0.pushUnsigned(data, word(0))
  c.amount1.pushUnsigned(data, word(1))
  out.end("FeesCollected", log.logIndex)
  return null
}

/** Every event of the kind that becomes a fact and is not Uniswap V2's, the commonest first. */
export const solidlyEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)",
    topic0: "0xb3e2773606abfd36b5bd91394b3a54d1398336c65005baf7bf7a05efeffaf75b",
    decode: swap,
    emitterIsPool: true
  },
  {
    abi: "event Sync(uint256 reserve0, uint256 reserve1)",
    topic0: "0xcf2aa50876cdfbb541206f89af0ee78d44a2abf8d328e37fa4917f982149848a",
    decode: sync,
    emitterIsPool: true
  },
  {
    abi: "event Fees(address indexed sender, uint256 amount0, uint256 amount1)",
    topic0: "0x112c256902bf554b6ed882d2936687aaeb4225e8cd5b51303c90ca6cf43a8602",
    decode: fees,
    emitterIsPool: true
  },
  {
    abi: "event Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1)",
    topic0: "0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2",
    decode: burn,
    emitterIsPool: true
  },
  {
    abi: "event Claim(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1)",
    topic0: "0x865ca08d59f5cb456e85cd2f7ef63664ea4f73327414e9d8152c4158b0e94645",
    decode: claim,
    emitterIsPool: true
  },
  {
    abi: "event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)",
    topic0: "0x2128d88d14c80cb081c1252a5acff7a264671bf199ce226b53788fb26065005e",
    decode: poolCreated,
    emitterIsPool: false
  },
  {
    abi: "event PairCreated(address indexed token0, address indexed token1, bool stable, address pair, uint256 count)",
    topic0: "0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9",
    decode: pairCreated,
    emitterIsPool: false
  }
]
