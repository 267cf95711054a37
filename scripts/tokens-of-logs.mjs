// Prints the tokens whose transfers stand in files of logs, as a token file for `npm run replay`:
//   node scripts/tokens-of-logs.mjs CHAIN_ID FILE.jsonl.gz... > tokens.csv
// Addresses only: by them `replay` proves pools (CREATE2); decimals stay unknown.
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const [chainId, ...files] = process.argv.slice(2)

/** @type {Map<string, number>} */
const counts = new Map()
for (const file of files) {
  const bytes = readFileSync(file)
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
  for (const line of text.split("\n")) {
    if (!line.includes(TRANSFER)) continue
    const { chainId: chain, topics, address } = JSON.parse(line)
    if (String(chain) !== chainId || topics[0] !== TRANSFER || topics.length !== 3) continue
    counts.set(address, (counts.get(address) ?? 0) + 1)
  }
}

const busiest = [...counts].sort(([, a], [, b]) => b - a)
process.stdout.write(`${["address", ...busiest.map(([address]) => address)].join("\n")}\n`)
