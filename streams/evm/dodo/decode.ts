/**
 * Events of DODO V2 pools (DVM, DPP, DSP, GSP) and their factories (DODOEX/contractV2). Nothing is
 * indexed. Swaps name their tokens; amounts are unsigned.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import type { EventDecoder } from "../../venue.ts"
import { pushParameter } from "../parameter-event.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { fitsUnsigned, isAddressWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pushNamedTokens, pushNoPrice, pushOneWay, pushSwapHead } from "../swap-columns.ts"
import { dodoV1Events } from "./decode-v1.ts"

const KIND = "dodo"
const UINT8 = 1

const swap = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(6)) return rejection.dataLength
  if (!isAddressWord(data, word(0)) || !isAddressWord(data, word(1))) return rejection.address
  if (!isAddressWord(data, word(4)) || !isAddressWord(data, word(5))) return rejection.address
  const c = out.columns.SwapExecuted
  pushSwapHead(log, out, KIND, data, word(4), word(5))
  pushOneWay(c, true, data, word(2), word(3))
  pushNoPrice(c)
  pushNamedTokens(out, data, word(0), word(1))
  out.end("SwapExecuted", log.logIndex)
  return null
}

/** Base token, quote token, creator, pool: the same of all four factories. */
const poolCreated = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(4)) return rejection.dataLength
  for (let i = 0; i < 4; i++) if (!isAddressWord(data, word(i))) return rejection.address
  pushPoolCreated(log, out, {
    kind: KIND,
    pool: out.ids.addressWord(data, word(3)),
    bytes: data,
    token0: word(0)
  })
  return null
}

/** Shares were bought or sold for amounts that no event tells: reserves are not what they were. */
const shares =
  (addresses: number, owner: number, total: number) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { data } = log
    if (log.topicCount !== 1) return rejection.topicCount
    if (log.dataLength !== word(total + 1)) return rejection.dataLength
    for (let i = 0; i < addresses; i++) if (!isAddressWord(data, word(i))) return rejection.address
    const { ids } = out
    const pool = ids.account(log.account)
    pushParameter(out, log.logIndex, pool, "shareholder", data, word(owner))
    pushParameter(out, log.logIndex, pool, "totalShares", data, word(total))
    return null
  }

/** A decoder of one data word of so many bytes that is a parameter of the emitting pool. */
const wordOf =
  (name: string, bytesWide = 32) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    if (log.topicCount !== 1) return rejection.topicCount
    if (log.dataLength !== word(1)) return rejection.dataLength
    if (!fitsUnsigned(log.data, word(0), bytesWide)) return rejection.uint8
    pushParameter(out, log.logIndex, out.ids.account(log.account), name, log.data, word(0))
    return null
  }

const created = (name: string, pool: string, topic0: string): EventDecoder => ({
  abi: `event ${name}(address baseToken, address quoteToken, address creator, address ${pool})`,
  topic0,
  decode: poolCreated,
  emitterIsPool: false
})

/** Every event of the kind that becomes a fact, the commonest first. */
export const dodoEvents: ReadonlyArray<EventDecoder> = [
  {
    abi: "event DODOSwap(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader, address receiver)",
    topic0: "0xc2c0245e056d5fb095f04cd6373bc770802ebd1e6c918eb78fdef843cdb37b0f",
    decode: swap,
    tokens: { in: "data", at: word(0) },
    emitterIsPool: true
  },
  {
    abi: "event RChange(uint8 newRState)",
    topic0: "0xdf176ad18be4f9f32efaa32f06e9d1175476504739a745f1399a6d3fa4b75917",
    decode: wordOf("rState", UINT8),
    emitterIsPool: true
  },
  {
    abi: "event BuyShares(address to, uint256 increaseShares, uint256 totalShares)",
    topic0: "0x1c172440bdebb59cd92a7f08f4227903a3305ab6f880cb25f93eddb66843a102",
    decode: shares(1, 0, 2),
    emitterIsPool: true
  },
  {
    abi: "event SellShares(address payer, address to, uint256 decreaseShares, uint256 totalShares)",
    topic0: "0x55caccde83781f39bfc1296eff45655b6496729443a7d48958b18b3b685600a5",
    decode: shares(2, 0, 3),
    emitterIsPool: true
  },
  {
    abi: "event LpFeeRateChange(uint256 newLpFeeRate)",
    topic0: "0x9950d5a2f2c7264863d40100bf993f0cdbc4711806caba6284d07e80fd500879",
    decode: wordOf("lpFee"),
    emitterIsPool: true
  },
  {
    abi: "event MtFeeRateChange(uint256 newMtFee)",
    topic0: "0xc9ec0c7a5c9e8424f73dce9c8a6ad565757953517e4f472e243c0955aa11322e",
    decode: wordOf("mtFee"),
    emitterIsPool: true
  },
  {
    abi: "event IChange(uint256 newI)",
    topic0: "0x0caf6249df528dcb5afe9adf7a20744e990b338c3d1ca3adedd6362d2db04844",
    decode: wordOf("i"),
    emitterIsPool: true
  },
  {
    abi: "event KChange(uint256 newK)",
    topic0: "0x92827143f5edde333105d346d127d03b2dfb4a45884d5a88f085654ca3d866d2",
    decode: wordOf("k"),
    emitterIsPool: true
  },
  created("NewDVM", "dvm", "0xaf5c5f12a80fc937520df6fcaed66262a4cc775e0f3fceaf7a7cfe476d9a751d"),
  created("NewDPP", "dpp", "0x8494fe594cd5087021d4b11758a2bbc7be28a430e94f2b268d668e5991ed3b8a"),
  created("NewDSP", "DSP", "0xbc1083a2c1c5ef31e13fb436953d22b47880cf7db279c2c5666b16083afd6b9d"),
  created("NewGSP", "GSP", "0x9f20c9f8d79582ed814449029f45414a72f448edaa021dc66ebaa8855dbebf44"),
  ...dodoV1Events
]
