/**
 * Events of Liquidity Book pairs and their factory (traderjoe-xyz/joe-v2: ILBPair and ILBFactory of
 * v2.1 and v2.2, the swaps and liquidity of v2.0), sliced word by word. A packed word holds an
 * amount of X in its low 128 bits and one of Y in its high ones.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NONE } from "../../batch/id-table.ts"
import type { IntColumn } from "../../batch/int-column.ts"
import type { EventDecoder } from "../../venue.ts"
import { arrayLength, arrayProblem, arrayRejection } from "../abi-array.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { pushParameter } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { fitsUnsigned, isAddressWord, isBoolWord, lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pushNoPrice, pushPoolTokens } from "../swap-columns.ts"

const KIND = "liquidity-book"
/** Widths in bytes of the narrow integers. */
const UINT16 = 2
const UINT24 = 3
const UINT128 = 16
/** Where each token's half begins in a packed word. */
const X = 16
const Y = 0

const scratch = new Uint8Array(33)

const isZeroHalf = (bytes: Uint8Array, from: number): boolean => {
  let odd = 0
  for (let i = 0; i < UINT128; i++) odd |= bytes[from + i] as number
  return odd === 0
}

/** The sum of two unsigned integers of `width` bytes each; at most 32. */
const pushSum = (column: IntColumn, bytes: Uint8Array, a: number, b: number, width: number) => {
  // Mostly one of them is nothing: the other token's, or the protocol's part.
  if (isZeroHalf(bytes, b)) return column.pushUnsigned(bytes, a, width)
  let carry = 0
  for (let i = width - 1; i >= 0; i--) {
    carry += (bytes[a + i] as number) + (bytes[b + i] as number)
    scratch[i + 1] = carry & 0xff
    carry >>= 8
  }
  scratch[0] = carry
  column.pushUnsigned(scratch, 0, width + 1)
}

/** The fields of a swap that its amounts do not tell. */
const pushBin = (log: RawLog, out: BatchBuilder, pool: number, id: number): void => {
  const { ids } = out
  const c = out.columns.SwapExecuted
  c.pool.push(pool)
  c.venueKind.push(out.sym(KIND))
  c.sender.push(ids.addressWord(log.topics, word(1)))
  c.recipient.push(ids.addressWord(log.topics, word(2)))
  pushNoPrice(c, id)
  pushPoolTokens(c)
}

/** A protocol fee is set aside: it leaves the bin that was swapped in. */
const pushProtocolFee = (
  log: RawLog,
  out: BatchBuilder,
  pool: number,
  index: number,
  from: number
): void => {
  if (isZeroHalf(log.data, from)) return
  const c = out.columns.ReserveChanged
  c.pool.push(pool)
  c.venueKind.push(out.sym(KIND))
  c.owner.push(NONE)
  c.token.push(NONE)
  c.index.push(index)
  c.amount.pushNegated(log.data, from, UINT128)
  c.reason.push(out.sym("fee"))
  out.end("ReserveChanged", log.logIndex)
}

/** One log a bin. `amountsIn` is without the protocol's part of the fee, which came in too. */
const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(6)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(data, word(0), UINT24)) return rejection.uint24
  if (!fitsUnsigned(data, word(3), UINT24)) return rejection.uint24
  const pool = out.ids.account(log.account)
  pushBin(log, out, pool, lowInt32(data, word(0)))
  const c = out.columns.SwapExecuted
  pushSum(c.amount0In, data, word(1) + X, word(5) + X, UINT128)
  pushSum(c.amount1In, data, word(1) + Y, word(5) + Y, UINT128)
  c.amount0Out.pushUnsigned(data, word(2) + X, UINT128)
  c.amount1Out.pushUnsigned(data, word(2) + Y, UINT128)
  out.end("SwapExecuted", log.logIndex)
  pushParameter(out, log.logIndex, pool, "volatilityAccumulator", data, word(3))
  pushProtocolFee(log, out, pool, 0, word(5) + X)
  pushProtocolFee(log, out, pool, 1, word(5) + Y)
  return null
}

/** v2.0: the fee is on top of the input. */
const swapV20 = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(5)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(topics, word(3), UINT24)) return rejection.uint24
  if (!isBoolWord(data, word(0))) return rejection.bool
  if (!fitsUnsigned(data, word(1), UINT128)) return rejection.uint128
  if (!fitsUnsigned(data, word(2), UINT128)) return rejection.uint128
  if (!fitsUnsigned(data, word(4), UINT128)) return rejection.uint128
  pushBin(log, out, out.ids.account(log.account), lowInt32(topics, word(3)))
  const c = out.columns.SwapExecuted
  const forY = data[31] === 1
  const [sold, unsold] = forY ? [c.amount0In, c.amount1In] : [c.amount1In, c.amount0In]
  const [bought, unbought] = forY ? [c.amount1Out, c.amount0Out] : [c.amount0Out, c.amount1Out]
  pushSum(sold, data, word(2) - UINT128, word(5) - UINT128, UINT128)
  unsold.pushZero()
  bought.pushUnsigned(data, word(2))
  unbought.pushZero()
  out.end("SwapExecuted", log.logIndex)
  return null
}

/** The columns of a bin's liquidity but for the amounts, which follow; references as interned. */
const pushBinHead = (
  out: BatchBuilder,
  pool: number,
  owner: number,
  sender: number,
  id: number
): void => {
  const c = out.columns.LiquidityChanged
  c.pool.push(pool)
  c.venueKind.push(out.sym(KIND))
  c.owner.push(owner)
  c.sender.push(sender)
  c.tickLower.push(id)
  c.tickUpper.push(id + 1)
  c.liquidity.pushNull()
}

const pushAmount = (
  column: IntColumn,
  bytes: Uint8Array,
  from: number,
  width: number,
  minus: boolean
) => (minus ? column.pushNegated(bytes, from, width) : column.pushUnsigned(bytes, from, width))

/** One event a bin. */
const binsChanged =
  (isWithdrawn: boolean) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics, data } = log
    if (log.topicCount !== 3) return rejection.topicCount
    if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
    if (log.dataLength < word(4)) return rejection.dataLength
    const count = arrayLength(log, 0, 2)
    if (count < 0) return arrayProblem(count)
    const amounts = arrayLength(log, 1, 3 + count)
    if (amounts < 0) return arrayProblem(amounts)
    if (amounts !== count) return arrayRejection.lengths
    if (count === 0) return arrayRejection.empty
    if (log.dataLength !== word(4 + 2 * count)) return rejection.dataLength
    for (let i = 0; i < count; i++) {
      if (!fitsUnsigned(data, word(3 + i), UINT24)) return rejection.uint24
    }
    const { ids } = out
    const pool = ids.account(log.account)
    const owner = ids.addressWord(topics, word(2))
    const sender = ids.addressWord(topics, word(1))
    const c = out.columns.LiquidityChanged
    for (let i = 0; i < count; i++) {
      pushBinHead(out, pool, owner, sender, lowInt32(data, word(3 + i)))
      const from = word(4 + count + i)
      pushAmount(c.amount0, data, from + X, UINT128, isWithdrawn)
      pushAmount(c.amount1, data, from + Y, UINT128, isWithdrawn)
      out.end("LiquidityChanged", log.logIndex)
    }
    return null
  }

/** v2.0: one log a bin, a word an amount. */
const binChanged =
  (isWithdrawn: boolean) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics, data } = log
    if (log.topicCount !== 4) return rejection.topicCount
    if (log.dataLength !== word(2)) return rejection.dataLength
    if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
    if (!fitsUnsigned(topics, word(3), UINT24)) return rejection.uint24
    const { ids } = out
    const pool = ids.account(log.account)
    const owner = ids.addressWord(topics, word(2))
    const sender = ids.addressWord(topics, word(1))
    pushBinHead(out, pool, owner, sender, lowInt32(topics, word(3)))
    const c = out.columns.LiquidityChanged
    pushAmount(c.amount0, data, word(0), 32, isWithdrawn)
    pushAmount(c.amount1, data, word(1), 32, isWithdrawn)
    out.end("LiquidityChanged", log.logIndex)
    return null
  }

const staticFees = [
  { name: "baseFactor", width: UINT16 },
  { name: "filterPeriod", width: UINT16 },
  { name: "decayPeriod", width: UINT16 },
  { name: "reductionFactor", width: UINT16 },
  { name: "variableFeeControl", width: UINT24 },
  { name: "protocolShare", width: UINT16 },
  { name: "maxVolatilityAccumulator", width: UINT24 }
] as const

const staticFeesSet = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, staticFees.length)
  if (problem !== null) return problem
  let at = 0
  for (const { width } of staticFees) {
    if (!fitsUnsigned(log.data, word(at++), width)) {
      return width === UINT16 ? rejection.uint16 : rejection.uint24
    }
  }
  const pool = out.ids.account(log.account)
  at = 0
  for (const { name } of staticFees) {
    pushParameter(out, log.logIndex, pool, name, log.data, word(at++))
  }
  return null
}

/** An unbalanced deposit in the active bin pays a fee, and renews the references. */
const compositionFees = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  const problem = checkIndexed(log, 1, 3)
  if (problem !== null) return problem
  if (!fitsUnsigned(data, word(0), UINT24)) return rejection.uint24
  const pool = out.ids.account(log.account)
  pushParameter(out, log.logIndex, pool, "compositionBin", data, word(0))
  for (const [index, half] of [X, Y].entries()) {
    if (isZeroHalf(data, word(1) + half)) continue
    scratch.fill(0, 0, 16)
    scratch.set(data.subarray(word(1) + half, word(1) + half + UINT128), 16)
    pushParameter(out, log.logIndex, pool, "compositionFee", scratch, 0, index)
  }
  return null
}

/** Tells the references as they were before; the new ones follow from the state. */
const forcedDecay = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 2)
  if (problem !== null) return problem
  if (!fitsUnsigned(log.data, word(0), UINT24)) return rejection.uint24
  if (!fitsUnsigned(log.data, word(1), UINT24)) return rejection.uint24
  const pool = out.ids.account(log.account)
  pushParameter(out, log.logIndex, pool, "forcedDecay", log.data, word(0))
  return null
}

/** v2.2: a hook's address in the low 160 bits, what it is called for above. */
const hooksSet = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 1)
  if (problem !== null) return problem
  pushParameter(out, log.logIndex, out.ids.account(log.account), "hooks", log.data, word(0))
  return null
}

const pairCreated: EventDecoder["decode"] = (log, out, isListed = true) => {
  const { topics, data } = log
  if (log.topicCount !== 4) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  if (!fitsUnsigned(topics, word(3), UINT16)) return rejection.uint16
  if (!isAddressWord(data, word(0))) return rejection.address
  const pool = out.ids.addressWord(data, word(0))
  pushPoolCreated(log, out, {
    kind: "liquidity-book",
    pool,
    bytes: topics,
    token0: word(1)
  })
  if (isListed) pushParameter(out, log.logIndex, pool, "binStep", topics, word(3))
  return null
}

/** Every event of the kind that becomes a fact, the commonest first. */
export const liquidityBookEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed sender, address indexed to, uint24 id, bytes32 amountsIn, bytes32 amountsOut, uint24 volatilityAccumulator, bytes32 totalFees, bytes32 protocolFees)",
    topic0: "0xad7d6f97abf51ce18e17a38f4d70e975be9c0708474987bb3e26ad21bd93ca70",
    decode: swap,
    emitterIsPool: true
  },
  {
    abi: "event DepositedToBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts)",
    topic0: "0x87f1f9dcf5e8089a3e00811b6a008d8f30293a3da878cb1fe8c90ca376402f8a",
    decode: binsChanged(false),
    emitterIsPool: true
  },
  {
    abi: "event WithdrawnFromBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts)",
    topic0: "0xa32e146844d6144a22e94c586715a1317d58a8aa3581ec33d040113ddcb24350",
    decode: binsChanged(true),
    emitterIsPool: true
  },
  {
    abi: "event CompositionFees(address indexed sender, uint24 id, bytes32 totalFees, bytes32 protocolFees)",
    topic0: "0x3f0b46725027bb418b2005f4683538eccdbcdf1de2b8649a29dbd9c507d16ff4",
    decode: compositionFees,
    emitterIsPool: true
  },
  {
    abi: "event StaticFeeParametersSet(address indexed sender, uint16 baseFactor, uint16 filterPeriod, uint16 decayPeriod, uint16 reductionFactor, uint24 variableFeeControl, uint16 protocolShare, uint24 maxVolatilityAccumulator)",
    topic0: "0xd09e5ddc721ff14c5c1e66a305cbba1fd70b82c5232bc391aad6f55e62e4b046",
    decode: staticFeesSet,
    emitterIsPool: true
  },
  {
    abi: "event ForcedDecay(address indexed sender, uint24 idReference, uint24 volatilityReference)",
    topic0: "0x282afaeeae84c1d85ad1424a3aa2ddbedaeefca3b1e53d889d15265fe44db7fc",
    decode: forcedDecay,
    emitterIsPool: true
  },
  {
    abi: "event HooksParametersSet(address indexed sender, bytes32 hooksParameters)",
    topic0: "0x4d24d81a1a6e09c37497747b4c9d67d858ce80438b54df0fa361a24dc742d934",
    decode: hooksSet,
    emitterIsPool: true
  },
  {
    abi: "event Swap(address indexed sender, address indexed recipient, uint256 indexed id, bool swapForY, uint256 amountIn, uint256 amountOut, uint256 volatilityAccumulated, uint256 fees)",
    topic0: "0xc528cda9e500228b16ce84fadae290d9a49aecb17483110004c5af0a07f6fd73",
    decode: swapV20,
    emitterIsPool: true
  },
  {
    abi: "event DepositedToBin(address indexed sender, address indexed recipient, uint256 indexed id, uint256 amountX, uint256 amountY)",
    topic0: "0x4216cc3bd0c40a90259d92f800c06ede5c47765f41a488072b7e7104a1f95841",
    decode: binChanged(false),
    emitterIsPool: true
  },
  {
    abi: "event WithdrawnFromBin(address indexed sender, address indexed recipient, uint256 indexed id, uint256 amountX, uint256 amountY)",
    topic0: "0xda5e7177dface55f5e0eff7dfc67420a1db4243ddfcf0ecc84ed93e034dd8cc2",
    decode: binChanged(true),
    emitterIsPool: true
  },
  {
    abi: "event LBPairCreated(address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid)",
    topic0: "0x2c8d104b27c6b7f4492017a6f5cf3803043688934ebcaa6a03540beeaf976aff",
    decode: pairCreated,
    emitterIsPool: false
  }
]
