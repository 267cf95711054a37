import { basename } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { expect, it } from "vitest"
import { abiEvent, encodeLog, randomArgs } from "../../test/support/abi-logs.ts"
import { decodeAll, decodeOne, openBuilder } from "../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../test/support/raw-logs.ts"
import { random } from "../../test/support/seed.ts"
import { describeWithSharedData } from "../../test/support/shared-data.ts"
import {
  type Candidate,
  candidatesByTopic,
  meaningOf,
  referenceMeaning
} from "../../test/support/venue-laws.ts"
import { inOneContract } from "../pool-venue.ts"
import type { AnyVenueKind, EventDecoder } from "../venue.ts"
import { evmDecoder, furtherEvents, makeDecoder, poolTopics, watchedTopics } from "./decoder.ts"
import { positionTransfer } from "./position-managers/decode.ts"
import { uniswapV2 } from "./uniswap-v2/venue.ts"
import { venueKinds } from "./venue-kinds.ts"

const SYNC = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1"
const address = `0x${"ab".repeat(20)}`
const word = (value: bigint): string => value.toString(16).padStart(64, "0")

it("passes over logs that nobody watches", () => {
  const { bits, integer } = random("unwatched")
  const unwatched = (topics: ReadonlyArray<string>) => {
    const raw = rawLogOf({ address, topics, data: "0x" })
    expect(evmDecoder.watches(raw)).toBe(false)
    expect(decodeOne(evmDecoder.decode, raw)).toBe("not a watched event")
  }
  unwatched([])
  for (const topic of watchedTopics) {
    unwatched([`${topic.slice(0, 64)}${topic.endsWith("00") ? "01" : "00"}`])
    unwatched([`0x00${topic.slice(4)}`])
    const place = integer(2, 65)
    const digit = topic[place] === "0" ? "1" : "0"
    unwatched([topic.slice(0, place) + digit + topic.slice(place + 1), `0x${word(bits(256))}`])
  }
})

it("asks for what the kinds decode, and knows which emitters are pools", () => {
  const events = [...venueKinds.flatMap(kind => kind.events), ...furtherEvents]
  expect([...watchedTopics].sort()).toEqual([...new Set(events.map(e => e.topic0))].sort())
  for (const event of events) expect(poolTopics.has(event.topic0)).toBe(event.emitterIsPool)
  expect(poolTopics.has(SYNC)).toBe(true)
  // every token logs it
  expect(watchedTopics).not.toContain(positionTransfer.topic0)
})

/** Whether a random log of the event becomes a swap: some decoders take few of any. */
const tellsSwaps = ({ abi, decode }: EventDecoder): boolean => {
  const event = abiEvent(abi)
  const chance = random(`${abi} swaps`)
  for (let drawn = 0; drawn < 3000; drawn++) {
    const events = decodeAll(decode, rawLogOf(encodeLog(event, randomArgs(chance, event), address)))
    if (typeof events === "string") continue
    return events.some(({ kind }) => kind === "SwapExecuted")
  }
  return false
}

it("lists the kinds whose pools log through one contract, which is believed alone", () => {
  const believed = venueKinds.filter(({ oneContract, events }) =>
    events.some(event => (oneContract === "all" || event.fromFactory) && tellsSwaps(event))
  )
  const kinds = new Set(believed.map(({ kind }) => kind))
  const onlyIn = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some].filter(kind => !others.has(kind))
  expect(
    onlyIn(kinds, inOneContract),
    "swaps of these kinds are believed of the venue's factory alone: write oneContract in venue.ts"
  ).toEqual([])
  expect(
    onlyIn(
      new Set(venueKinds.flatMap(one => (inOneContract.has(one.kind) ? one.kind : []))),
      kinds
    ),
    "these kinds declare oneContract, and no event that tells SwapExecuted is bound to the factory: " +
      'write fromFactory: true beside the decode of the swap, or oneContract: "all"'
  ).toEqual([])
})

it("tries the kinds of one topic in order and tells the first one's reason", () => {
  const sync = uniswapV2.events.find(event => event.topic0 === SYNC) as EventDecoder
  const refusing = (reason: string): AnyVenueKind => ({
    ...(uniswapV2 as AnyVenueKind),
    events: [{ ...sync, decode: () => reason }]
  })
  const raw = rawLogOf({ address, topics: [SYNC], data: `0x${word(5n)}${word(7n)}` })
  const both = makeDecoder([refusing("first"), refusing("second")])
  expect(decodeOne(both.decode, raw)).toBe("first")
  const second = makeDecoder([refusing("first"), uniswapV2 as AnyVenueKind])
  expect(decodeOne(second.decode, raw)).toMatchObject({ reserve0: 5n, reserve1: 7n })
})

const nameOf = ({ under, event }: Candidate): string =>
  `${under.laws.kind} ${/event (\w+)/.exec(event.abi)?.[1]}`

const files = [
  "blocks",
  "bsc-pancakev3-single",
  "eth-univ3-npm-2024-01-05",
  "eth-univ3-usdc-weth-500-2024-01-05",
  "monad-univ3-mon-usdc",
  "polygon-univ3-usdc-weth-500-2021-12-22",
  "polygon-univ3-usdc-weth-500-2022-01-05",
  "receipts-multichain"
].map(name => `evm/logs/${name}.jsonl.gz`)

/** The runner's own comparison takes longer than both decoders: it tells what differs. */
const expectSame = (told: unknown, expected: unknown, what: () => string): void => {
  if (!isDeepStrictEqual(told, expected)) expect(told, what()).toEqual(expected)
}

describeWithSharedData("real logs of twelve chains", files, () => {
  it("decodes as viem does, field by field, and refuses what viem refuses", async () => {
    const byTopic = await candidatesByTopic()
    const decoded: { [name: string]: number } = {}
    const rejected: { [verdict: string]: number } = {}
    const out = openBuilder()
    const misplaced: Array<RealLog> = []
    let unwatched = 0
    for (const file of files) {
      for (const log of jsonLines<RealLog>(file)) {
        const candidates = byTopic.get(log.topics[0] ?? "")
        const result = decodeAll(evmDecoder.decode, rawLogOf(log, log.logIndex), out)
        if (candidates === undefined) {
          expect(result).toBe("not a watched event")
          unwatched++
          continue
        }
        const accepted = candidates.flatMap(candidate => {
          const meaning = referenceMeaning(candidate.under, candidate.event, log)
          return meaning === null ? [] : [{ candidate, meaning }]
        })[0]
        const name = nameOf(accepted?.candidate ?? (candidates[0] as Candidate))
        if (typeof result === "string") {
          const verdict = `${name}: ${result}; viem ${accepted ? "accepts" : "refuses"}`
          rejected[verdict] = (rejected[verdict] ?? 0) + 1
          continue
        }
        const told = result.map(meaningOf)
        expectSame(told, accepted?.meaning, () => `${basename(file)} ${JSON.stringify(log)}`)
        if (result.some(event => event.logIndex !== log.logIndex)) misplaced.push(log)
        decoded[name] = (decoded[name] ?? 0) + 1
      }
    }
    expect(misplaced).toEqual([])
    // of every kind named here all that there is
    expect(decoded).toMatchObject({
      "algebra Fee": 19,
      "balancer-v2 PoolBalanceChanged": 3,
      "balancer-v2 Swap": 34,
      "balancer-v3 Swap": 6,
      "dodo DODOSwap": 1,
      "maverick-v2 PoolSwap": 1,
      "pancakeswap-v3 Swap": 17,
      "position-managers Collect": 1437,
      "position-managers DecreaseLiquidity": 1090,
      "position-managers IncreaseLiquidity": 1363,
      "solidly Burn": 7,
      "solidly Fees": 30,
      "solidly Swap": 24,
      "solidly Sync": 43,
      "uniswap-v2 Burn": 8,
      "uniswap-v2 Mint": 47,
      "uniswap-v2 PairCreated": 2,
      "uniswap-v2 Swap": 302,
      "uniswap-v2 Sync": 323,
      "uniswap-v3 Burn": 150,
      "uniswap-v3 Collect": 143,
      "uniswap-v3 Mint": 139,
      "uniswap-v3 Swap": 10_514,
      "uniswap-v4 Initialize": 1,
      "uniswap-v4 ModifyLiquidity": 355,
      "uniswap-v4 Swap": 37
    })
    // GMX's vault on Arbitrum and Compound's cTokens: the same signature, and nothing indexed.
    expect(rejected).toEqual({
      "balancer-v3 Swap: wrong number of topics; viem refuses": 1,
      "uniswap-v2 Mint: wrong number of topics; viem refuses": 5
    })
    expect(unwatched).toBeGreaterThan(8000)
  })
})
