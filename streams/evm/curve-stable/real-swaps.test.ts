import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { evmDecoder } from "../decoder.ts"

const files = ["evm/logs/receipts-multichain.jsonl.gz", "evm/logs/blocks.jsonl.gz"]
const EXCHANGE = "0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140"
const UNDERLYING = "0xd013ca23e77a65003c2c659c5442c00c805371b7fc1ebd4c206c41d1536bd90b"
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** What became of the swaps that are logged so, by whether their amounts came to the pool and went. */
const verdictsOf = (topic: string, areUnderlying: boolean) => {
  const logs = files.flatMap(file => jsonLines<RealLog>(file))
  const verdicts: { [verdict: string]: number } = {}
  for (const log of logs.filter(one => one.topics[0] === topic)) {
    const [swap] = decodeAll(evmDecoder.decode, rawLogOf(log, log.logIndex))
    if (typeof swap === "string" || swap?.kind !== "SwapExecuted") throw new Error("no swap")
    const moved = (place: number, amount: bigint): boolean =>
      logs.some(
        ({ transactionHash, topics, data }) =>
          transactionHash === log.transactionHash &&
          topics[0] === TRANSFER &&
          topics[place]?.endsWith(log.address.slice(2)) === true &&
          BigInt(data) === amount
      )
    const isIn = moved(2, swap.amount0In + swap.amount1In)
    const isOut = moved(1, swap.amount0Out + swap.amount1Out)
    const places = [swap.index0, swap.index1].map(place =>
      areUnderlying ? -1 - Number(place) : place
    )
    expect(places).toEqual([...places].sort())
    expect(places.every(place => Number(place) >= 0)).toBe(true)
    const verdict = `${isIn ? "came" : "came otherwise"}, ${isOut ? "went" : "went otherwise"}`
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
  }
  return verdicts
}

describeWithSharedData("Curve swaps in receipts", files, () => {
  it("moved what they say, in the direction they say", () => {
    expect(verdictsOf(EXCHANGE, false)).toEqual({ "came, went": 28 })
  })

  it("moved what they say of the coins of a metapool's base pool, too", () => {
    expect(verdictsOf(UNDERLYING, true)).toEqual({ "came, went": 3 })
  })
})
