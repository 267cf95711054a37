/** Events that come from a source itself and not from decoding a log. */
import { idBytes } from "../src/domain/ids.ts"
import type { BatchBuilder } from "./batch/builder.ts"
import { NULL_I32 } from "./batch/columns.ts"
import { NONE } from "./batch/id-table.ts"
import type { PoolFact, PoolStateFact, TokenFact, TransferFact } from "./facts.ts"
import { packAnswers } from "./state-answers.ts"
import type { BlockHead } from "./tape-order.ts"

/** A pool as it is pushed: `log` where what is decoded tells that it was made. */
type ToldPool = Omit<PoolFact, "source"> & { readonly source: PoolFact["source"] | "log" }

/** Pushes a pool; `place`: where it stands in its block, 0 for what belongs to the block alone. */
export const pushPool = (out: BatchBuilder, fact: ToldPool, place = 0): void => {
  const c = out.columns.PoolCreated
  c.pool.push(out.ids.idOf(fact.pool))
  c.venueKind.push(out.sym(fact.venueKind))
  c.factory.push(fact.factory === null ? NONE : out.ids.accountOf(fact.factory))
  c.tokens.push(fact.tokens.map(token => out.ids.accountOf(token)))
  c.fee.push(fact.fee ?? NULL_I32)
  c.tickSpacing.push(fact.tickSpacing ?? NULL_I32)
  c.source.push(out.sym(fact.source))
  out.end("PoolCreated", place)
  for (const { name, index, value } of fact.parameters ?? []) {
    const p = out.columns.PoolParameterSet
    p.pool.push(out.ids.idOf(fact.pool))
    p.name.push(out.sym(name))
    p.index.push(index ?? NULL_I32)
    p.value.push(value)
    out.end("PoolParameterSet", 0)
  }
}

export const pushToken = (out: BatchBuilder, fact: TokenFact): void => {
  const c = out.columns.TokenSeen
  c.token.push(out.ids.accountOf(fact.token))
  c.symbol.push(fact.symbol)
  c.name.push(fact.name)
  c.decimals.push(fact.decimals ?? NULL_I32)
  c.totalSupply.push(fact.totalSupply)
  c.source.push(out.sym(fact.source))
  out.end("TokenSeen", 0)
}

export const pushTransfer = (out: BatchBuilder, fact: TransferFact): void => {
  const c = out.columns.TransferChecked
  c.token.push(out.ids.accountOf(fact.token))
  c.pool.push(out.ids.accountOf(fact.pool))
  c.transaction.push(out.ids.hash(idBytes(fact.tx)))
  c.sent.push(fact.sent)
  c.received.push(fact.received)
  out.end("TransferChecked", 0)
}

export const pushState = (out: BatchBuilder, fact: PoolStateFact): void => {
  const c = out.columns.PoolStateRead
  c.pool.push(out.ids.idOf(fact.pool))
  c.venueKind.push(out.sym(fact.venueKind))
  c.readBlock.push(fact.readBlock)
  c.readTime.push(fact.readTime)
  c.readHash.push(out.ids.hash(idBytes(fact.readHash)))
  c.answers.push(packAnswers(fact.answers))
  out.end("PoolStateRead", 0)
}

export const pushPinned = (out: BatchBuilder, token: string): void => {
  out.columns.TokenPinned.token.push(out.ids.accountOf(token))
  out.end("TokenPinned", 0)
}

export const pushUnpinned = (out: BatchBuilder, token: string): void => {
  out.columns.TokenUnpinned.token.push(out.ids.accountOf(token))
  out.end("TokenUnpinned", 0)
}

/** What could not be decoded, and why. */
export interface Unread {
  /** reference of who logged it */
  readonly account: number
  readonly topics: Uint8Array
  readonly data: Uint8Array
  readonly reason: string
}

/** Pushes what could not be decoded, whole as far as there are bytes of it. */
export const pushQuarantined = (
  out: BatchBuilder,
  { account, topics, data, reason }: Unread,
  place: number
): void => {
  const c = out.columns.LogQuarantined
  c.address.push(account)
  c.topics.push(topics)
  c.data.push(data)
  c.reason.push(out.sym(reason))
  out.end("LogQuarantined", place)
}

export const pushGap = (
  out: BatchBuilder,
  fromBlock: number,
  toBlock: number,
  reason: string
): void => {
  const c = out.columns.GapFound
  c.fromBlock.push(fromBlock)
  c.toBlock.push(toBlock)
  c.reason.push(out.sym(reason))
  out.closeTx()
  out.end("GapFound", 0)
}

/** `toSeq` stays 0: the log knows it when it appends. */
export const pushRollback = (
  out: BatchBuilder,
  to: BlockHead,
  fromBlock: number,
  reason: string
): void => {
  const hash = to.hash === null ? NONE : out.ids.hash(to.hash)
  const parent = to.parentHash === null ? NONE : out.ids.hash(to.parentHash)
  out.openBlock(to.number, to.time, hash, parent)
  const c = out.columns.Rollback
  c.toSeq.push(0)
  c.toBlock.push(to.number)
  c.toHash.push(hash)
  c.fromBlock.push(fromBlock)
  c.reason.push(out.sym(reason))
  out.end("Rollback", 0)
}
