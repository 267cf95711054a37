/** Whether real swaps moved what they say: their receipts hold the transfers beside them. */

import type { EventOf } from "../../streams/event.ts"
import { evmDecoder } from "../../streams/evm/decoder.ts"
import { decodeAll } from "./decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "./raw-logs.ts"

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/**
 * Counts the swaps of files of receipts whose first topic is one of these, by whether their amounts
 * came to the pool and went; `look` is given each.
 */
export const movedVerdicts = (
  files: ReadonlyArray<string>,
  swaps: ReadonlySet<string>,
  look: (swap: EventOf<"SwapExecuted">) => void = () => {}
): { readonly [verdict: string]: number } => {
  const logs = files.flatMap(file => jsonLines<RealLog>(file))
  const verdicts: { [verdict: string]: number } = {}
  for (const log of logs.filter(one => swaps.has(one.topics[0] ?? ""))) {
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
    look(swap)
    const verdict = `${isIn ? "came" : "came otherwise"}, ${isOut ? "went" : "went otherwise"}`
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
  }
  return verdicts
}
