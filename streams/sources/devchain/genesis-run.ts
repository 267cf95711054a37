/** Runs a devchain's first blocks on an empty Anvil. */
import { Effect } from "effect"
import type { AnvilRpc, Hex } from "../../../src/platform/anvil-rpc.ts"
import { type BlockProducer, DevchainError } from "./block-producer.ts"
import type { Transaction } from "./calls.ts"
import { createPool, fairAmounts, fundingTransactions, plantings } from "./genesis.ts"
import type { Market } from "./market.ts"
import type { Wallets } from "./wallets.ts"

const CONSTRUCTOR_GAS = 1_000_000
const POOLS_PER_BLOCK = 12

/** Seconds between the first blocks. */
const SPACING = 1

const plantContracts = Effect.fnUntraced(function* (
  rpc: AnvilRpc,
  producer: BlockProducer,
  market: Market,
  treasury: Hex,
  time: number,
  router: Hex | undefined
) {
  const address = market.network.contracts.router
  const list = [
    ...plantings(market),
    ...(router === undefined ? [] : [{ address, creation: router }])
  ]
  yield* rpc.batch(
    list.map(({ address, creation }) => ["anvil_setCode", address, creation] as const)
  )
  const runtime = yield* rpc.batch(
    list.map(({ address }) => ["eth_call", { from: treasury, to: address }, "latest"] as const)
  )
  const construct = list.map(
    ({ address }): Transaction => ({
      from: treasury,
      to: address,
      data: "0x",
      gas: CONSTRUCTOR_GAS
    })
  )
  yield* producer.mine(construct, time)
  yield* rpc.batch(
    list.map(({ address }, i) => ["anvil_setCode", address, runtime[i] as Hex] as const)
  )
  // Contracts that a transaction created have nonce 1; the launcher's first child counts on it.
  yield* rpc.batch(list.map(({ address }) => ["anvil_setNonce", address, "0x1"] as const))
})

const assertSucceeded = Effect.fnUntraced(function* (rpc: AnvilRpc, what: string) {
  const receipts = yield* rpc.call("eth_getBlockReceipts", "latest")
  const failed = receipts.findIndex(receipt => receipt.status !== "0x1")
  if (failed >= 0) {
    const { to, transactionHash } = receipts[failed] ?? {}
    return yield* new DevchainError({
      message: `${what}: transaction ${failed} to ${to} failed (${transactionHash})`
    })
  }
})

/** Contracts, tokens, pools: five blocks, a second apart. Gives the time of the last one. */
export const runGenesis = Effect.fnUntraced(function* (
  rpc: AnvilRpc,
  producer: BlockProducer,
  market: Market,
  wallets: Wallets,
  time: number,
  router: Hex | undefined
) {
  yield* plantContracts(rpc, producer, market, wallets.treasury, time, router)
  yield* assertSucceeded(rpc, "constructors")
  let at = time + SPACING
  const funding = fundingTransactions(market, wallets, at)
  yield* producer.mine(funding, at)
  yield* assertSucceeded(rpc, "token distribution")
  for (let first = 0; first < market.pools.length; first += POOLS_PER_BLOCK) {
    at += SPACING
    const created = market.pools
      .slice(first, first + POOLS_PER_BLOCK)
      .map(pool => createPool(market, wallets.treasury, pool, fairAmounts(pool, at), at))
    yield* producer.mine(created, at)
    yield* assertSucceeded(rpc, "pools")
  }
  return at
})
