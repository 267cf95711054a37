/** An Anvil of a test's own, whose blocks are mined on demand. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { getContractAddress } from "viem"
import { startAnvil } from "../../src/platform/anvil.ts"
import { type Hex, makeAnvilRpc, type RpcReceipt } from "../../src/platform/anvil-rpc.ts"

const START = 1_700_000_000
/** What a transaction may use. */
const GAS = 10_000_000

/** Transactions come from the first account, one after the other; the clock stands still but for
 *  `mine` and `receipts`. */
export const openAnvilChain = async () => {
  const folder = mkdtempSync(join(tmpdir(), "anvil-chain-"))
  const scope = Effect.runSync(Scope.make())
  const anvil = await Effect.runPromise(
    startAnvil({
      folder,
      chainId: 8453,
      genesisTimeSeconds: START,
      accounts: 1,
      blockGasLimit: 60_000_000,
      keepBlocks: 500,
      keepStates: 500
    }).pipe(Scope.provide(scope))
  )
  const rpc = makeAnvilRpc(anvil.url)
  const run = Effect.runPromise
  const [owner] = (await run(rpc.call("eth_accounts"))) as [Hex]
  let nonce = 0
  let time = START
  const send = async (to: Hex | null, data: Hex, gas = GAS, value = 0n): Promise<void> => {
    await run(
      rpc.call("eth_sendTransaction", {
        from: owner,
        ...(to !== null && { to }),
        data,
        value: `0x${value.toString(16)}`,
        nonce: `0x${(nonce++).toString(16)}`,
        gas: `0x${gas.toString(16)}`,
        maxFeePerGas: "0x2540be400",
        maxPriorityFeePerGas: "0x1"
      })
    )
  }
  /** Mines what was sent, so many seconds after the block before; failed ones are among them. */
  const receipts = async (seconds = 2): Promise<ReadonlyArray<RpcReceipt>> => {
    time += seconds
    await run(rpc.call("evm_mine", { timestamp: time }))
    return run(rpc.call("eth_getBlockReceipts", "latest"))
  }
  /** Mines what was sent, where none may fail. */
  const mine = async (seconds = 2): Promise<void> => {
    for (const { status, to } of await receipts(seconds)) {
      if (status !== "0x1") throw new Error(`a call of ${to} failed`)
    }
  }
  const deploy = async (code: Hex): Promise<Hex> => {
    const address = getContractAddress({ from: owner, nonce: BigInt(nonce) })
    await send(null, code)
    return address.toLowerCase() as Hex
  }
  return {
    url: anvil.url,
    owner,
    send,
    mine,
    receipts,
    deploy,
    head: async () => Number(await run(rpc.call("eth_blockNumber"))),
    call: (to: Hex, data: Hex) => run(rpc.call("eth_call", { to, data }, "latest")),
    logs: () => run(rpc.call("eth_getLogs", { fromBlock: "earliest", toBlock: "latest" })),
    close: async () => {
      await run(Scope.close(scope, Exit.void))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
