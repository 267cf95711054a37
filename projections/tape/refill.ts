/** The newest swaps of the tables back in memory after a start, so that pages need not be read. */
import { Effect } from "effect"
import { memoryQuery, type ResultColumns } from "../../engine/query.ts"
import { tapeOutput } from "./output.ts"
import type { TapePiece } from "./recent-tape.ts"
import { ids } from "./swap-links.ts"

const COLUMNS = `seq, block, ts, log_index, pool, token0, token1, amount0, amount1, bought0, usd,
  price0, price1, unscaled, flags, attribution, tx_hi, tx_lo, wallet_hi, wallet_lo`

/** Positions read at once: some milliseconds' work. */
const STRETCH = 12_288
/** Stretches looked through at most, where few of the events are swaps. */
const MOST_STRETCHES = 64

/** Writes 128-bit numbers, the highest byte first, into values of `stride` bytes at `offset`. */
const writeWide = (view: DataView, words: Uint32Array, stride: number, offset: number): void => {
  for (let row = 0, word = 0; word < words.length; row++, word += 4) {
    const at = row * stride + offset
    for (let k = 0; k < 4; k++) view.setUint32(at + k * 4, words[word + 3 - k] as number)
  }
}

const pieceOf = ({ count, numbers, words }: ResultColumns): TapePiece => {
  const tx = new Uint8Array(count * 32)
  const wallet = new Uint8Array(count * 20)
  const txView = new DataView(tx.buffer)
  writeWide(txView, words("tx_hi"), 32, 0)
  writeWide(txView, words("tx_lo"), 32, 16)
  const walletView = new DataView(wallet.buffer)
  writeWide(walletView, words("wallet_hi"), 20, 0)
  const low = numbers("wallet_lo")
  for (let row = 0; row < count; row++) walletView.setUint32(row * 20 + 16, low[row] as number)
  return {
    seq: numbers("seq"),
    block: numbers("block"),
    ts: new Uint32Array(numbers("ts")),
    log_index: new Uint32Array(numbers("log_index")),
    pool: new Uint32Array(numbers("pool")),
    token0: ids(numbers("token0")),
    token1: ids(numbers("token1")),
    amount0: numbers("amount0"),
    amount1: numbers("amount1"),
    bought0: new Uint8Array(numbers("bought0")),
    usd: numbers("usd"),
    price0: numbers("price0"),
    price1: numbers("price1"),
    unscaled: new Uint8Array(numbers("unscaled")),
    flags: new Uint8Array(numbers("flags")),
    attribution: new Uint8Array(numbers("attribution")),
    tx,
    wallet
  }
}

/** Fills what memory has room for; the lane asks it of itself. Answers how many swaps came back. */
export const refillTape = memoryQuery("refillTape", context => {
  const { recent, activity } = context.output(tapeOutput)
  const { room, oldestSeq } = recent.held
  const newest = oldestSeq === null ? context.seq : oldestSeq - 1
  if (room === 0 || newest <= 0) return { value: { swaps: 0 } }
  return {
    read: rows =>
      Effect.gen(function* () {
        const pieces: Array<TapePiece> = []
        let swaps = 0
        for (let to = newest, i = 0; to > 0 && i < MOST_STRETCHES && swaps < room; i++) {
          const from = Math.max(0, to - STRETCH)
          const found = yield* rows.columns(
            `SELECT ${COLUMNS} FROM tape WHERE seq > ${from} AND seq <= ${to} ORDER BY seq`
          )
          pieces.unshift(pieceOf(found))
          swaps += found.count
          to = from
        }
        // more may have been folded meanwhile, behind these, or another have filled it
        return { swaps: recent.precede(pieces, activity().trades) }
      })
  }
})
