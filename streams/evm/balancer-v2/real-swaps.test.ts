import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { evmDecoder } from "../decoder.ts"

const file = "evm/logs/receipts-multichain.jsonl.gz"
const VAULT = "0xba12222222228d8ba445958a75a0704d566bf2c8"
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

describeWithSharedData("real receipts with Balancer V2 swaps", [file], () => {
  it("moves in the Vault what the transfers move, token by token", () => {
    const txs = new Map<string, Array<RealLog>>()
    for (const log of jsonLines<RealLog>(file)) {
      const logs = txs.get(log.transactionHash) ?? []
      logs.push(log)
      txs.set(log.transactionHash, logs)
    }
    const verdicts = { equal: 0, differs: 0 }
    for (const logs of txs.values()) {
      const told = new Map<string, bigint>()
      const moved = new Map<string, bigint>()
      const add = (sums: Map<string, bigint>, token: string, amount: bigint) =>
        sums.set(token, (sums.get(token) ?? 0n) + amount)
      for (const log of logs) {
        if (log.address === VAULT) {
          const events = decodeAll(evmDecoder.decode, rawLogOf(log))
          for (const event of typeof events === "string" ? [] : events) {
            if (event.kind === "SwapExecuted") {
              add(told, event.token0 as string, event.amount0In - event.amount0Out)
              add(told, event.token1 as string, event.amount1In - event.amount1Out)
            } else if (event.kind === "ReserveChanged") {
              add(told, event.token as string, event.amount)
            }
          }
        }
        if (log.topics[0] !== TRANSFER || log.topics.length !== 3) continue
        const [from, to] = [log.topics[1], log.topics[2]].map(word => `0x${word?.slice(26)}`)
        if (to === VAULT) add(moved, log.address, BigInt(log.data))
        if (from === VAULT) add(moved, log.address, -BigInt(log.data))
      }
      for (const [token, amount] of told) {
        verdicts[amount === (moved.get(token) ?? 0n) ? "equal" : "differs"]++
      }
    }
    // Ether that the Vault itself wraps or unwraps is not transferred.
    expect(verdicts).toEqual({ equal: 56, differs: 3 })
  })
})
