/** The simulated Solana's bank for tests: sends one transaction, and tells what its block holds. */
import type { Instruction } from "@solana/kit"
import { expect } from "vitest"
import { decodeTransaction } from "../../streams/solana/decode-transaction.ts"
import { hexOf } from "../../streams/solana/payload.ts"
import { readDocument } from "../../streams/solana/transaction/read-document.ts"
import type { Transaction } from "../../streams/solana/transaction.ts"
import { checkVaults } from "../../streams/solana/vault-check.ts"
import { venuesByProgram as venues } from "../../streams/solana/venues.ts"
import type { Bank, Block } from "../../streams/sources/solana-devchain/bank.ts"
import type { User } from "../../streams/sources/solana-devchain/genesis.ts"
import { signed } from "../../streams/sources/solana-devchain/sign.ts"

const transactionsOf = (block: Block): ReadonlyArray<Transaction> =>
  readDocument(JSON.parse(JSON.stringify(block))).map(one => {
    if (one._tag !== "Transaction") throw new Error(one.reason)
    return one
  })

/** What the decoder and the vaults say of each of a block's transactions. */
export const decoded = (block: Block) =>
  transactionsOf(block).map(transaction => {
    const { swaps, refusals, poolEvents, counts } = decodeTransaction(transaction, venues)
    const checks = checkVaults(transaction, swaps)
    return { transaction, swaps, refusals, poolEvents, counts, checks }
  })

/** Sends one transaction, makes its block, and returns what the decoder reads of it. */
export const landed = async (
  bank: Bank,
  payer: User,
  ...instructions: ReadonlyArray<Instruction>
) => {
  const sent = bank.send(await signed(payer.signer, bank.head.blockhash, instructions))
  const block = bank.produce(bank.head.slot + 1, bank.head.blockTime + 1)
  const [one] = decoded(block)
  if (one === undefined) throw new Error(`nothing landed of ${JSON.stringify(sent)}`)
  expect([one.transaction.signature, one.refusals]).toEqual([sent, []])
  return one
}

/** Why the newest block's first transaction failed; null where it did not. */
export const failureOf = (bank: Bank) => bank.head.transactions[0]?.meta.err ?? null

/** What a transaction logged that begins with these bytes in hex, in its order. */
export const loggedOf = ({ instructions }: Transaction, tag: string): ReadonlyArray<Buffer> =>
  instructions
    .flatMap(({ logged }) => logged.map(({ base64 }) => Buffer.from(base64, "base64")))
    .filter(payload => hexOf(payload, 8) === tag)
