import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"
import { toHex } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { arbitrum } from "../../src/domain/chains/arbitrum.ts"
import { base } from "../../src/domain/chains/base.ts"
import { bnb } from "../../src/domain/chains/bnb.ts"
import { ethereum } from "../../src/domain/chains/ethereum.ts"
import { jsonLines, type RealLog } from "../../test/support/raw-logs.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { drain } from "../../test/support/tape-input.ts"
import { KIND } from "../batch/batch.ts"
import { makeFileSource } from "../sources/file/file-source.ts"
import { Attribution, attributions } from "./attribution.ts"

const names = ["receipts-multichain", "blocks"]
const logs = (name: string) => `evm/logs/${name}.jsonl.gz`
const txs = (name: string) => `evm/txs/${name}.jsonl.gz`

const folder = mkdtempSync(join(tmpdir(), "attribution-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Some receipts have no time: any will do. */
const timesOf = ({ id, key }: ChainConfig, name: string): string => {
  const untimed = jsonLines<RealLog & { readonly blockTimestamp?: number }>(logs(name)).filter(
    log => log.chainId === id && log.blockTimestamp === undefined
  )
  const path = join(folder, `${key}-${name}.jsonl`)
  const rows = untimed.map(log => JSON.stringify({ number: log.blockNumber, timestamp: 1 }))
  writeFileSync(path, rows.join("\n"))
  return path
}

interface Found {
  readonly tx: string | null
  readonly logIndex: number
  readonly how: string | undefined
  readonly wallet: string | null
}

const foundOn = async (chain: ChainConfig, name: string): Promise<ReadonlyArray<Found>> => {
  const source = makeFileSource({
    chain,
    files: [join(sharedData, logs(name))],
    txs: [join(sharedData, txs(name))],
    blocks: [timesOf(chain, name)]
  })
  const { batches, error } = await drain(source)
  expect(error).toBeNull()
  const attribution = new Attribution(chain)
  return batches.flatMap(batch => {
    const found: Array<Found> = []
    for (let i = 0; i < batch.count; i++) {
      if (batch.kind.values[i] !== KIND.SwapExecuted) continue
      attribution.look(batch, i)
      found.push({
        tx: toHex(batch.txs.hash.bytes(batch.tx.get(i))),
        logIndex: batch.logIndex.get(i),
        how: attributions[attribution.how],
        wallet: batch.ids.text(attribution.wallet)
      })
    }
    return found
  })
}

/** Of the swaps of one transaction: `how` and the wallet by log index. */
const inTx = (found: ReadonlyArray<Found>, tx: string) =>
  Object.fromEntries(
    found.filter(one => one.tx === tx).map(one => [one.logIndex, [one.how, one.wallet]])
  )

const counts = (found: ReadonlyArray<Found>) => {
  const sum: { [how: string]: number } = {}
  for (const { how } of found) sum[how ?? ""] = (sum[how ?? ""] ?? 0) + 1
  return sum
}

/** Transactions read log by log: who paid, who was paid. */
const checked = [
  {
    // KyberSwap: the sender pays the executor, three pools on, the executor pays the sender.
    chain: base,
    tx: "0x27b040b725caa995343f98ca16fabebfbd2116063488761cbbdc1f99a2bf8619",
    swaps: {
      33: ["router", "0x8a8162b86a3179a9f7a2f46ffd7029b669876b75"],
      37: ["router", "0x8a8162b86a3179a9f7a2f46ffd7029b669876b75"],
      41: ["router", "0x8a8162b86a3179a9f7a2f46ffd7029b669876b75"]
    }
  },
  {
    // ParaSwap: native BNB in, the router pays the sender after its fees.
    chain: bnb,
    tx: "0x770bf2e71644a14e8132bb0694c6b97107b5b6084dbea5d907b3d0d307388785",
    swaps: { 4: ["router", "0xb26c469c17154911af343e506ed8efcd77eebda0"] }
  },
  {
    // 1inch: a V3 pool, then a pair of the Liquidity Book.
    chain: arbitrum,
    tx: "0x1756eca9ad24e025cec0f9963c93a7a98f85d8603cd4b16bd0accdf3c20d3ff8",
    swaps: {
      6: ["router", "0x9a852a967b26bff2d025df04cc103a22b4593fe2"],
      7: ["router", "0x9a852a967b26bff2d025df04cc103a22b4593fe2"]
    }
  },
  {
    // A relayer sends what another signed: the signer pays and is paid, not the sender.
    chain: ethereum,
    tx: "0xb77f8e36a86517928f890296a263cafafa48ef01c6cc424a838b59b4401bf314",
    swaps: {
      73: ["entry-point", "0xe4bef064c912bc95c404850019909efe8d357716"],
      76: ["entry-point", "0xe4bef064c912bc95c404850019909efe8d357716"]
    }
  },
  {
    chain: arbitrum,
    tx: "0x355c18ab70fb5d17098b6bc8fd527ce00f0b25c8220d6fe29522a1fb64b711bc",
    swaps: {
      8: ["entry-point", "0xf06cc31757760cc9b8235c868ed90789f9c1e883"],
      11: ["entry-point", "0xf06cc31757760cc9b8235c868ed90789f9c1e883"],
      13: ["entry-point", "0xf06cc31757760cc9b8235c868ed90789f9c1e883"]
    }
  },
  {
    // Balancer's Vault, called by the sender with native ETH: it pays him, and its event names nobody.
    chain: ethereum,
    tx: "0x35dd639ba80940cb14d79c965002a11ea2aef17bbf1f1b85cc03c336da1ddebe",
    swaps: { 200: ["direct", "0x20a1cf262cd3a42a50d226fd728104119e6fd0a1"] }
  },
  {
    // CoW: a solver sends the orders of others.
    chain: bnb,
    tx: "0x2ef3e17313340294f80b2ac03f6e6d602da2f6617fdf9bb0aeda9d29f6a4960e",
    swaps: { 480: ["settlement", null] }
  },
  {
    // The token sells 47495250000000 of its own before the seller's 66111365645604 go in.
    chain: ethereum,
    name: "blocks",
    tx: "0x914d63e618d4a1b21da0d63f1410e99f42dc4b61d1376be2351a575ccebdfd4e",
    swaps: {
      12: ["swapped-again", null],
      18: ["router", "0xd2f6fe063d222085b746e0e06b1502451dcb616b"]
    }
  },
  {
    // A bundle of operations through Uniswap's router; hooks of the pools swap besides.
    chain: base,
    tx: "0x13020b28e7f28558b9cf07a1be11bc898d3de99d8414a8b9a4e7b60a4e4cb7a3",
    swaps: {
      377: ["entry-point", "0x1440d247172a622ac56b7f9ece3f3c01df35148c"],
      380: ["entry-point", "0x1440d247172a622ac56b7f9ece3f3c01df35148c"],
      382: ["entry-point", "0x1440d247172a622ac56b7f9ece3f3c01df35148c"],
      419: ["swapped-again", null],
      425: ["entry-point", "0x1440d247172a622ac56b7f9ece3f3c01df35148c"],
      472: ["swapped-again", null],
      508: ["unknown-caller", null],
      533: ["swapped-again", null],
      569: ["unknown-caller", null],
      575: ["entry-point", "0x7127214c0f12ec2e7839cfbe3360e39849423fbb"],
      612: ["unknown-caller", null],
      630: ["entry-point", "0x093b4ef7f49bdbd57c4753ad517945ca49d713c5"],
      633: ["entry-point", "0x093b4ef7f49bdbd57c4753ad517945ca49d713c5"],
      635: ["entry-point", "0x093b4ef7f49bdbd57c4753ad517945ca49d713c5"],
      672: ["swapped-again", null],
      678: ["entry-point", "0x093b4ef7f49bdbd57c4753ad517945ca49d713c5"],
      726: ["unknown-caller", null],
      727: ["swapped-again", null],
      763: ["unknown-caller", null]
    }
  }
]

describeWithSharedData(
  "wallets of real swaps",
  names.flatMap(name => [logs(name), txs(name)]),
  () => {
    it("finds the traders of transactions that were read by hand", async () => {
      const read = new Map<string, ReadonlyArray<Found>>()
      for (const { chain, tx, swaps, name = "receipts-multichain" } of checked) {
        const key = `${chain.key} ${name}`
        const found = read.get(key) ?? (await foundOn(chain, name))
        read.set(key, found)
        expect(inTx(found, tx), tx).toEqual(swaps)
      }
    })

    it("knows the traders of two in three swaps of Ethereum's whole blocks", async () => {
      expect(counts(await foundOn(ethereum, "blocks"))).toEqual({
        direct: 115,
        router: 76,
        settlement: 5,
        "swapped-again": 13,
        "unknown-contract": 76
      })
    })

    it("knows no wallet without the transactions", async () => {
      const { batches } = await drain(
        makeFileSource({ chain: ethereum, files: [join(sharedData, logs("blocks"))] })
      )
      const attribution = new Attribution(ethereum)
      const hows = new Set<number>()
      for (const batch of batches) {
        for (let i = 0; i < batch.count; i++) {
          if (batch.kind.values[i] !== KIND.SwapExecuted) continue
          attribution.look(batch, i)
          hows.add(attribution.how)
        }
      }
      expect([...hows].map(how => attributions[how])).toEqual(["no-transaction"])
    })
  }
)
