/** The chain, its two doors, and the two engines: one to which everything happens, one untouched. */
import type { Hex } from "viem"
import { type Engine, freePort, startEngine } from "../../support/engine.ts"
import { logOf } from "../../support/engine-log.ts"
import { creationTxs, marketTxs } from "../../support/engine-market.ts"
import { startWorld, type World } from "../../support/engine-world.ts"
import type { FakeTx } from "../../support/fake-chain.ts"
import { pairCreatedLog } from "../../support/fake-logs.ts"
import { type FakeRpc, startFakeRpc } from "../../support/fake-rpc.ts"
import { type Chance, noFaults } from "../../support/fake-rpc-methods.ts"
import { deployMintable, mint, move } from "../../support/fake-supply.ts"
import { temporaryFolder } from "../../support/nats.ts"
import { type Random, random } from "../../support/seed.ts"
import { mountSmallDisk, type SmallDisk } from "../../support/small-disk.ts"
import { type Stand, standsOf } from "./positions.ts"

/** A token that nobody trades and somebody holds. */
export const MINTED = `0x${"3a".repeat(20)}` as const

const SWAPS = 3
const HISTORY = 20

/** The node that the engine reads, which can be dead; its address stays. */
export class Node {
  private readonly world: World
  private readonly port: number
  private rpc: FakeRpc | null = null
  private lives = 0
  private readonly before = new Map<Chance, number>()

  constructor(world: World, port: number) {
    this.world = world
    this.port = port
  }

  get endpoints(): ReadonlyArray<string> {
    // not its WebSocket, whose answers are always right
    return [`http://127.0.0.1:${this.port}`]
  }

  async open(): Promise<void> {
    this.rpc = await startFakeRpc(this.world.chain, `chaos ${this.lives++}`, {}, this.port)
  }

  async close(): Promise<void> {
    for (const [fault, count] of this.rpc?.struck ?? []) {
      this.before.set(fault, (this.before.get(fault) ?? 0) + count)
    }
    await this.rpc?.close()
    this.rpc = null
  }

  /** What it does wrong from now on, and nothing else. */
  misbehave(faults: Partial<FakeRpc["faults"]>): void {
    if (this.rpc === null) throw new Error("the node is dead")
    Object.assign(this.rpc.faults, noFaults(), faults)
  }

  cutSockets(): void {
    this.rpc?.cutSockets()
  }

  /** How often faults that strike by chance have done so. */
  struck(fault: Chance): number {
    return (this.before.get(fault) ?? 0) + (this.rpc?.struck.get(fault) ?? 0)
  }

  /** Requests that it has been asked. */
  get asked(): number {
    return this.rpc?.requestedAt.length ?? 0
  }
}

/** The engine to which things happen, whichever process it is now. */
class Victim {
  readonly port: number
  readonly dataDir: string
  engine: Engine
  starts = 0
  private readonly rpc: { readonly [chainId: number]: ReadonlyArray<string> }

  constructor(port: number, dataDir: string, rpc: Victim["rpc"], engine: Engine) {
    this.port = port
    this.dataDir = dataDir
    this.rpc = rpc
    this.engine = engine
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async start(): Promise<void> {
    this.starts++
    this.engine = await engineOn(this.dataDir, this.rpc, this.port)
  }
}

/** Upkeep and snapshots as often as a run of minutes needs to see them. */
const UPKEEP = { SNAPSHOT_EVERY: "600", COMPACT_EVERY: "400", COMPACT_ROWS: "300" }

const engineOn = (dataDir: string, rpc: Victim["rpc"], port?: number, env = {}) =>
  startEngine({
    ...{ dataDir, rpc, env: { ...UPKEEP, ...env } },
    ...(port === undefined ? {} : { port })
  })

/** Room for the log and the tables of a long run, with copies of them. */
const DISK_MEGABYTES = 192

export class Stage {
  /** what the victim's data lie on; null where none may be mounted, and the disk is anyone's */
  readonly disk: SmallDisk | null
  readonly world: World
  readonly node: Node
  readonly victim: Victim
  readonly witness: Engine
  readonly random: Random
  /** a log of the victim that is there no more, by how many were before it */
  readonly eras: Array<ReadonlyArray<Stand>> = []
  private readonly folders: ReadonlyArray<{ readonly remove: () => void }>

  constructor(
    parts: Pick<Stage, "disk" | "world" | "node" | "victim" | "witness">,
    folders: Stage["folders"]
  ) {
    this.disk = parts.disk
    this.world = parts.world
    this.node = parts.node
    this.victim = parts.victim
    this.witness = parts.witness
    this.folders = folders
    this.random = random("chaos chain")
  }

  get tokens(): ReadonlyArray<string> {
    return this.world.market.tokens.map(({ address }) => address)
  }

  /** The next block: some swaps, and a transfer of the token that nobody trades. */
  mine(): void {
    this.world.mineTxs(blockTxs(this.world, this.random))
  }

  /** The last blocks are replaced by others, one more than there were. */
  fork(depth: number): void {
    this.world.forks++
    this.world.chain.rewind(depth)
    for (let i = 0; i <= depth; i++) this.mine()
  }

  /** Notes what the positions of the victim's log mean, while no engine works on it. */
  async endEra(): Promise<void> {
    this.eras.push(standsOf(await logOf(this.victim.dataDir, "base")))
  }

  async close(): Promise<void> {
    this.disk?.free()
    await this.victim.engine.end("SIGKILL")
    await this.witness.end("SIGKILL")
    await this.node.close()
    await this.world.close()
    for (const folder of this.folders) folder.remove()
  }
}

const blockTxs = ({ market }: World, r: Random): ReadonlyArray<FakeTx> => {
  const created = r.boolean(0.1) ? creationTxs(market) : []
  const transfer = move(MINTED, BigInt(r.integer(1, 1000)))
  return [...created, ...marketTxs(r, market, r.integer(0, SWAPS)), transfer]
}

/** A pool of the token in which nobody ever trades: without one it would be unknown. */
const listed = ({ config, market }: World): FakeTx => {
  const factory = config.venues.find(({ kind }) => kind === "uniswap-v2")?.factory as Hex
  const [usd] = market.tokens.map(({ address }) => address) as [Hex]
  const [one, other] = usd < MINTED ? [usd, MINTED] : [MINTED, usd]
  const log = pairCreatedLog(factory, one, other, `0x${"3b".repeat(20)}`)
  return { from: usd, to: factory, logs: [log] }
}

/** Starts everything; the untouched engine has the token pinned from the beginning. */
export const startStage = async (): Promise<Stage> => {
  // blocks come faster than a real chain's, and none may be of the future
  const startTime = () => Math.floor(Date.now() / 1000)
  const world = await startWorld("chaos", { blocks: 2, swaps: SWAPS, tokens: 4, startTime })
  deployMintable(world.chain, MINTED)
  const node = new Node(world, await freePort())
  await node.open()
  const disk = mountSmallDisk(DISK_MEGABYTES)
  if (disk === null) console.log("chaos: no small disk may be mounted here, so none is filled")
  const folders = [disk ?? temporaryFolder(), temporaryFolder()] as const
  const rpc = { [world.config.id]: node.endpoints }
  const port = await freePort()
  const engines = await Promise.all([
    engineOn(folders[0].path, rpc, port),
    engineOn(folders[1].path, world.endpoints, undefined, { PIN_8453: MINTED })
  ])
  const victim = new Victim(port, folders[0].path, rpc, engines[0])
  const stage = new Stage({ disk, world, node, victim, witness: engines[1] }, folders)
  world.mineTxs([listed(world), mint(MINTED, 10n ** 9n)])
  while (world.chain.head.number < HISTORY) stage.mine()
  return stage
}
