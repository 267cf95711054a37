/** How large a batch will be as a segment, near enough to know when to cut it. */
import { ID_BYTES } from "../src/domain/ids.ts"
import type { EventBatch } from "./batch/batch.ts"

/** Kind, block, transaction, log index and the row's references and small columns, packed. */
const BYTES_PER_EVENT = 14
const BYTES_PER_TX = 4
const BYTES_PER_TOKEN = 40

/** Bytes of `encodeSegment(batch)` as an estimate; exact integers and hashes are most of it. */
export const encodedSize = (batch: EventBatch): number => {
  const { ids, columns } = batch
  const swap = columns.SwapExecuted
  const sync = columns.ReservesSynced
  const liquidity = columns.LiquidityChanged
  const fees = columns.FeesCollected
  const position = columns.PositionChanged
  const quarantined = columns.LogQuarantined
  const end = (column: { readonly count: number; readonly start: Uint32Array }): number =>
    column.start[column.count] as number
  return (
    ids.accounts.count * ids.form.storedBytes +
    ids.hashes.count * ID_BYTES +
    batch.count * BYTES_PER_EVENT +
    batch.txs.count * (batch.txs.hash.width + BYTES_PER_TX) +
    columns.TokenSeen.token.count * BYTES_PER_TOKEN +
    end(swap.amount0In) +
    end(swap.amount0Out) +
    end(swap.amount1In) +
    end(swap.amount1Out) +
    end(swap.sqrtPriceX96) +
    end(swap.liquidity) +
    end(sync.reserve0) +
    end(sync.reserve1) +
    end(liquidity.liquidity) +
    end(liquidity.amount0) +
    end(liquidity.amount1) +
    end(fees.amount0) +
    end(fees.amount1) +
    end(quarantined.topics) +
    end(quarantined.data) +
    end(columns.PoolParameterSet.value) +
    end(columns.ReserveChanged.amount) +
    end(position.tokenId) +
    end(position.liquidity) +
    end(position.amount0) +
    end(position.amount1) +
    end(columns.TransferSeen.amount)
  )
}
