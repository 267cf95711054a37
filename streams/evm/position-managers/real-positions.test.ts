import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import type { EventOf } from "../../event.ts"
import { makeDecoder } from "../decoder.ts"
import { positionManagerEvents } from "./decode.ts"

const logs = "evm/logs/eth-univ3-npm-2024-01-05.jsonl.gz"
const truth = "evm/truth/eth-univ3-usdc-weth-500-2024-01-05.positions.csv.gz"

type Position = EventOf<"PositionChanged">
type Row = { readonly [column: string]: string }

const rowsOf = (path: string): ReadonlyArray<Row> => {
  const [head = "", ...lines] = gunzipSync(readFileSync(join(sharedData, path)))
    .toString()
    .trim()
    .split(/\r?\n/)
  const names = head.split(",")
  return lines.map(line => {
    const cells = line.split(",")
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]))
  })
}

const changes: { readonly [type: string]: string } = {
  MINT: "increase",
  BURN: "decrease",
  COLLECT: "collect"
}

describeWithSharedData("a day of Uniswap's position manager", [logs, truth], () => {
  it("tells of each position what the pool's own record has", () => {
    const { decode } = makeDecoder([], positionManagerEvents)
    const positions = new Map<string, Position>()
    for (const log of jsonLines<RealLog>(logs)) {
      const [event] = decodeAll(decode, rawLogOf(log, log.logIndex)) as ReadonlyArray<Position>
      positions.set(`${log.transactionHash} ${log.logIndex}`, event as Position)
    }
    const matched: { [change: string]: number } = {}
    for (const row of rowsOf(truth)) {
      // what others than the manager did
      if (row["proxy_log_index"] === "") continue
      const logIndex = Number(row["proxy_log_index"])
      const position = positions.get(`${row["transaction_hash"]} ${logIndex}`)
      const change = changes[row["tx_type"] ?? ""] as string
      const sign = change === "increase" ? 1n : -1n
      const signed = (column: string) => sign * BigInt(row[column] as string)
      expect(position).toMatchObject({
        manager: "0xc36442b4a4522e871399cd717abdd847ab11fe88",
        tokenId: BigInt(row["position_id"] as string),
        change,
        liquidity: change === "collect" ? null : signed("liquidity"),
        amount0: signed("amount0"),
        amount1: signed("amount1")
      })
      matched[change] = (matched[change] ?? 0) + 1
    }
    expect(matched).toEqual({ increase: 25, decrease: 26, collect: 36 })
  })
})
