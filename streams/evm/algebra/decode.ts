/**
 * The events in which Algebra's pools and factories differ from Uniswap V3's
 * (cryptoalgebra/Algebra: V1, V1.9 with a fee for each direction, and Integral up to 1.2).
 * `Initialize`, `Mint`, `Collect`, and `Swap` and `Burn` before Integral 1.2, are Uniswap V3's to
 * the bit and are decoded there.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import type { EventDecoder } from "../../venue.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { pushParameter, pushSignedParameter } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { checkPosition, checkSwap, pushBurn, pushSwap } from "../range-events.ts"
import { fitsSigned, fitsUnsigned, isAddressWord, lowInt32, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

/** Widths in bytes of the narrow integers. */
const UINT8 = 1
const UINT16 = 2
const UINT24 = 3
const UINT128 = 16
/** Bits of a tick spacing. */
const INT24 = 24

/** Integral 1.2: a plugin may override the pool's fee (0: it did not) and take one on top. */
const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkSwap(log, 7)
  if (problem !== null) return problem
  const { data } = log
  if (!fitsUnsigned(data, word(5), UINT24)) return rejection.uint24
  if (!fitsUnsigned(data, word(6), UINT24)) return rejection.uint24
  const override = lowInt32(data, word(5))
  pushSwap(log, out, "algebra", override === 0 ? NULL_I32 : override + lowInt32(data, word(6)))
  return null
}

/** Integral 1.2: its amounts are what is left of the plugin's fee. */
const burn = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkPosition(log)
  if (problem !== null) return problem
  if (log.dataLength !== word(4)) return rejection.dataLength
  if (!fitsUnsigned(log.data, word(0), UINT128)) return rejection.uint128
  if (!fitsUnsigned(log.data, word(3), UINT24)) return rejection.uint24
  pushBurn(log, out, "algebra")
  return null
}

type WordCheck = (bytes: Uint8Array, from: number) => string | null

const uint8: WordCheck = (bytes, from) =>
  fitsUnsigned(bytes, from, UINT8) ? null : rejection.uint8
const uint16: WordCheck = (bytes, from) =>
  fitsUnsigned(bytes, from, UINT16) ? null : rejection.uint16
const int24: WordCheck = (bytes, from) => (fitsSigned(bytes, from, INT24) ? null : rejection.int24)
const address: WordCheck = (bytes, from) => (isAddressWord(bytes, from) ? null : rejection.address)

/** An event that tells one number and nothing else. */
const parameter =
  (name: string, check: WordCheck) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    if (log.topicCount !== 1) return rejection.topicCount
    if (log.dataLength !== word(1)) return rejection.dataLength
    const problem = check(log.data, word(0))
    if (problem !== null) return problem
    const pool = out.ids.account(log.account)
    pushSignedParameter(out, log.logIndex, pool, name, log.data, word(0))
    return null
  }

/** V1.9: index 0 is the fee of selling token 0, 1 that of selling token 1. */
const directedFees = (log: RawLog, out: BatchBuilder): string | null => {
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  const problem = uint16(log.data, word(0)) ?? uint16(log.data, word(1))
  if (problem !== null) return problem
  const pool = out.ids.account(log.account)
  pushParameter(out, log.logIndex, pool, "fee", log.data, word(0), 0)
  pushParameter(out, log.logIndex, pool, "fee", log.data, word(1), 1)
  return null
}

/** The tokens stand in the two topics from `first` on; fee and spacing are the pool's to tell. */
const created =
  (first: number) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics, data } = log
    const problem = checkIndexed(log, first + 1, 1)
    if (problem !== null) return problem
    if (!isAddressWord(data, word(0))) return rejection.address
    pushPoolCreated(log, out, {
      kind: "algebra",
      pool: out.ids.addressWord(data, word(0)),
      bytes: topics,
      token0: word(first)
    })
    return null
  }

/** Every event of the kind that becomes a fact, the commonest first. */
export const algebraEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)",
    topic0: "0x121cb44ee54098b1a04743c487e7460d8dd429b27f88b1f4d4767396e1a59f79",
    decode: swap,
    emitterIsPool: true
  },
  {
    abi: "event Fee(uint16 fee)",
    topic0: "0x598b9f043c813aa6be3426ca60d1c65d17256312890be5118dab55b0775ebe2a",
    decode: parameter("fee", uint16),
    emitterIsPool: true
  },
  {
    abi: "event Fee(uint16 feeZto, uint16 feeOtz)",
    topic0: "0x8a89de70856bccec096661388f305b9a75f5f65cb0d8a0e1e803c39dabedb57f",
    decode: directedFees,
    emitterIsPool: true
  },
  {
    abi: "event Burn(address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1, uint24 pluginFee)",
    topic0: "0x932214d4a69c27c086643126ed97c32681da179064c678836c173f99bd13ca01",
    decode: burn,
    emitterIsPool: true
  },
  {
    abi: "event TickSpacing(int24 newTickSpacing)",
    topic0: "0x01413b1d5d4c359e9a0daa7909ecda165f6e8c51fe2ff529d74b22a5a7c02645",
    decode: parameter("tickSpacing", int24),
    emitterIsPool: true
  },
  {
    abi: "event CommunityFee(uint16 communityFeeNew)",
    topic0: "0x3647dccc990d4941b0b05b32527ef493a98d6187b20639ca2f9743f3b55ca5e1",
    decode: parameter("communityFee", uint16),
    emitterIsPool: true
  },
  {
    abi: "event Plugin(address newPluginAddress)",
    topic0: "0x27a3944eff2135a57675f17e72501038982b73620d01f794c72e93d61a3932a2",
    decode: parameter("plugin", address),
    emitterIsPool: true
  },
  {
    abi: "event PluginConfig(uint8 newPluginConfig)",
    topic0: "0x3a6271b36c1b44bd6a0a0d56230602dc6919b7c17af57254306fadf5fee69dc3",
    decode: parameter("pluginConfig", uint8),
    emitterIsPool: true
  },
  {
    abi: "event Pool(address indexed token0, address indexed token1, address pool)",
    topic0: "0x91ccaa7a278130b65168c3a0c8d3bcae84cf5e43704342bd3ec0b59e59c036db",
    decode: created(1),
    emitterIsPool: false
  },
  {
    abi: "event CustomPool(address indexed deployer, address indexed token0, address indexed token1, address pool)",
    topic0: "0x8a5f030f5fc13b04a1e4ef7c47177e3d76b0e80e1d9be9843db37caa5b7b9b8f",
    decode: created(2),
    emitterIsPool: false
  }
]
