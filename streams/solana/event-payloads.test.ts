/** Single events of the shared data, of forms that no whole transaction there has. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { hexOf } from "./payload.ts"
import { solanaVenues } from "./venues.ts"

interface Line {
  readonly venue: string
  readonly event: string
  readonly bytes: number
  readonly data_base64: string
}

const PAYLOADS = "solana/event_payloads.jsonl"

const read = ({ venue, event, data_base64 }: Line) => {
  const payload = Buffer.from(data_base64, "base64")
  const found = solanaVenues.find(({ name }) => name === venue)
  const layout = found?.swapEvents[hexOf(payload, found.tagBytes)]
  if (layout?.name !== event || payload.length < layout.least) return null
  const { pool, firstIn, amountIn, amountOut, caveat } = layout.read(payload)
  return [venue, event, payload.length, pool?.slice(0, 6), firstIn, amountIn, amountOut, caveat]
}

const FEES = "fees of this form are not proven"
const VAULTS = "no landed transaction has proven this venue's vaults"

describeWithSharedData("events alone", [PAYLOADS], () => {
  it("reads each as it was decoded elsewhere", () => {
    const lines = readFileSync(join(sharedData, PAYLOADS), "utf8")
      .split("\n")
      .filter(line => line !== "")
      .map(line => JSON.parse(line) as Line)
    const none = undefined
    expect(lines.map(read)).toEqual([
      ["pumpfun", "TradeEvent", 113, none, true, 91328321657237n, 2807820424n, none],
      ["pumpfun", "TradeEvent", 129, none, true, 51095238000000n, 1570441060n, none],
      ["pumpfun", "TradeEvent", 225, none, false, 385134918n, 5060809487872n, none],
      ["pumpfun", "TradeEvent", 258, none, false, 1176000000n, 24736397962285n, none],
      ["pumpswap", "BuyEvent", 360, "ECCYiu", false, 43339145350n, 39496040n, none],
      ["raydium-amm-v4", "SwapBaseIn", 57, none, true, 1400000000n, 66067317381n, none],
      // less the platform's and the creator's fee, 14,687 + 734
      ["raydium-launchlab", "TradeEvent", 147, "HYqjiM", false, 1453279n, 5004973052n, FEES],
      ["meteora-dlmm", "Swap", 137, "8dsKNw", true, 681503n, 11376n, none],
      // it names SOL's mint as what comes out, which is the lower one
      ["raydium-cpmm", "SwapEvent", 170, "E9oGC7", false, 784025641n, 58561432n, none],
      // with both fees, 119,667 + 5,983
      ["raydium-launchlab", "TradeEvent", 147, "4E7vL7", true, 1619386466406n, 11936830n, none],
      ["meteora-dbc", "EvtSwap", 162, "5XeQcX", false, 1000000n, 2953824315n, VAULTS],
      ["meteora-dbc", "EvtSwap2", 187, "5XeQcX", false, 1000000n, 2953824315n, VAULTS],
      // less the referral's fee of 200
      ["meteora-dbc", "EvtSwap", 162, "87fubR", false, 99800n, 2881781201n, VAULTS],
      ["meteora-dbc", "EvtSwap2", 187, "87fubR", false, 99800n, 2881781201n, VAULTS]
    ])
  })
})
