import { expect, it } from "vitest"
import { decodeOne } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { evmDecoder } from "../decoder.ts"
import { pancakeswapV3Events } from "./decode.ts"

const receipts = "evm/logs/receipts-multichain.jsonl.gz"
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const SWAP = pancakeswapV3Events[0]?.topic0

describeWithSharedData("real swaps and the transfers beside them", [receipts], () => {
  it("took in and paid what moved", () => {
    const logs = jsonLines<RealLog>(receipts)
    const swaps = logs.filter(log => log.topics[0] === SWAP)
    for (const log of swaps) {
      const moved = (place: 1 | 2) =>
        logs
          .filter(
            ({ topics, transactionHash }) =>
              topics[0] === TRANSFER &&
              topics.length === 3 &&
              transactionHash === log.transactionHash &&
              topics[place]?.endsWith(log.address.slice(2)) === true
          )
          .map(transfer => BigInt(transfer.data))
      const event = decodeOne(evmDecoder.decode, rawLogOf(log))
      if (typeof event === "string" || event.kind !== "SwapExecuted") throw new Error("no swap")
      expect(event.venueKind).toBe("pancakeswap-v3")
      expect(moved(2)).toContain(event.amount0In + event.amount1In)
      expect(moved(1)).toContain(event.amount0Out + event.amount1Out)
    }
    expect(swaps.length).toBe(16)
  })
})
