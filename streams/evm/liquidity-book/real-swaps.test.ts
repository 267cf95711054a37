import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { evmDecoder } from "../decoder.ts"

const file = "evm/logs/receipts-multichain.jsonl.gz"
const SWAP = "0xad7d6f97abf51ce18e17a38f4d70e975be9c0708474987bb3e26ad21bd93ca70"
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

describeWithSharedData("Liquidity Book swaps in receipts", [file], () => {
  it("moved what they say", () => {
    const logs = jsonLines<RealLog>(file)
    const swaps = logs.filter(log => log.topics[0] === SWAP)
    for (const log of swaps) {
      const events = decodeAll(evmDecoder.decode, rawLogOf(log, log.logIndex))
      const [swap, volatility] = events as Exclude<typeof events, string>
      expect(swap).toMatchObject({ kind: "SwapExecuted", venueKind: "liquidity-book" })
      expect(volatility).toMatchObject({ name: "volatilityAccumulator" })
      if (swap?.kind !== "SwapExecuted") throw new Error("no swap")
      const moved = logs
        .filter(one => one.transactionHash === log.transactionHash && one.topics[0] === TRANSFER)
        .flatMap(({ topics, data }) => {
          const names = (topic: string | undefined) => topic?.endsWith(log.address.slice(2))
          return names(topics[2]) ? [BigInt(data)] : names(topics[1]) ? [-BigInt(data)] : []
        })
      const told = [swap.amount0In - swap.amount0Out, swap.amount1In - swap.amount1Out].sort(
        (a, b) => (a < b ? -1 : 1)
      )
      expect(moved.sort((a, b) => (a < b ? -1 : 1))).toEqual(told)
    }
    expect(swaps.length).toBe(1)
  })
})
