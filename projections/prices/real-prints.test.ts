/** How many prints of real chains are not believed, and why those are. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openStore } from "../../engine/store/store.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { arbitrum } from "../../src/domain/chains/arbitrum.ts"
import { base } from "../../src/domain/chains/base.ts"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { realFileLog, realLogsPath } from "../../test/support/real-file-log.ts"
import { describeWithSharedData } from "../../test/support/shared-data.ts"
import { withUses } from "../all.ts"
import { tapeOutput } from "../tape/output.ts"

const DAY = "eth-univ3-usdc-weth-500-2024-01-05"
const names = ["blocks", "receipts-multichain", DAY]

/** Proving the pools of many tokens takes seconds. */
const isLong = process.env["SWAPTAPE_LONG"] === "1"

const folder = mkdtempSync(join(tmpdir(), "real-prints-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Prints of a file, those with a price, and those that are flagged with their place. */
const printsOf = async (chain: ChainConfig, name: string) => {
  const log = await realFileLog(chain, name, folder)
  const rows = await Effect.gen(function* () {
    const folds = newFoldSet(chain, withUses(tapeOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    for (const segment of log.segments) yield* applySegment(core, segment)
    yield* commitPending(core)
    return yield* store.writer.rows(
      "SELECT block, log_index, flags, usd FROM tape ORDER BY block, log_index"
    )
  }).pipe(Effect.scoped, Effect.runPromise)
  const flagged = rows.filter(row => row["flags"] !== 0)
  const priced = rows.filter(row => row["usd"] !== null).length
  console.log(`${chain.key} ${name}: ${flagged.length} of ${priced} priced prints are outliers`)
  return {
    prints: rows.length,
    priced,
    flagged: flagged.map(row => [row["block"], row["log_index"], row["flags"]].map(Number))
  }
}

describeWithSharedData("prints of real chains", names.map(realLogsPath), () => {
  it("are all believed over a whole day of one pool", async () => {
    expect(await printsOf(ethereum, DAY)).toEqual({ prints: 6046, priced: 6046, flagged: [] })
  })

  it("are all believed in whole blocks that lie months apart", async () => {
    expect(await printsOf(ethereum, "blocks")).toEqual({ prints: 285, priced: 262, flagged: [] })
  })

  it.runIf(isLong)("are all believed in receipts of years", async () => {
    const file = "receipts-multichain"
    expect(await printsOf(ethereum, file)).toEqual({ prints: 152, priced: 119, flagged: [] })
    expect(await printsOf(base, file)).toEqual({ prints: 58, priced: 13, flagged: [] })
    expect(await printsOf(arbitrum, file)).toEqual({ prints: 61, priced: 42, flagged: [] })
  })
})
