/** Finds one log of a contract, from the newest blocks back, in ranges that the node takes. */
import { Effect, Predicate } from "effect"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import { newRawLog, type RawLog } from "../../evm/raw-log.ts"
import type { SourceError } from "../../source.ts"
import type { Endpoints } from "../evm-rpc/endpoints.ts"
import { fillRawLog } from "../evm-rpc/rpc-lane.ts"
import { readLogs } from "../evm-rpc/wire.ts"

/** Requests for one contract at most: a venue that is nearly dead is not worth more. */
const MAX_REQUESTS = 24

export interface LogSearch {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  readonly from: number
  readonly to: number
}

const hexOf = (number: number): string => `0x${number.toString(16)}`

const tooWide = (error: RpcError | SourceError): error is RpcError =>
  error._tag === "RpcError" &&
  (error.kind === "range-too-wide" || error.kind === "too-many-results")

/** The newest log in reach that `accept` takes; null where none was found. */
export const findLog = <A>(
  endpoints: Endpoints,
  { address, topics, from, to }: LogSearch,
  accept: (log: RawLog) => A | null
): Effect.Effect<{ readonly block: number; readonly value: A } | null, RpcError | SourceError> =>
  Effect.gen(function* () {
    let end = to
    let size = Math.max(1, to - from + 1)
    const raw = newRawLog()
    for (let request = 0; request < MAX_REQUESTS && end >= from; request++) {
      const start = Math.max(from, end - size + 1)
      const filter = { address, topics: [topics], fromBlock: hexOf(start), toBlock: hexOf(end) }
      const answer = endpoints.request({ method: "eth_getLogs", params: [filter] }, readLogs)
      const found = yield* answer.pipe(
        Effect.catchIf(tooWide, error => Effect.succeed(error.maxBlocks ?? null))
      )
      if (found === null || Predicate.isNumber(found)) {
        size = found !== null && found > 0 && found < size ? found : Math.ceil(size / 10)
        continue
      }
      for (const log of found.toReversed()) {
        const value = log.address === address ? accept(fillRawLog(log, raw)) : null
        if (value !== null) return { block: log.block, value }
      }
      end = start - 1
    }
    return null
  })
