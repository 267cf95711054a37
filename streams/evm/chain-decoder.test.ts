import { expect, it } from "vitest"
import type { Address } from "../../src/domain/address.ts"
import { abiEvent, encodeLog } from "../../test/support/abi-logs.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { decodeAll } from "../../test/support/decode-one.ts"
import { rawLogOf } from "../../test/support/raw-logs.ts"
import { kindOfPool, venueIdOf } from "../pool-venue.ts"
import type { EventDecoder } from "../venue.ts"
import type { EventArgs } from "../venue-laws.ts"
import { chainDecoder } from "./chain-decoder.ts"
import { maverickV2Events } from "./maverick-v2/decode.ts"
import { positionTransfer } from "./position-managers/decode.ts"
import { uniswapV3Events } from "./uniswap-v3/decode.ts"
import { uniswapV4Events } from "./uniswap-v4/decode.ts"
import { venueKinds } from "./venue-kinds.ts"

const address = (byte: string): Address => `0x${byte.repeat(20)}` as Address
const MANAGER = address("4a")
const PANCAKE = address("3b")
const STRANGER = address("ff")
const UNWATCHED = "not a watched event"
const POSITIONS = address("5c")
const chain = {
  ...testChain,
  venues: [
    ...testChain.venues,
    { id: "uniswap_v4", kind: "uniswap-v4", factory: MANAGER },
    { id: "pancakeswap_v3", kind: "pancakeswap-v3", factory: PANCAKE, positionManager: POSITIONS }
  ]
}
const { decode, watches } = chainDecoder(chain)

const logOf = (
  events: ReadonlyArray<EventDecoder>,
  name: string,
  args: EventArgs,
  from: string
) => {
  const { abi } = events.find(event => event.abi.startsWith(`event ${name}(`)) as EventDecoder
  return rawLogOf(encodeLog(abiEvent(abi), args, from))
}

it("believes the logs of one contract for all pools only of the chain's venues", () => {
  const args = { id: `0x${"12".repeat(32)}`, protocolFee: 5 }
  const from = (emitter: string) =>
    decodeAll(decode, logOf(uniswapV4Events, "ProtocolFeeUpdated", args, emitter))
  expect(from(MANAGER)).toMatchObject([{ kind: "PoolParameterSet", value: 5n }])
  expect(from(STRANGER)).toBe("emitter is none of the chain's venues")
  expect(
    decodeAll(
      chainDecoder(testChain).decode,
      logOf(uniswapV4Events, "ProtocolFeeUpdated", args, MANAGER)
    )
  ).toBe("emitter is none of the chain's venues")
})

it("believes a creation that begins a pool anew only of its venue's factory", () => {
  const args = {
    ...{ poolAddress: address("03"), protocolFeeRatio: 0, feeAIn: 1n, feeBIn: 1n },
    ...{ tickSpacing: 10n, lookback: 60n, activeTick: 3, kinds: 1 },
    ...{ tokenA: address("01"), tokenB: address("02"), accessor: address("00") }
  }
  const venue = { id: "maverick_v2", kind: "maverick-v2", factory: MANAGER }
  const { decode } = chainDecoder({ ...testChain, venues: [venue] })
  const from = (factory: string) =>
    decodeAll(decode, logOf(maverickV2Events, "PoolCreated", args, factory))
  expect(from(MANAGER)).toHaveLength(6)
  expect(from(STRANGER)).toBe("emitter is none of the chain's venues")
})

it("watches transfers of the chain's position managers alone, and not their shares", () => {
  const args = { from: STRANGER, to: MANAGER, tokenId: 7n }
  const from = (emitter: string) => logOf([positionTransfer], "Transfer", args, emitter)
  expect(watches(from(POSITIONS))).toBe(true)
  expect(decodeAll(decode, from(POSITIONS))).toMatchObject([
    { kind: "PositionChanged", manager: POSITIONS, change: "transfer", owner: MANAGER, tokenId: 7n }
  ])
  const { topics, address, ...rest } = from(POSITIONS)
  const fungible = { ...rest, address, topics, topicCount: 3 }
  const odd = [from(STRANGER), fungible]
  for (const log of odd) expect([watches(log), decodeAll(decode, log)]).toEqual([false, UNWATCHED])
})

it("gives a created pool the kind of its factory, and its looks where that is unknown", () => {
  const args = {
    token0: address("01"),
    token1: address("02"),
    fee: 2500,
    tickSpacing: 50,
    pool: address("03")
  }
  const kindFrom = (factory: string) => {
    const [event] = decodeAll(decode, logOf(uniswapV3Events, "PoolCreated", args, factory))
    return typeof event === "object" && event.kind === "PoolCreated" ? event.venueKind : event
  }
  expect(kindFrom(PANCAKE)).toBe("pancakeswap-v3")
  expect(kindFrom(STRANGER)).toBe("uniswap-v3")
  // a V2 factory makes no such pool, whatever it says
  expect(kindFrom(testChain.venues[0]?.factory as string)).toBe("uniswap-v3")
})

it("names a pool's venue by its factory, else by shape", () => {
  const idOf = (factory: string | null, kind: string) => venueIdOf(chain, factory, kind)
  expect(idOf(PANCAKE, "uniswap-v3")).toBe("pancakeswap_v3")
  expect(idOf(PANCAKE, "uniswap-v2")).toBe("v2fork_3b3b3b3b")
  expect(idOf(STRANGER, "uniswap-v3")).toBe("v3fork_ffffffff")
  expect(idOf(STRANGER, "algebra")).toBe("v3fork_ffffffff")
  expect(idOf(STRANGER, "solidly-cl")).toBe("v3fork_ffffffff")
  expect(idOf(STRANGER, "solidly")).toBe("v2fork_ffffffff")
  const names = Object.fromEntries(venueKinds.map(({ kind }) => [kind, idOf(STRANGER, kind)]))
  const [v2, v3] = ["v2fork_ffffffff", "v3fork_ffffffff"]
  expect(names).toMatchObject({
    "uniswap-v2": v2,
    "curve-stable": v2,
    "curve-crypto": v2,
    dodo: v2
  })
  expect(names).toMatchObject({ "pancakeswap-v3": v3, "liquidity-book": v3, "maverick-v2": v3 })
  expect(Object.values(names).filter(name => name !== v2 && name !== v3)).toEqual([])
  expect(idOf(null, "uniswap-v3")).toBeNull()
  expect(kindOfPool(chain, PANCAKE, "solidly-cl")).toBe("pancakeswap-v3")
  expect(kindOfPool(chain, null, "uniswap-v3")).toBe("uniswap-v3")
})
