/**
 * A stage for swaps from the page: an engine over a simulated chain that mines when it is told, and
 * an account that the chain's node signs for.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Quote } from "../../api/groups/trade/quote.api.ts"
import { devchainRouter } from "../../src/bin/devchain-facts.ts"
import { visitorOf } from "../../streams/sources/devchain/wallets.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "./devchain.ts"
import { type Engine, startEngine } from "./engine.ts"
import { temporaryFolder } from "./nats.ts"
import { PATIENCE_MS } from "./patience.ts"

const CHAIN_ID = 8453
const FIRST_BLOCKS = 40

export class SwapStage {
  readonly engine: Engine
  readonly router: string
  /** has 10,000 native units; the node signs for it, and nobody else sends from it */
  account = ""
  private readonly own: TestDevchain
  private readonly removeFolder: () => void

  private constructor(own: TestDevchain, engine: Engine, removeFolder: () => void) {
    this.own = own
    this.engine = engine
    this.router = own.devchain.contracts.router.toLowerCase()
    this.removeFolder = removeFolder
  }

  static async open(): Promise<SwapStage> {
    const folder = temporaryFolder()
    const own = await openDevchain({ chain: "base", router: devchainRouter("base") })
    const { contracts, wsUrl, rpcUrl } = own.devchain
    const router = contracts.router.toLowerCase()
    await mineBlocks(own.devchain, FIRST_BLOCKS)
    const chains = join(folder.path, "chains.json")
    writeFileSync(chains, JSON.stringify([{ extends: "base", routers: [router] }]))
    const engine = await startEngine({
      dataDir: join(folder.path, "data"),
      rpc: { [CHAIN_ID]: [wsUrl, rpcUrl] },
      env: { [`ROUTER_${CHAIN_ID}`]: router, CHAINS_FILE: chains }
    })
    const stage = new SwapStage(own, engine, () => folder.remove())
    const accounts = (await stage.node("eth_accounts", [])) as ReadonlyArray<string>
    stage.account = visitorOf(accounts).toLowerCase()
    await engine.ready()
    await stage.settled()
    return stage
  }

  /** What the chain's node answers; throws its error. */
  async node(method: string, params: ReadonlyArray<unknown>): Promise<unknown> {
    const response = await fetch(this.own.devchain.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      signal: AbortSignal.timeout(PATIENCE_MS)
    })
    const { result, error } = await response.json()
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** Mines a block with what was sent, and waits until quotes are of it. */
  async mine(): Promise<void> {
    await this.node("evm_mine", [])
    await this.settled()
  }

  /** Mines blocks of the traders' swaps, and waits until quotes are of the newest. */
  async trade(blocks: number): Promise<void> {
    await mineBlocks(this.own.devchain, blocks)
    await this.settled()
  }

  /** What the server quotes now. */
  async quote(asked: {
    readonly inputMint: string
    readonly outputMint: string
    readonly amount: bigint
  }): Promise<Quote> {
    const query = Object.entries(asked).map(([name, value]) => `${name}=${value}`)
    const { status, body } = await this.engine.get(`/quote?chain=${CHAIN_ID}&${query.join("&")}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body
  }

  async close(): Promise<void> {
    await this.engine.end("SIGKILL")
    await this.own.remove()
    this.removeFolder()
  }

  private async settled(): Promise<void> {
    const head = Number(await this.node("eth_blockNumber", []))
    await this.engine.reaches("base", head)
    const [dollar, ether] = this.own.devchain.tokens
    const asked = { inputMint: dollar?.address ?? "", outputMint: ether?.address ?? "" }
    await this.engine.alive(`quotes of block ${head}`, async () => {
      const { blockNumber, warnings } = await this.quote({ ...asked, amount: 1_000_000n })
      // its blocks are old: until a head is told anew that is said in other words, for a moment
      return blockNumber === head && warnings?.[0]?.startsWith("the newest block is ") === true
    })
  }
}
