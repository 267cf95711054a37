// Prints the logs of a V3 pool whose life is given as state-before.json.gz (price, ticks) and
// events.jsonl.gz (decoded events): its creation, its price and positions that make its ticks, as
// made in the state's block, then the events. Transactions get numbers for hashes: none is told.
//   node scripts/pool-state-logs.mjs FOLDER FACTORY > logs.jsonl
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { encodeAbiParameters, encodeEventTopics, numberToHex, parseAbi } from "viem"

const [folder = "", factory = ""] = process.argv.slice(2)
/** @param {string} name */
const read = name => gunzipSync(readFileSync(join(folder, name))).toString()

const range = "int24 indexed tickLower, int24 indexed tickUpper"
const amounts = "uint128 amount, uint256 amount0, uint256 amount1"
const after = "uint160 sqrtPriceX96, uint128 liquidity, int24 tick"
const parties = "address indexed sender, address indexed recipient"
const tokens = "address indexed token0, address indexed token1"
const abi = parseAbi([
  `event PoolCreated(${tokens}, uint24 indexed fee, int24 tickSpacing, address pool)`,
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  `event Mint(address sender, address indexed owner, ${range}, ${amounts})`,
  `event Burn(address indexed owner, ${range}, ${amounts})`,
  `event Swap(${parties}, int256 amount0, int256 amount1, ${after})`
])

const before = JSON.parse(read("state-before.json.gz"))
const events = read("events.jsonl.gz")
  .trim()
  .split("\n")
  .map(line => JSON.parse(line))
const pool = before.pool.toLowerCase()
let index = 0

/** @typedef {{ number: number, time: number }} Block */
/** @param {string} address @param {string} name @param {any} args @param {Block} block */
const print = (address, name, args, { number, time }) => {
  const eventName = /** @type {any} */ (name)
  const inputs = abi.find(item => item.name === name)?.inputs ?? []
  const plain = inputs.filter(input => !("indexed" in input && input.indexed))
  const log = {
    ...{ chainId: before.chainId, address, topics: encodeEventTopics({ abi, eventName, args }) },
    data: encodeAbiParameters(
      plain,
      plain.map(input => args[input.name ?? ""])
    ),
    ...{
      blockNumber: number,
      blockTimestamp: time,
      transactionHash: numberToHex(index, { size: 32 })
    },
    ...{ transactionIndex: index, logIndex: index }
  }
  index++
  process.stdout.write(`${JSON.stringify(log)}\n`)
}

const { token0, token1, fee, tickSpacing, slot0, liquidity, ticks } = before
const start = { number: before.block, time: events[0].blockTimestamp - 1 }
print(factory, "PoolCreated", { token0, token1, fee, tickSpacing, pool }, start)
print(pool, "Initialize", { sqrtPriceX96: BigInt(slot0.sqrtPriceX96), tick: slot0.tick }, start)

const steps = Object.entries(ticks)
  .map(([tick, { liquidityGross, liquidityNet }]) => {
    const [gross, net] = [BigInt(liquidityGross), BigInt(liquidityNet)]
    return { tick: Number(tick), begins: (gross + net) / 2n, ends: (gross - net) / 2n }
  })
  .sort((a, b) => a.tick - b.tick)
const edge = Math.floor(887272 / tickSpacing) * tickSpacing
const within = steps.filter(({ tick }) => tick <= slot0.tick)
const told = within.reduce((sum, { begins, ends }) => sum + begins - ends, 0n)
/** Liquidity that began at a tick and has not ended. @type {{ tick: number, left: bigint }[]} */
const open = [{ tick: -edge, left: BigInt(liquidity) - told }].filter(({ left }) => left > 0n)

/** @param {number} tickUpper @param {bigint} amount */
const close = (tickUpper, amount) => {
  let rest = amount
  while (rest > 0n && open[0]) {
    const [{ tick: tickLower, left }] = /** @type {[{ tick: number, left: bigint }]} */ (open)
    const part = left < rest ? left : rest
    const owner = factory
    const place = { sender: owner, owner, tickLower, tickUpper, amount: part }
    print(pool, "Mint", { ...place, amount0: 0n, amount1: 0n }, start)
    rest -= part
    if (part === left) open.shift()
    else open[0] = { tick: tickLower, left: left - part }
  }
}
for (const { tick, begins, ends } of steps) {
  close(tick, ends)
  if (begins > 0n) open.push({ tick, left: begins })
}
for (const { left } of [...open]) close(edge, left)

/** @type {Record<string, true>} */
const numbers = { tick: true, tickLower: true, tickUpper: true }
for (const { event, blockNumber, blockTimestamp, ...fields } of events) {
  const args = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      numbers[name] || String(value).startsWith("0x") ? value : BigInt(value)
    ])
  )
  print(pool, event, args, { number: blockNumber, time: blockTimestamp })
}
