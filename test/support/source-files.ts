/** Files of logs in a folder of their own, and a source over them, for tests of reading files. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Address, Hash } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { FileSourceOptions } from "../../streams/sources/file/file-run.ts"
import { makeFileSource } from "../../streams/sources/file/file-source.ts"
import { type FakeLog, syncLog } from "./fake-logs.ts"
import { drain } from "./tape-input.ts"

/** Twenty times this byte. */
export const address = (byte: number) =>
  `0x${byte.toString(16).padStart(2, "0").repeat(20)}` as Address & `0x${string}`
export const hashOf = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as Hash

export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48" as Address & `0x${string}`
export const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2" as Address & `0x${string}`
/** The real pair of the two above: its address follows from the real factory. */
export const PAIR = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"

export const chain: ChainConfig = {
  id: 1,
  key: "ethereum",
  name: "Ethereum",
  native: { symbol: "ETH", decimals: 18 },
  nativeToken: WETH,
  anchors: [{ address: USDC, symbol: "USDC", decimals: 6, kind: "usd" }],
  venues: [
    {
      id: "uniswap_v2",
      kind: "uniswap-v2",
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f" as Address,
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f" as Hash,
      feeBps: 30
    }
  ],
  routers: [],
  finalityDepth: 64,
  blockTimeMs: 12_000
}

/** A folder for one file of tests; remove it once they are over. */
export const sourceFiles = () => {
  const folder = mkdtempSync(join(tmpdir(), "file-source-"))
  let names = 0
  /** Writes lines, or what they are the JSON of; gives the path. */
  const file = (lines: ReadonlyArray<unknown>, name = `${names++}.jsonl`): string => {
    const path = join(folder, name)
    const text = lines
      .map(line => (typeof line === "string" ? line : JSON.stringify(line)))
      .join("\n")
    writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text)
    return path
  }
  return { folder, file, remove: () => rmSync(folder, { recursive: true }) }
}

/** A log's line; transactions are numbered by log index unless told. */
export const line = (block: number, logIndex: number, log: FakeLog, more: object = {}) => ({
  chainId: 1,
  ...log,
  blockNumber: block,
  blockTimestamp: 1000 + block,
  transactionHash: hashOf(block * 1000 + logIndex),
  transactionIndex: logIndex,
  logIndex,
  ...more
})

/** A sync of the pair, another for each number. */
export const sync = (n: number) => syncLog(PAIR, BigInt(n) + 1n, 2n ** 70n)

/** What a source over these files emits. */
export const read = (files: ReadonlyArray<string>, more: Partial<FileSourceOptions> = {}) =>
  drain(makeFileSource({ chain, files, ...more }))
