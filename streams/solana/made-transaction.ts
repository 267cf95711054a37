/** Transactions made by hand, as a node would answer them: for tests. */
import { fromBase58, toBase58 } from "../../src/domain/base58.ts"
import { readTransaction } from "./transaction/read-transaction.ts"
import type { MalformedTransaction, Transaction } from "./transaction.ts"
import type { SolanaVenue } from "./venue.ts"

/** Returns an address that is 32 times one byte. */
export const addressOf = (byte: number): string => toBase58(new Uint8Array(32).fill(byte))

/** A number of so many bytes, or an address, at an offset. */
export type Field = readonly [at: number, value: bigint | number | string, bytes?: number]

/** Returns a payload that begins with a discriminator in hex and is 0 where no field stands. */
export const payloadOf = (
  tag: string,
  length: number,
  fields: ReadonlyArray<Field>
): Uint8Array => {
  const payload = new Uint8Array(length)
  payload.set(Buffer.from(tag, "hex"))
  for (const [at, value, bytes = 8] of fields) {
    if (typeof value === "string") payload.set(fromBase58(value) ?? [], at)
    else {
      for (let i = 0; i < bytes; i++) {
        payload[at + i] = Number((BigInt(value) >> BigInt(8 * i)) & 0xffn)
      }
    }
  }
  return payload
}

/** Returns the data of a program's call to itself that tells an event. */
export const eventCall = (payload: Uint8Array): Uint8Array =>
  Uint8Array.from([...Buffer.from("e445a52e51cb9a1d", "hex"), ...payload])

const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
const SYSTEM_PROGRAM = "11111111111111111111111111111111"

export interface MadeInstruction {
  readonly program: string
  readonly accounts: ReadonlyArray<string>
  readonly data: Uint8Array
  /** what it logs as data once its calls are done */
  readonly logs?: ReadonlyArray<string>
  readonly calls?: ReadonlyArray<MadeInstruction>
}

export const transferOf = (from: string, to: string, amount: bigint): MadeInstruction => ({
  program: TOKEN_PROGRAM,
  accounts: [from, to, "owner"],
  data: payloadOf("03", 9, [[1, amount]])
})

export const lamportsOf = (from: string, to: string, amount: bigint): MadeInstruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [from, to],
  data: payloadOf("02000000", 12, [[4, amount]])
})

export const dataLog = (payload: Uint8Array): string =>
  `Program data: ${Buffer.from(payload).toString("base64")}`

export const rayLog = (payload: Uint8Array): string =>
  `Program log: ray_log: ${Buffer.from(payload).toString("base64")}`

/** Accounts by their places, and so many that every place of a layout is there. */
export const accountsOf = (
  count: number,
  named: { readonly [at: number]: string }
): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => named[at] ?? `account ${at}`)

/** An instruction of a venue whose data has room for numbers behind its discriminator. */
export const callOf = (
  { program }: SolanaVenue,
  tag: string,
  accounts: ReadonlyArray<string>
): MadeInstruction => ({ program, accounts, data: payloadOf(tag, 24, []) })

/** A call of the program to itself that tells an event. */
export const telling = (
  { program, eventAuthority }: SolanaVenue,
  payload: Uint8Array
): MadeInstruction => ({ program, accounts: [eventAuthority ?? ""], data: eventCall(payload) })

export interface Made {
  readonly instructions: ReadonlyArray<MadeInstruction>
  /** by account: mint, before, after, and who owns it where that matters */
  readonly tokens?: {
    readonly [account: string]: readonly [string, bigint, bigint, owner?: string]
  }
  /** by account: what it gained in lamports */
  readonly lamports?: { readonly [account: string]: number }
  readonly failed?: boolean
  /** lines of the log that are kept; default all */
  readonly logLines?: number
  /** whether the node tells heights of calls; default true */
  readonly heights?: boolean
  /** whether the node tells balances; default true */
  readonly balances?: boolean
}

const logOf = ({ program, logs = [], calls = [] }: MadeInstruction, height = 1): Array<string> => [
  `Program ${program} invoke [${height}]`,
  ...calls.flatMap(call => logOf(call, height + 1)),
  ...logs,
  `Program ${program} success`
]

const flat = (
  calls: ReadonlyArray<MadeInstruction>,
  height: number
): Array<{ readonly one: MadeInstruction; readonly height: number }> =>
  calls.flatMap(one => [{ one, height }, ...flat(one.calls ?? [], height + 1)])

/** Returns the transaction in the encoding `json`; `payer` pays and signs. */
export const jsonOf = (made: Made) => {
  const { instructions, tokens = {}, lamports = {}, failed = false, heights = true } = made
  const all = instructions.flatMap(one => [one, ...flat(one.calls ?? [], 2).map(call => call.one)])
  const keys = [
    ...new Set([
      "payer",
      ...all.flatMap(({ program, accounts }) => [program, ...accounts]),
      ...Object.keys(tokens),
      ...Object.keys(lamports)
    ])
  ]
  const told = ({ program, accounts, data }: MadeInstruction) => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map(account => keys.indexOf(account)),
    data: toBase58(data)
  })
  const balances = (after: boolean) =>
    Object.entries(tokens).map(([account, [mint, before, now, owner = "owner"]]) => ({
      accountIndex: keys.indexOf(account),
      ...{ mint, owner },
      programId: TOKEN_PROGRAM,
      uiTokenAmount: { amount: `${after ? now : before}`, decimals: 6 }
    }))
  const lines = instructions.flatMap(one => logOf(one))
  const kept = made.logLines ?? lines.length
  return {
    slot: 1,
    blockTime: 2,
    version: "legacy",
    transaction: {
      signatures: ["signature"],
      message: {
        header: { numRequiredSignatures: 1 },
        accountKeys: keys,
        instructions: instructions.map(told)
      }
    },
    meta: {
      err: failed ? { InstructionError: [0, "Custom"] } : null,
      innerInstructions: instructions.map(({ calls = [] }, index) => ({
        index,
        instructions: flat(calls, 2).map(({ one, height }) => ({
          ...told(one),
          ...(heights ? { stackHeight: height } : {})
        }))
      })),
      logMessages: kept < lines.length ? [...lines.slice(0, kept), "Log truncated"] : lines,
      preBalances: keys.map(() => 1_000_000_000),
      postBalances: keys.map(key => 1_000_000_000 + (lamports[key] ?? 0)),
      ...(made.balances === false
        ? {}
        : { preTokenBalances: balances(false), postTokenBalances: balances(true) })
    }
  }
}

const isRead = (one: Transaction | MalformedTransaction): one is Transaction =>
  one._tag === "Transaction"

/** Returns the transaction as the reader reads it. */
export const made = (parts: Made): Transaction => {
  const one = readTransaction(jsonOf(parts))
  if (!isRead(one)) throw new Error(one.reason)
  return one
}
