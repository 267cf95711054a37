/**
 * Events of the Balancer V2 Vault, which holds every pool's tokens (balancer-v2-monorepo,
 * `IVault.sol`). A pool is its 32-byte id, whose first 20 bytes are the pool's contract. Amounts of
 * swaps are unsigned and their tokens named; deltas are the pool's, positive came in.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { arrayLength, arrayProblem, arrayRejection } from "../abi-array.ts"
import { pushParameter } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { fitsUnsigned, isAddressWord, isZeroWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pushNamedTokens, pushNoPrice, pushOneWay } from "../swap-columns.ts"

const KIND = "balancer-v2"
const UINT8 = 1

const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!isAddressWord(topics, word(2)) || !isAddressWord(topics, word(3))) return rejection.address
  const c = out.columns.SwapExecuted
  c.pool.push(out.ids.hash(topics, word(1)))
  c.venueKind.push(out.sym(KIND))
  c.sender.push(NONE)
  c.recipient.push(NONE)
  pushOneWay(c, true, data, word(0), word(1))
  pushNoPrice(c)
  pushNamedTokens(out, topics, word(2), word(3))
  out.end("SwapExecuted", log.logIndex)
  return null
}

/** How the Vault keeps the pool's balances: 0 general, 1 minimal information, 2 two tokens. */
const poolRegistered = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(data, word(0), UINT8)) return rejection.uint8
  pushParameter(out, log.logIndex, out.ids.hash(topics, word(1)), "specialization", data, word(0))
  return null
}

/** Tokens of the array that begins with its length at word `at`, if all are addresses. */
const areAddresses = (log: RawLog, at: number, length: number): boolean => {
  for (let i = 1; i <= length; i++) if (!isAddressWord(log.data, word(at + i))) return false
  return true
}

/** A token that came to or left a pool's list; its amount is told by other events. */
const pushListed = (log: RawLog, out: BatchBuilder, at: number, reason: string): void => {
  const { ids } = out
  const c = out.columns.ReserveChanged
  c.pool.push(ids.hash(log.topics, word(1)))
  c.venueKind.push(out.sym(KIND))
  c.owner.push(NONE)
  c.token.push(ids.addressWord(log.data, word(at)))
  c.index.push(NULL_I32)
  c.amount.pushZero()
  c.reason.push(out.sym(reason))
  out.end("ReserveChanged", log.logIndex)
}

/**
 * The pool's tokens: the log that makes it a pool. Managed pools get one more token at a time; one
 * alone is not a pool's list, so it is told as a reserve of nothing, `registered`.
 */
const tokensRegistered = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 2) return rejection.topicCount
  const length = arrayLength(log, 0, 2)
  if (length < 0) return arrayProblem(length)
  const managers = arrayLength(log, 1, 3 + length)
  if (managers < 0) return arrayProblem(managers)
  if (log.dataLength !== word(4 + length + managers)) return rejection.dataLength
  if (length === 0) return arrayRejection.empty
  if (managers !== length) return arrayRejection.lengths
  if (!areAddresses(log, 2, length) || !areAddresses(log, 3 + length, managers)) {
    return rejection.address
  }
  if (length === 1) {
    pushListed(log, out, 3, "registered")
    return null
  }
  pushPoolCreated(log, out, {
    kind: KIND,
    pool: out.ids.hash(topics, word(1)),
    bytes: data,
    token0: word(3),
    count: length
  })
  return null
}

const tokensDeregistered = (log: RawLog, out: BatchBuilder): string | null => {
  if (log.topicCount !== 2) return rejection.topicCount
  const length = arrayLength(log, 0, 1)
  if (length < 0) return arrayProblem(length)
  if (log.dataLength !== word(2 + length)) return rejection.dataLength
  if (length === 0) return arrayRejection.empty
  if (!areAddresses(log, 1, length)) return rejection.address
  for (let i = 0; i < length; i++) pushListed(log, out, 2 + i, "deregistered")
  return null
}

/** A change of one token's reserve; its amount's column has been pushed. */
const pushReserve = (
  out: BatchBuilder,
  logIndex: number,
  [pool, owner, token]: readonly [pool: number, owner: number, token: number],
  index: number,
  reason: string
): void => {
  const c = out.columns.ReserveChanged
  c.pool.push(pool)
  c.venueKind.push(out.sym(KIND))
  c.owner.push(owner)
  c.token.push(token)
  c.index.push(index)
  c.reason.push(out.sym(reason))
  out.end("ReserveChanged", logIndex)
}

/** A join or exit: the delta of every token of the pool, and the protocol fee paid out of it. */
const poolBalanceChanged = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (!isAddressWord(topics, word(2))) return rejection.address
  const length = arrayLength(log, 0, 3)
  if (length < 0) return arrayProblem(length)
  const deltas = arrayLength(log, 1, 4 + length)
  if (deltas < 0) return arrayProblem(deltas)
  const fees = arrayLength(log, 2, 5 + length + deltas)
  if (fees < 0) return arrayProblem(fees)
  if (log.dataLength !== word(6 + length + deltas + fees)) return rejection.dataLength
  if (length === 0) return arrayRejection.empty
  if (deltas !== length || fees !== length) return arrayRejection.lengths
  if (!areAddresses(log, 3, length)) return rejection.address
  const { ids } = out
  const { amount } = out.columns.ReserveChanged
  const pool = ids.hash(topics, word(1))
  const owner = ids.addressWord(topics, word(2))
  for (let i = 0; i < length; i++) {
    const token = ids.addressWord(data, word(4 + i))
    amount.pushSigned(data, word(5 + length + i))
    pushReserve(out, log.logIndex, [pool, owner, token], i, "liquidity")
    const fee = word(6 + 2 * length + i)
    if (isZeroWord(data, fee)) continue
    amount.pushNegated(data, fee)
    pushReserve(out, log.logIndex, [pool, owner, token], i, "fee")
  }
  return null
}

/** An asset manager moved the Vault's cash, or says what its investments are worth. */
const poolBalanceManaged = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!isAddressWord(topics, word(2)) || !isAddressWord(topics, word(3))) return rejection.address
  const { ids } = out
  const c = out.columns.ReserveChanged
  for (const [i, reason] of ["cash", "managed"].entries()) {
    c.pool.push(ids.hash(topics, word(1)))
    c.venueKind.push(out.sym(KIND))
    c.owner.push(ids.addressWord(topics, word(2)))
    c.token.push(ids.addressWord(topics, word(3)))
    c.index.push(NULL_I32)
    c.amount.pushSigned(data, word(i))
    c.reason.push(out.sym(reason))
    out.end("ReserveChanged", log.logIndex)
  }
  return null
}

/** Every event of the Vault that becomes a fact, the commonest first. */
export const vaultEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)",
    topic0: "0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b",
    decode: swap,
    tokens: { in: "topics", at: word(2) },
    namesPool: 32,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event PoolBalanceChanged(bytes32 indexed poolId, address indexed liquidityProvider, address[] tokens, int256[] deltas, uint256[] protocolFeeAmounts)",
    topic0: "0xe5ce249087ce04f05a957192435400fd97868dba0e6a4b4c049abf8af80dae78",
    decode: poolBalanceChanged,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event PoolBalanceManaged(bytes32 indexed poolId, address indexed assetManager, address indexed token, int256 cashDelta, int256 managedDelta)",
    topic0: "0x6edcaf6241105b4c94c2efdbf3a6b12458eb3d07be3a0e81d24b13c44045fe7a",
    decode: poolBalanceManaged,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event PoolRegistered(bytes32 indexed poolId, address indexed poolAddress, uint8 specialization)",
    topic0: "0x3c13bc30b8e878c53fd2a36b679409c073afd75950be43d8858768e956fbc20e",
    decode: poolRegistered,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)",
    topic0: "0xf5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4",
    decode: tokensRegistered,
    emitterIsPool: false,
    fromFactory: true
  },
  {
    abi: "event TokensDeregistered(bytes32 indexed poolId, address[] tokens)",
    topic0: "0x7dcdc6d02ef40c7c1a7046a011b058bd7f988fa14e20a66344f9d4e60657d610",
    decode: tokensDeregistered,
    emitterIsPool: false,
    fromFactory: true
  }
]
