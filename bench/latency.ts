/**
 * From a block's `newHeads` notification to a subscriber's frame, through the whole of `start`: a
 * scripted node tells of a block, the source fetches and proves it, the log fsyncs it, the lane
 * folds and commits it, the socket sends it. The baseline is one fsynced write between two
 * WebSocket messages.
 */
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { FakeChain } from "../test/support/fake-chain.ts"
import { startFakeRpc } from "../test/support/fake-rpc.ts"
import { openSocket, type WsClient } from "../test/support/ws-client.ts"
import { alone, type Bench, type BenchResult, compared } from "./bench.ts"
import { launchMarket } from "./latency/fake-market.ts"
import { withEngine } from "./latency/start-engine.ts"
import { withAssistant } from "./measure/assistant.ts"
import { quantile } from "./measure/quantile.ts"
import { withFolder } from "./measure/scratch-folder.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"

const OPTIONS = `  --blocks N          blocks measured (300)
  --swaps-per-block N their swaps (20)
  --pause-ms N        pause between a frame and the next block (50)
  --cpu-prof DIR      writes CPU profiles of all threads`

const CHAIN = 8453
/** Blocks before those that count. */
const WARM_UP = 30
/** About a segment of a block with 20 swaps. */
const FLOOR_BYTES = 4096

interface Settings {
  readonly blocks: number
  readonly swapsPerBlock: number
  readonly pauseMs: number
  readonly profileFolder: string | undefined
}

const socketOf = async (port: number): Promise<WsClient> => {
  const upgrade = await openSocket(port)
  if (!upgrade.ok) throw new Error(`no live socket: ${upgrade.status} ${upgrade.body}`)
  return upgrade.client
}

/** The next frame of a type. */
const nextOf = async (client: WsClient, type: string) => {
  for (;;) {
    const frame = await client.next()
    if (frame.type === type) return frame
    if (frame.type === "error") throw new Error(`the socket refused: ${frame.message}`)
  }
}

/** The first trade of a block; an earlier block may have had several. */
const tradeOf = async (client: WsClient, block: number): Promise<void> => {
  for (;;) {
    const frame = (await nextOf(client, "trade")) as unknown as TradeFrame
    if (frame.trade.block === block) return
  }
}

interface TradeFrame {
  readonly trade: { readonly block: number }
}

/** Milliseconds from each notification to its frame. */
const measure = async (folder: string, settings: Settings): Promise<ReadonlyArray<number>> => {
  const chain = new FakeChain(CHAIN)
  const market = launchMarket(chain)
  let toldAt = 0
  // registered before the node's own listener, so it is called just before the head is pushed
  chain.onBlock(() => {
    toldAt = performance.now()
  })
  const rpc = await startFakeRpc(chain, "latency")
  const endpoints = [rpc.wsUrl, rpc.url]
  const { profileFolder } = settings
  const engine = { dataFolder: join(folder, "data"), chainId: CHAIN, endpoints, profileFolder }
  try {
    return await withEngine(engine, async port => {
      const client = await socketOf(port)
      // until the source follows heads and the token trades
      chain.mine(market.block(settings.swapsPerBlock))
      await sleep(1000)
      client.send({ op: "subscribe", channel: "trades", chain: CHAIN, token: market.token })
      await nextOf(client, "subscribed")
      const times: Array<number> = []
      for (let block = 0; block < WARM_UP + settings.blocks; block++) {
        await sleep(settings.pauseMs)
        const { number } = chain.mine(market.block(settings.swapsPerBlock))
        await tradeOf(client, number)
        if (block >= WARM_UP) times.push(performance.now() - toldAt)
      }
      client.close()
      return times
    })
  } finally {
    await rpc.close()
  }
}

const measureFloor = (folder: string, { blocks, pauseMs }: Settings) =>
  withAssistant("latency/floor-assistant.ts", async assistant => {
    const { port } = await assistant.ask<{ port: number }>("serve", { file: join(folder, "floor") })
    const client = await socketOf(port)
    const times: Array<number> = []
    for (let block = 0; block < WARM_UP + blocks; block++) {
      await sleep(pauseMs)
      const began = performance.now()
      client.send("x".repeat(FLOOR_BYTES))
      await nextOf(client, "trade")
      if (block >= WARM_UP) times.push(performance.now() - began)
    }
    client.close()
    return times
  })

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    blocks: { type: "string" },
    "swaps-per-block": { type: "string" },
    "pause-ms": { type: "string" },
    "cpu-prof": { type: "string" }
  })
  const profile = options["cpu-prof"]
  const settings: Settings = {
    blocks: countOf("blocks", options.blocks, 300),
    swapsPerBlock: countOf("swaps-per-block", options["swaps-per-block"], 20),
    pauseMs: countOf("pause-ms", options["pause-ms"], 50),
    profileFolder: profile === undefined ? undefined : resolve(profile)
  }
  return withFolder(async folder => {
    say("latency: newHeads → frame, through `start`")
    const times = await measure(folder, settings)
    say("baseline: fsynced write between two WebSocket messages")
    const floor = await measureFloor(folder, settings)
    const n = times.length
    const of = (q: number) => [quantile(times, q), quantile(floor, q)] as const
    return {
      bench: "latency",
      ...compared("block_to_frame_p99", "ms", ...of(0.99), n),
      also: [
        compared("block_to_frame_p50", "ms", ...of(0.5), n),
        alone("block_to_frame_max", "ms", quantile(times, 1), n)
      ]
    }
  })
}

export const latency: Bench = {
  name: "latency",
  about: "a block is told of → the frame arrives, fsync on",
  options: OPTIONS,
  run
}
