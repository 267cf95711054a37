/**
 * What a node of Solana answers to the methods that readers and wallets call, of a bank (the RPC of
 * Agave; codes and words of ../shared/reference/solana.md, 1.2 and 1.3). Answers of slots: the head
 * is `confirmed`, a block is `finalized` once `FINALITY` others stand on it.
 */
import {
  type Address,
  type EncodedAccount,
  getTransactionDecoder,
  isAddress,
  type Transaction as SignedTransaction
} from "@solana/kit"
import { Predicate } from "effect"
import { FailedTransactionMetadata } from "litesvm"
import { fromBase58 } from "../../../src/domain/base58.ts"
import { type Bank, type Block, RECENT } from "./bank.ts"
import { errorJson } from "./svm-errors.ts"

/** An error of JSON-RPC. */
export class RpcError {
  readonly code: number
  readonly message: string
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    this.code = code
    this.message = message
    this.data = data
  }
}

type Params = ReadonlyArray<unknown>
type Config = { readonly [name: PropertyKey]: unknown }
type Answer = (bank: Bank, params: Params) => unknown

const INVALID_PARAMS = -32602
const invalid = (what: string) => new RpcError(INVALID_PARAMS, `Invalid params: ${what}`)

const configAt = (params: Params, at: number): Config =>
  Predicate.isObject(params[at]) ? (params[at] as Config) : {}

const slotFrom = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null

const tip = (bank: Bank, { commitment }: Config): number =>
  commitment === "confirmed" || commitment === "processed" ? bank.head.slot : bank.finalized

const inContext = (bank: Bank, value: unknown) => ({
  context: { slot: bank.head.slot, apiVersion: "2.0.0" },
  value
})

const MOST_SLOTS = 500_000

/** The first transaction whose version the reader has not said that it reads. */
const unreadVersion = (block: Block, most: unknown): string | null => {
  const found = block.transactions.find(
    ({ version }) => version !== "legacy" && !(typeof most === "number" && most >= version)
  )
  return found === undefined ? null : String(found.version)
}

const blockJson = ({ slot: _, transactions, ...block }: Block, config: Config) => {
  const { transactionDetails = "full", rewards = true } = config
  const told = { ...block, ...(rewards === false ? {} : { rewards: [] }) }
  if (transactionDetails === "none") return told
  if (transactionDetails === "signatures")
    return { ...told, signatures: transactions.map(one => one.transaction.signatures[0]) }
  return { ...told, transactions }
}

const getBlock: Answer = (bank, params) => {
  const slot = slotFrom(params[0])
  if (slot === null) return invalid("a slot is a whole number")
  const config = configAt(params, 1)
  const { encoding = "json", commitment = "finalized", transactionDetails = "full" } = config
  if (commitment === "processed")
    return new RpcError(INVALID_PARAMS, "Method does not support commitment below `confirmed`")
  if (encoding !== "json") return invalid("the simulated chain tells blocks in the encoding json")
  if (slot < bank.first.slot)
    return new RpcError(
      -32001,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${bank.first.slot}`
    )
  const block = slot > tip(bank, { commitment }) ? null : bank.at(slot)
  if (block === null && slot > bank.finalized)
    return new RpcError(-32004, `Block not available for slot ${slot}`)
  if (block === null)
    return new RpcError(
      -32007,
      `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`
    )
  const version =
    transactionDetails === "full"
      ? unreadVersion(block, config["maxSupportedTransactionVersion"])
      : null
  if (version === null) return blockJson(block, config)
  return new RpcError(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the ` +
      `request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`
  )
}

const getBlocks: Answer = (bank, params) => {
  const from = slotFrom(params[0])
  const config = configAt(params, Predicate.isObject(params[1]) ? 1 : 2)
  const to = slotFrom(params[1]) ?? tip(bank, config)
  if (from === null) return invalid("a slot is a whole number")
  if (to - from > MOST_SLOTS)
    return new RpcError(INVALID_PARAMS, `Slot range too large; max ${MOST_SLOTS}`)
  return bank.slots(from, Math.min(to, tip(bank, config)))
}

/** The part of an account's data that is wanted: all of it where nothing is said. */
const sliceOf = (data: EncodedAccount["data"], { dataSlice }: Config): Buffer => {
  const { offset = 0, length = data.length } = configAt([dataSlice], 0) as {
    readonly offset?: number
    readonly length?: number
  }
  return Buffer.from(data).subarray(offset, offset + length)
}

const encoded = (account: EncodedAccount, config: Config = {}) => ({
  data: [sliceOf(account.data, config).toString("base64"), "base64"],
  executable: account.executable,
  lamports: Number(account.lamports),
  owner: account.programAddress,
  rentEpoch: 0,
  space: account.data.length
})

const accountJson = (bank: Bank, address: Address, config: Config = {}) => {
  const account = bank.account(address)
  return account.exists ? encoded(account, config) : null
}

const MOST_ACCOUNTS = 100

const getMultipleAccounts: Answer = (bank, params) => {
  const [addresses] = params
  if (!Array.isArray(addresses)) return invalid("accounts are a list of addresses")
  if (addresses.length > MOST_ACCOUNTS)
    return new RpcError(INVALID_PARAMS, `Too many inputs provided; max ${MOST_ACCOUNTS}`)
  const wrong = addresses.find(one => typeof one !== "string" || !isAddress(one))
  if (wrong !== undefined) return invalid(`${String(wrong)} is no address`)
  return inContext(
    bank,
    addresses.map(one => accountJson(bank, one as Address, configAt(params, 1)))
  )
}

const decoder = getTransactionDecoder()

/** Reads a transaction as it was sent; an error says what is wrong with it. */
const transactionFrom = (text: unknown, { encoding = "base58" }: Config) => {
  if (typeof text !== "string") return invalid("a transaction is a text")
  if (encoding !== "base58" && encoding !== "base64") return invalid("encoding is base64 or base58")
  const bytes = encoding === "base64" ? Buffer.from(text, "base64") : fromBase58(text)
  // Solana's packets hold no more
  if (bytes === null || bytes.length === 0 || bytes.length > 1232)
    return invalid("a transaction has 1 to 1232 bytes")
  return decoder.decode(bytes)
}

const simulated = (bank: Bank, transaction: SignedTransaction, config: Config) => {
  const result = bank.simulate(transaction, config["sigVerify"] === true)
  const isFailed = result instanceof FailedTransactionMetadata
  const meta = result.meta()
  const wanted = configAt([config["accounts"]], 0)["addresses"]
  const after = isFailed ? [] : result.postAccounts()
  return {
    err: isFailed ? errorJson(result) : null,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    returnData: null,
    accounts: Array.isArray(wanted)
      ? wanted.map(one => {
          const found = after.find(({ address }) => address === one)
          return found === undefined ? accountJson(bank, one as Address) : encoded(found)
        })
      : null
  }
}

const sendTransaction: Answer = (bank, params) => {
  const config = configAt(params, 1)
  const transaction = transactionFrom(params[0], config)
  if (transaction instanceof RpcError) return transaction
  if (config["skipPreflight"] !== true) {
    const result = simulated(bank, transaction, { ...config, sigVerify: true })
    if (result.err !== null) return new RpcError(-32002, "Transaction simulation failed", result)
  }
  const sent = bank.send(transaction)
  return typeof sent === "string"
    ? sent
    : new RpcError(-32002, `Transaction simulation failed: ${sent.reason}`)
}

/** A transaction and the block that holds it; null where none does. */
const landed = (bank: Bank, signature: unknown) => {
  const block = typeof signature === "string" ? bank.blockOf(signature) : null
  const found = block?.transactions.find(one => one.transaction.signatures[0] === signature)
  return block === null || found === undefined ? null : { block, found }
}

const statusOf = (bank: Bank, signature: unknown) => {
  const at = landed(bank, signature)
  if (at === null) return null
  const { block, found } = at
  const isFinal = block.slot <= bank.finalized
  return {
    slot: block.slot,
    confirmations: isFinal ? null : bank.head.blockHeight - block.blockHeight,
    err: found.meta.err,
    status: found.meta.status,
    confirmationStatus: isFinal ? "finalized" : "confirmed"
  }
}

const getTransaction: Answer = (bank, [signature]) => {
  const at = landed(bank, signature)
  if (at === null) return null
  const { block, found } = at
  return { ...found, slot: block.slot, blockTime: block.blockTime }
}

const methods: { readonly [method: string]: Answer } = {
  getBlock,
  getBlocks,
  getTransaction,
  getMultipleAccounts,
  sendTransaction,
  getSlot: (bank, params) => tip(bank, configAt(params, 0)),
  getBlockHeight: (bank, params) => bank.at(tip(bank, configAt(params, 0)))?.blockHeight ?? 0,
  getBlockTime: (bank, [slot]) => bank.at(slotFrom(slot) ?? -1)?.blockTime ?? null,
  getFirstAvailableBlock: bank => bank.first.slot,
  getGenesisHash: bank => bank.genesisHash,
  getHealth: () => "ok",
  getVersion: () => ({ "solana-core": "2.0.0", "feature-set": 0 }),
  getLatestBlockhash: bank =>
    inContext(bank, {
      blockhash: bank.head.blockhash,
      lastValidBlockHeight: bank.head.blockHeight + RECENT
    }),
  isBlockhashValid: (bank, [hash]) => inContext(bank, bank.isRecent(String(hash))),
  getAccountInfo: (bank, [one]) =>
    typeof one === "string" && isAddress(one)
      ? inContext(bank, accountJson(bank, one))
      : invalid(`${String(one)} is no address`),
  getBalance: (bank, [one]) =>
    typeof one === "string" && isAddress(one)
      ? inContext(bank, accountJson(bank, one)?.lamports ?? 0)
      : invalid(`${String(one)} is no address`),
  getSignatureStatuses: (bank, [signatures]) =>
    Array.isArray(signatures)
      ? inContext(
          bank,
          signatures.map(one => statusOf(bank, one))
        )
      : invalid("signatures are a list"),
  simulateTransaction: (bank, params) => {
    const config = configAt(params, 1)
    const transaction = transactionFrom(params[0], config)
    if (transaction instanceof RpcError) return transaction
    return inContext(bank, simulated(bank, transaction, config))
  }
}

/** Answers a call; an `RpcError` is the answer where it has none. */
export const answerCall = (bank: Bank, method: string, params: Params): unknown => {
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
  return answer === undefined ? new RpcError(-32601, "Method not found") : answer(bank, params)
}
