import type { BatchBuilder } from "../../batch/builder.ts"
import { NONE } from "../../batch/id-table.ts"
import type { Traded } from "./refresh-tokens.ts"
import type { RpcLane } from "./rpc-lane.ts"
import type { PaidOut } from "./transfer-check.ts"
import type { WireLog } from "./wire.ts"

/** What a swap's own pool paid of one token to somebody named. */
const paidOutOf = (
  scratch: BatchBuilder,
  row: number,
  tokens: ReadonlyArray<string>,
  log: WireLog
): PaidOut | null => {
  const { pool, recipient, amount0Out, amount1Out } = scratch.columns.SwapExecuted
  const to = recipient.get(row)
  const [out0, out1] = [amount0Out.get(row) ?? 0n, amount1Out.get(row) ?? 0n]
  if (to === NONE || to === pool.get(row) || tokens.length !== 2) return null
  if (out0 > 0n === out1 > 0n || scratch.ids.text(pool.get(row)) !== log.address) return null
  return {
    pool: log.address,
    token: tokens[out0 > 0n ? 0 : 1] as string,
    recipient: scratch.ids.text(to) as string,
    amount: out0 > 0n ? out0 : out1,
    log
  }
}

/** Of the decoded swaps, the log of each of which is told, as far as their pools are known. */
export const tradedOf = (
  lane: RpcLane,
  scratch: BatchBuilder,
  logs: ReadonlyArray<WireLog>
): Pick<Traded, "tokens" | "paid"> => {
  const traded = new Set<string>()
  const paid: Array<PaidOut> = []
  logs.forEach((log, row) => {
    const pool = scratch.ids.text(scratch.columns.SwapExecuted.pool.get(row)) as string
    const tokens = lane.facts.pool(pool)?.tokens ?? lane.facts.reads.tokensOf(pool)
    if (tokens === null) return
    for (const token of tokens) traded.add(token)
    const one = paidOutOf(scratch, row, tokens, log)
    if (one !== null) paid.push(one)
  })
  return { tokens: traded, paid }
}
