/** What a source must know of the log: pools and tokens whose facts already stand in it. */
import { memoryQuery } from "../../engine/query.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { KnownFacts, KnownStep } from "../../streams/source.ts"
import { type Tokens, tokens } from "../tokens/output.ts"
import { type Pools, pools } from "./output.ts"

const SUPPLY_BYTES = 32

/** Tokens that are told as unread at most: the newest. */
const MOST_UNREAD = 4096

/** Pools whose facts stand in the log. One that is only claimed is not, so that it is asked. */
const poolsIn = (all: Pools) => {
  const { token0, is_claim: isClaim, bin_step, bin_step_block } = all.columns()
  const knownPools: Array<string> = []
  const binSteps: Array<KnownStep> = []
  for (let place = 0; place < all.count(); place++) {
    const pool = all.idText(place)
    const step = bin_step[place] as number
    const block = Number(bin_step_block[place])
    if (token0[place] !== NONE && isClaim[place] === 0) knownPools.push(pool)
    if (step !== NULL_I32) binSteps.push({ pool, step, block })
  }
  return { knownPools, binSteps }
}

/** Tokens that the log has facts of; who was read has a text, or a supply. */
const tokensIn = (list: Tokens) => {
  const { symbol, name, decimals, total_supply: supply } = list.columns()
  const knownTokens: Array<string> = []
  const unread: Array<KnownFacts["unread"][number]> = []
  for (let place = 0; place < list.count(); place++) {
    if (symbol[place] === null && Number.isNaN(list.scale(place))) continue
    const token = list.addressOf(place)
    knownTokens.push(token)
    if (symbol[place] !== null || name[place] !== null) continue
    const bytes = supply.subarray(place * SUPPLY_BYTES, (place + 1) * SUPPLY_BYTES)
    if (bytes.every(byte => byte === 0)) unread.push({ token, decimals: decimals[place] as number })
  }
  return { knownTokens, unread: unread.slice(-MOST_UNREAD) }
}

export const knownFacts = memoryQuery("known", context => ({
  value: {
    ...poolsIn(context.output(pools)),
    ...tokensIn(context.output(tokens))
  } satisfies KnownFacts
}))
