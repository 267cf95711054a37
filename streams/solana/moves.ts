/** Which instructions of the token and system programs move tokens or lamports, and what. */
import { u64At } from "./payload.ts"
import type { Move } from "./transaction.ts"

const SYSTEM = "11111111111111111111111111111111"
export const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
/** The mint that stands for lamports, and of tokens that wrap them. */
export const NATIVE_MINT = "So11111111111111111111111111111111111111112"
export const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"

/** Whether a program is one of the two that tokens are of. */
export const isTokenProgram = (program: string): boolean =>
  program === TOKEN || program === TOKEN_2022

/** Whether instructions of a program may move tokens or lamports. */
export const isMoving = (program: string): boolean => program === SYSTEM || isTokenProgram(program)

/** Where an instruction has its amount, and which accounts lose and gain it. */
interface Layout {
  readonly amountAt: number
  readonly from: number | null
  readonly to: number | null
  readonly feeAt?: number
}

/** By the first byte: `Transfer`, `MintTo`, `Burn`, and the forms that name the decimals. */
const TOKEN_LAYOUTS: { readonly [tag: number]: Layout } = {
  3: { amountAt: 1, from: 0, to: 1 },
  7: { amountAt: 1, from: null, to: 1 },
  8: { amountAt: 1, from: 0, to: null },
  12: { amountAt: 1, from: 0, to: 2 },
  14: { amountAt: 1, from: null, to: 1 },
  15: { amountAt: 1, from: 0, to: null }
}

/** `TransferCheckedWithFee`: 26, 1, amount, decimals, fee. */
const WITH_FEE: Layout = { amountAt: 2, from: 0, to: 2, feeAt: 11 }

/** By the first of four bytes: `CreateAccount`, `Transfer`, `TransferWithSeed`. */
const SYSTEM_LAYOUTS: { readonly [tag: number]: Layout } = {
  0: { amountAt: 4, from: 0, to: 1 },
  2: { amountAt: 4, from: 0, to: 1 },
  11: { amountAt: 4, from: 0, to: 2 }
}

/** The first byte of `SyncNative`, and what it is where nodes parse it. */
const SYNC_NATIVE = 17
const SYNCED = { native: false, from: null, amount: 0n, fee: 0n, synced: true } as const

const layoutOf = (program: string, data: Uint8Array): Layout | undefined => {
  if (program === SYSTEM) return SYSTEM_LAYOUTS[data[0]!]
  return data[0] === 26 && data[1] === 1 ? WITH_FEE : TOKEN_LAYOUTS[data[0]!]
}

const accountAt = (accounts: ReadonlyArray<string>, at: number | null): string | null =>
  at === null ? null : (accounts[at] ?? null)

class ReadMove implements Move {
  readonly native: boolean
  readonly from: string | null
  readonly to: string | null
  readonly amount: bigint
  readonly fee: bigint

  constructor(
    native: boolean,
    from: string | null,
    to: string | null,
    amount: bigint,
    fee: bigint
  ) {
    this.native = native
    this.from = from
    this.to = to
    this.amount = amount
    this.fee = fee
  }
}

/** Returns what an instruction moves, of its bytes, which are the first `length` ones of `data`. */
export const moveOf = (
  program: string,
  accounts: ReadonlyArray<string>,
  data: Uint8Array,
  length: number
): Move | null => {
  if (length === 0 || !isMoving(program)) return null
  const native = program === SYSTEM
  if (!native && data[0] === SYNC_NATIVE) return { ...SYNCED, to: accountAt(accounts, 0) }
  const layout = layoutOf(program, data)
  if (layout === undefined || length < (layout.feeAt ?? layout.amountAt) + 8) return null
  const fee = layout.feeAt === undefined ? 0n : u64At(data, layout.feeAt)
  const amount = u64At(data, layout.amountAt)
  const [from, to] = [accountAt(accounts, layout.from), accountAt(accounts, layout.to)]
  return new ReadMove(native, from, to, amount, fee)
}

/** The names that nodes give to the accounts of a parsed instruction, by its type. */
const PARSED: { readonly [type: string]: readonly [from: string | null, to: string | null] } = {
  transfer: ["source", "destination"],
  transferChecked: ["source", "destination"],
  transferCheckedWithFee: ["source", "destination"],
  mintTo: [null, "account"],
  mintToChecked: [null, "account"],
  burn: ["account", null],
  burnChecked: ["account", null],
  createAccount: ["source", "newAccount"],
  createAccountWithSeed: ["source", "newAccount"],
  transferWithSeed: ["source", "destination"]
}

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

/** An amount as nodes write it: a text of digits, or a number of lamports. */
const wholeOf = (value: unknown): bigint | null => {
  if (isFields(value)) return wholeOf(value["amount"])
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : null
  return typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : null
}

/** Returns what an instruction moves that the node told as type and named fields. */
export const moveOfParsed = (program: string, parsed: unknown): Move | null => {
  const native = program === SYSTEM
  if ((!native && !isTokenProgram(program)) || !isFields(parsed)) return null
  const { type, info } = parsed
  if (type === "syncNative" && isFields(info)) {
    const { account } = info
    return { ...SYNCED, to: typeof account === "string" ? account : null }
  }
  const names = typeof type === "string" ? PARSED[type] : undefined
  if (names === undefined || !isFields(info)) return null
  const amount = wholeOf(info["amount"] ?? info["tokenAmount"] ?? info["lamports"])
  if (amount === null) return null
  const [from, to] = names.map(name => {
    const account = name === null ? null : info[name]
    return typeof account === "string" ? account : null
  })
  const fee = wholeOf(info["feeAmount"]) ?? 0n
  return new ReadMove(native, from ?? null, to ?? null, amount, fee)
}
