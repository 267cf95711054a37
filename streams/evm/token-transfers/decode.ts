/**
 * `Transfer` of ERC-20 tokens: two indexed addresses and an amount. Tokens of ERC-721 log the same
 * topic0 with the token's id as a fourth topic; those are no transfers of amounts.
 *
 * A wrapped native token as WETH9 (dapphub/ds-weth) tells of what it makes and takes back by
 * `Deposit` and `Withdrawal` alone: these are transfers from and to the zero address. Others log
 * both for one wrap, as Scroll's (the transfer first) or the other way round; some, as Arbitrum's
 * aeWETH, log nothing but transfers. So two logs that stand beside each other in one transaction
 * and tell the same of the same account count once.
 */
import { toHex } from "../../../src/domain/address.ts"
import type { BatchBuilder } from "../../batch/builder.ts"
import { NULL_I32 } from "../../batch/columns.ts"
import { NONE } from "../../batch/id-table.ts"
import { eventKinds } from "../../event.ts"
import type { EventDecoder } from "../../venue.ts"
import { isAddressWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"

/** `TransferSeen.wrap` of what a `Deposit` or `Withdrawal` told. */
const WRAP = 1

const NOBODY = new Uint8Array(32)

/**
 * Wrapped native tokens that log no transfer with a wrap, whatever stands beside it: in whole
 * blocks of Ethereum, Base and BNB Chain none of theirs has one. Whoever sends some to the zero
 * address and unwraps as much would else be counted once.
 */
const APART: ReadonlySet<string> = new Set([
  "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  "0x4200000000000000000000000000000000000006",
  "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c"
])

/** A movement as references of the batch's ids. */
interface Movement {
  readonly token: number
  readonly from: number
  readonly to: number
  readonly wrap: number
}

/** Whether the log right before this one told the same, the one as a wrap, the other as none. */
const isToldAlready = (log: RawLog, out: BatchBuilder, { token, from, to, wrap }: Movement) => {
  const { batch } = out
  let event = batch.count - 1
  // facts of the block may stand between
  while (event >= 0 && batch.tx.get(event) === NONE) event--
  if (event < 0 || batch.kind.get(event) !== eventKinds.TransferSeen.id) return false
  const isBeside =
    batch.tx.get(event) === batch.txs.count - 1 && batch.logIndex.get(event) === log.logIndex - 1
  const row = batch.row.get(event)
  const c = out.columns.TransferSeen
  return (
    isBeside &&
    c.token.get(row) === token &&
    c.from.get(row) === from &&
    c.to.get(row) === to &&
    c.wrap.values[row] !== wrap &&
    c.amount.get(row) === BigInt(toHex(log.data.subarray(0, word(1)))) &&
    !APART.has(out.ids.text(token) ?? "")
  )
}

const push = (log: RawLog, out: BatchBuilder, moved: Movement): null => {
  const c = out.columns.TransferSeen
  c.token.push(moved.token)
  c.from.push(moved.from)
  c.to.push(moved.to)
  c.amount.pushUnsigned(log.data, word(0))
  c.wrap.push(moved.wrap)
  out.end("TransferSeen", log.logIndex)
  return null
}

const transferIn = (log: RawLog, out: BatchBuilder): Movement | string => {
  const { topics } = log
  if (log.topicCount !== 3) return rejection.topicCount
  if (log.dataLength !== word(1)) return rejection.dataLength
  if (!isAddressWord(topics, word(1)) || !isAddressWord(topics, word(2))) return rejection.address
  return {
    token: out.ids.account(log.account),
    from: out.ids.addressWord(topics, word(1)),
    to: out.ids.addressWord(topics, word(2)),
    wrap: NULL_I32
  }
}

const wrapIn =
  (isDeposit: boolean) =>
  (log: RawLog, out: BatchBuilder): Movement | string => {
    const { topics } = log
    if (log.topicCount !== 2) return rejection.topicCount
    if (log.dataLength !== word(1)) return rejection.dataLength
    if (!isAddressWord(topics, word(1))) return rejection.address
    const token = out.ids.account(log.account)
    const account = out.ids.addressWord(topics, word(1))
    const nobody = out.ids.addressWord(NOBODY, 0)
    const [from, to] = isDeposit ? [nobody, account] : [account, nobody]
    return { token, from, to, wrap: WRAP }
  }

const writing =
  (read: (log: RawLog, out: BatchBuilder) => Movement | string): EventDecoder["decode"] =>
  (log, out) => {
    const moved = read(log, out)
    return typeof moved === "string" ? moved : push(log, out, moved)
  }

/** Writes a wrapped native token's movement, unless the log before told it. */
const writingOnce =
  (read: (log: RawLog, out: BatchBuilder) => Movement | string): EventDecoder["decode"] =>
  (log, out) => {
    const moved = read(log, out)
    if (typeof moved === "string") return moved
    return isToldAlready(log, out, moved) ? null : push(log, out, moved)
  }

/** The commonest log there is: only of tokens that are pinned. */
export const tokenTransfer: EventDecoder = {
  abi: "event Transfer(address indexed from, address indexed to, uint256 value)",
  topic0: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  decode: writing(transferIn),
  emitterIsPool: false
}

/** Of a pinned token that wraps the chain's native unit. */
export const wrappedTransfer: EventDecoder = { ...tokenTransfer, decode: writingOnce(transferIn) }

export const nativeWrap: EventDecoder = {
  abi: "event Deposit(address indexed dst, uint256 wad)",
  topic0: "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c",
  decode: writingOnce(wrapIn(true)),
  emitterIsPool: false
}

export const nativeUnwrap: EventDecoder = {
  abi: "event Withdrawal(address indexed src, uint256 wad)",
  topic0: "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65",
  decode: writingOnce(wrapIn(false)),
  emitterIsPool: false
}

/** What a wrapped native token tells besides transfers. */
export const wrapEvents = [nativeWrap, nativeUnwrap] as const
