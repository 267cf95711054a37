/** Boards, stats, tapes and candles of real logs, by HTTP, against plain SQL over their tape. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import type { ChainConfig } from "../src/domain/chain.ts"
import { base } from "../src/domain/chains/base.ts"
import { ethereum } from "../src/domain/chains/ethereum.ts"
import { realFileLog, realLogsPath } from "./support/real-file-log.ts"
import { serveWhole } from "./support/serve-whole.ts"
import { describeWithSharedData } from "./support/shared-data.ts"
import {
  checkBoard,
  checkCandles,
  checkMovers,
  checkPage,
  checkStats,
  checkTape,
  checkTotals,
  type Served,
  tradedTokens
} from "./support/token-checks.ts"

/** Proving the pools of many tokens takes seconds. */
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const DAY = "eth-univ3-usdc-weth-500-2024-01-05"
const names = [DAY, "blocks", "receipts-multichain"]

const folder = mkdtempSync(join(tmpdir(), "real-boards-"))
afterAll(() => rmSync(folder, { recursive: true }))

const withServed = async (
  chain: ChainConfig,
  name: string,
  use: (served: Served) => Promise<void>
): Promise<void> => {
  const served = await serveWhole(chain, await realFileLog(chain, name, folder))
  await use(served)
  await served.close()
}

/** All that is checked of a token. */
const checkToken = async (served: Served, token: { id: number; address: string }) => {
  await checkStats(served, token)
  await checkPage(served, token, { number: 1 })
  await checkTape(served, token)
  await checkCandles(served, token, "1h", 3600)
  await checkCandles(served, token, "1d", 86_400)
}

describeWithSharedData("boards of real chains", names.map(realLogsPath), () => {
  it("say what the tape of a whole day of one pool says", async () => {
    await withServed(ethereum, DAY, async served => {
      expect(await checkBoard(served)).toBe(2)
      await checkTotals(served)
      await checkMovers(served)
      for (const token of await tradedTokens(served.rows)) {
        await checkToken(served, token)
        await checkCandles(served, token, "1m", 60)
        await checkPage(served, token, { number: 3, query: "&side=buy", where: "buy" })
      }
      const stats = await served.get(`/tokens/stats/${ethereum.nativeToken}?chain=1`)
      // of the data's own README
      expect(stats.totalTxns).toBe(6046)
    })
  })

  it.runIf(isLong)("say what the tape of whole blocks says, of every token in them", async () => {
    await withServed(ethereum, "blocks", async served => {
      const tokens = await tradedTokens(served.rows)
      expect(tokens.length).toBeGreaterThan(50)
      expect(await checkBoard(served)).toBeGreaterThan(10)
      await checkTotals(served)
      await checkMovers(served)
      for (const token of tokens) await checkToken(served, token)
    })
  })

  it.runIf(isLong)(
    "say what the tape of receipts of years says",
    async () => {
      for (const chain of [ethereum, base]) {
        await withServed(chain, "receipts-multichain", async served => {
          await checkBoard(served)
          for (const token of await tradedTokens(served.rows)) await checkToken(served, token)
        })
      }
    },
    600_000
  )
})
