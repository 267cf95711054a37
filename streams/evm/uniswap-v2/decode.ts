/**
 * Events of Uniswap V2 pairs and their factory (Uniswap/v2-core 1.0.1, IUniswapV2Pair and
 * IUniswapV2Factory), sliced word by word. Everything is checked before the first push.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { decodePairBurn, decodePairSwap, pushPairLiquidity } from "../pair-events.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { fitsUnsigned, isAddressWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

/** Width in bytes of a reserve, at the end of its word. */
const UINT112 = 14

const pairCreated = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics, data } = log
  const problem = checkIndexed(log, 2, 2)
  if (problem !== null) return problem
  if (!isAddressWord(data, word(0))) return rejection.address
  pushPoolCreated(log, out, {
    kind: "uniswap-v2",
    pool: out.ids.addressWord(data, word(0)),
    bytes: topics,
    token0: word(1)
  })
  return null
}

const swap = (log: RawLog, out: BatchBuilder): string | null =>
  decodePairSwap(log, out, "uniswap-v2")

const sync = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!fitsUnsigned(data, word(0), UINT112)) return rejection.uint112
  if (!fitsUnsigned(data, word(1), UINT112)) return rejection.uint112
  const c = out.columns.ReservesSynced
  c.pool.push(out.ids.account(log.account))
  c.reserve0.pushUnsigned(data, word(1) - UINT112, UINT112)
  c.reserve1.pushUnsigned(data, word(2) - UINT112, UINT112)
  out.end("ReservesSynced", log.logIndex)
  return null
}

const mint = (log: RawLog, out: BatchBuilder): string | null => {
  const problem = checkIndexed(log, 1, 2)
  if (problem !== null) return problem
  pushPairLiquidity(log, out, "uniswap-v2", NONE)
  const c = out.columns.LiquidityChanged
  c.amount0.pushUnsigned(log.data, word(0))
  c.amount1.pushUnsigned(log.data, word(1))
  out.end("LiquidityChanged", log.logIndex)
  return null
}

const burn = (log: RawLog, out: BatchBuilder): string | null =>
  decodePairBurn(log, out, "uniswap-v2")

/** Every event of the kind that becomes a fact, the commonest first. */
export const uniswapV2Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
    topic0: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
    decode: swap,
    emitterIsPool: true
  },
  {
    abi: "event Sync(uint112 reserve0, uint112 reserve1)",
    topic0: "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
    decode: sync,
    emitterIsPool: true
  },
  {
    abi: "event Mint(address indexed sender, uint256 amount0, uint256 amount1)",
    topic0: "0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f",
    decode: mint,
    emitterIsPool: true
  },
  {
    abi: "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)",
    topic0: "0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496",
    decode: burn,
    emitterIsPool: true
  },
  {
    abi: "event PairCreated(address indexed token0, address indexed token1, address pair, uint256 pairCount)",
    topic0: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
    decode: pairCreated,
    emitterIsPool: false
  }
]
