/**
 * The tape: every swap as a print, in log order, and per token an index of its prints. A swap is a
 * print of both its tokens; side, amount and price are read from the asked token's point of view.
 */

import { type Fold, type FoldContext, projection, type Slice } from "../../engine/projection.ts"
import { copyEntry } from "../../engine/store/copy-entry.ts"
import type { RowBuffer } from "../../engine/store/row-buffer.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { ID_BYTES, TX_BYTES } from "../../src/domain/ids.ts"
import { Attribution } from "../../streams/attribution/attribution.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { coverageOutput } from "../coverage/output.ts"
import { pools } from "../pools/output.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { prices } from "../prices/projection.ts"
import { tokens } from "../tokens/output.ts"
import { tradeFrames } from "./frames.ts"
import { type Tape, type TradeWallets, tapeOutput } from "./output.ts"
import { chainTrades, hasToken } from "./queries.ts"
import { printsTable, tapeTable, tokenActivityTable } from "./tables.ts"

interface State {
  readonly swaps: PricedSwaps
  readonly attribution: Attribution
  readonly tape: RowBuffer<(typeof tapeTable)["columns"]>
  readonly activity: SlotTable<(typeof tokenActivityTable)["columns"]>
  readonly wallets: TradeWallets
}

const writeTape = (state: State, { batch }: Slice, t: number, logIndex: number): void => {
  const { swaps, tape } = state
  const event = swaps.event[t] as number
  const seq = swaps.seq[t] as number
  const row = tape.next(seq)
  const c = tape.columns
  const tx = batch.tx.values[event] as number
  c.block[row] = swaps.block[t] as number
  c.ts[row] = swaps.ts[t] as number
  c.log_index[row] = logIndex
  c.pool[row] = swaps.pool[t] as number
  c.token0[row] = swaps.token0[t] as number
  c.token1[row] = swaps.token1[t] as number
  const { raw0, raw1 } = swaps
  const isRaw0 = !Number.isNaN(raw0[t])
  const isRaw1 = !Number.isNaN(raw1[t])
  c.unscaled[row] = (isRaw0 ? 1 : 0) | (isRaw1 ? 2 : 0)
  c.flags[row] = (swaps.outlier0[t] === 0 ? 0 : 1) | (swaps.outlier1[t] === 0 ? 0 : 2)
  c.amount0[row] = (isRaw0 ? raw0[t] : swaps.amount0[t]) as number
  c.amount1[row] = (isRaw1 ? raw1[t] : swaps.amount1[t]) as number
  c.bought0[row] = swaps.bought0[t] as number
  c.usd[row] = swaps.usdMicro[t] as number
  c.price0[row] = (isRaw0 ? swaps.dollars[t] : swaps.price0[t]) as number
  c.price1[row] = (isRaw1 ? swaps.dollars[t] : swaps.price1[t]) as number
  copyEntry(c.tx, row, TX_BYTES, batch.txs.hash, tx)
  const { attribution } = state
  attribution.look(batch, event)
  copyEntry(c.wallet, row, ID_BYTES, batch.ids.accounts, attribution.wallet)
  c.attribution[row] = attribution.how
  state.wallets.refs[t] = attribution.wallet
}

const countPrint = ({ activity, swaps }: State, token: number, t: number): void => {
  if (token === NONE) return
  if (token >= activity.count) activity.grow(token + 1)
  const a = activity.columns
  const ts = swaps.ts[t] as number
  if (a.trades[token] === 0) {
    a.first_block[token] = swaps.block[t] as number
    a.first_ts[token] = ts
  }
  a.trades[token] = (a.trades[token] as number) + 1
  a.last_ts[token] = ts
  activity.touch(token)
}

const create = (context: FoldContext): Fold<Tape> => {
  const state: State = {
    swaps: context.output(prices).swaps,
    attribution: new Attribution(context.chain),
    tape: context.rows(tapeTable),
    activity: context.state(tokenActivityTable),
    wallets: { refs: new Uint32Array(4096) }
  }
  const tokenCount = context.output(tokens).count
  return {
    out: {
      recent: context.tail(state.tape),
      wallets: state.wallets,
      activity: () => state.activity.columns
    },
    apply: slice => {
      const { swaps, wallets } = state
      if (wallets.refs.length < swaps.count) wallets.refs = new Uint32Array(swaps.count * 2)
      for (let t = 0; t < swaps.count; t++) {
        const logIndex = slice.batch.logIndex.values[swaps.event[t] as number] as number
        writeTape(state, slice, t, logIndex)
        countPrint(state, swaps.token0[t] as number, t)
        countPrint(state, swaps.token1[t] as number, t)
      }
    },
    reloaded: () => {
      state.attribution.reset()
      state.activity.truncate(tokenCount())
    }
  }
}

export const tape = projection<Tape>({
  name: tapeOutput.name,
  version: 10,
  tables: [tapeTable, printsTable, tokenActivityTable],
  uses: [coverageOutput, tokens, pools, prices],
  create,
  queries: [chainTrades, hasToken],
  frames: tradeFrames
})
