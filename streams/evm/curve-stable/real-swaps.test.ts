import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { evmDecoder } from "../decoder.ts"

const files = ["evm/logs/receipts-multichain.jsonl.gz", "evm/logs/blocks.jsonl.gz"]
const EXCHANGE = "0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140"
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

describeWithSharedData("Curve swaps in receipts", files, () => {
  it("moved what they say, in the direction they say", () => {
    const logs = files.flatMap(file => jsonLines<RealLog>(file))
    const verdicts: { [verdict: string]: number } = {}
    for (const log of logs.filter(one => one.topics[0] === EXCHANGE)) {
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
      expect((swap.index0 as number) < (swap.index1 as number)).toBe(true)
      const verdict = `${isIn ? "came" : "came otherwise"}, ${isOut ? "went" : "went otherwise"}`
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
    }
    expect(verdicts).toEqual({ "came, went": 28 })
  })
})
