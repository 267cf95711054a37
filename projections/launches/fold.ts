/**
 * The fold of launches: the makings of pools that the log shows, and the tokens that they launched.
 * A token is launched by its first pool, unless a pool of a listed venue appears that was there
 * before the log: the source learns of such a pool by a call or CREATE2, without its making. The
 * claim of an unlisted factory counts once the pool itself was asked, for anybody can log a pool.
 */
import type { FoldContext, Slice } from "../../engine/projection.ts"
import { type ChainConfig, entryPointsOf } from "../../src/domain/chain.ts"
import { ID_BYTES } from "../../src/domain/ids.ts"
import { type KnownContracts, knownContracts } from "../../streams/attribution/known-contracts.ts"
import { type EventBatch, KIND } from "../../streams/batch/batch.ts"
import { accountTable, ByteTable, NONE } from "../../streams/batch/id-table.ts"
import { isClaim, venueOfPool } from "../../streams/pool-venue.ts"
import { type Pools, pools } from "../pools/output.ts"
import { type Tokens, tokens } from "../tokens/output.ts"
import { type Launches, launchersTable, launchesTable, makingsTable } from "./tables.ts"

/** Role of a transaction's target: many make pools through it, or its caller sends for others. */
const SHARED = 1
const FOR_OTHERS = 2

const rolesOf = (chain: ChainConfig): ReadonlyArray<readonly [string, number]> => {
  const { venues, routers, settlements = [] } = chain
  const ofVenues = venues
    .flatMap(({ factory, deployer, positionManager }) => [factory, deployer, positionManager])
    .filter(address => address !== undefined)
  return [
    ...[...ofVenues, ...routers].map(address => [address, SHARED] as const),
    ...[...settlements, ...entryPointsOf(chain)].map(address => [address, FOR_OTHERS] as const)
  ]
}

export class LaunchFold {
  private readonly chain: ChainConfig
  private readonly pools: Pools
  private readonly tokens: Tokens
  readonly tables: Launches
  private readonly contracts: KnownContracts
  /** tokens that are never launched: anchors and the native unit */
  private readonly anchors: ByteTable
  private ofPool = new Map<number, number>()
  private ofToken = new Map<number, number>()
  private addresses = new ByteTable(ID_BYTES)

  constructor({ chain, output, state }: FoldContext) {
    this.chain = chain
    this.pools = output(pools)
    this.tokens = output(tokens)
    this.tables = {
      makings: state(makingsTable),
      launches: state(launchesTable),
      launchers: state(launchersTable)
    }
    this.contracts = knownContracts(rolesOf(chain))
    const unlaunched: Array<string> = chain.anchors.map(({ address }) => address)
    if (chain.nativeToken !== null) unlaunched.push(chain.nativeToken)
    this.anchors = accountTable(unlaunched)
    this.anchors.intern(new Uint8Array(ID_BYTES), 0)
  }

  apply({ batch, from, to }: Slice): void {
    if (batch.columns.PoolCreated.pool.count === 0) return
    for (let i = from; i < to; i++) {
      if (batch.kind.values[i] === KIND.PoolCreated) this.created(batch, i)
    }
  }

  private created(batch: EventBatch, event: number): void {
    const c = batch.columns.PoolCreated
    const row = batch.row.get(event)
    const factory = batch.ids.text(c.factory.get(row))
    const kind = batch.syms[c.venueKind.get(row)] as string
    const source = batch.syms[c.source.get(row)] as string
    const pool = this.pools.find(batch, c.pool.get(row))
    const isListed = venueOfPool(this.chain, factory, kind) !== null
    const making = this.ofPool.get(pool)
    if (making !== undefined) this.confirmed(batch, row, making, source, isListed)
    else if (source === "log") {
      const claims = isClaim(this.chain, source, factory, kind)
      const making = this.make(batch, event, pool, claims)
      if (!claims) this.launch(batch, row, making, true)
    } else if (isListed) this.wasThere(batch, row)
  }

  /** Takes a second event of a pool whose making is known: it may confirm what was a claim. */
  private confirmed(
    batch: EventBatch,
    row: number,
    making: number,
    source: string,
    isListed: boolean
  ): void {
    const { makings } = this.tables
    if (makings.columns.is_claim[making] === 0) return
    if (source === "log" && !isListed) return
    makings.columns.is_claim[making] = 0
    makings.touch(making)
    this.launch(batch, row, making, isListed)
  }

  private make(batch: EventBatch, event: number, pool: number, claims: boolean): number {
    const block = batch.block.get(event)
    const making = this.tables.makings.add({
      pool,
      block: batch.blocks.number.get(block),
      ts: batch.blocks.time.get(block),
      log_index: batch.logIndex.get(event),
      is_claim: claims ? 1 : 0
    })
    this.attribute(batch, event, making)
    this.ofPool.set(pool, making)
    return making
  }

  /** Writes who made a pool, as far as the transaction shows it. */
  private attribute(batch: EventBatch, event: number, making: number): void {
    const { columns: c } = this.tables.makings
    c.launcher[making] = NONE
    const tx = batch.tx.get(event)
    if (tx === NONE) return
    const from = batch.txs.from.get(tx)
    const to = batch.txs.to.get(tx)
    const role = to === NONE ? SHARED : this.contracts.of(batch, to)
    if (role === FOR_OTHERS) return
    if (from !== NONE) c.wallet.set(batch.ids.bytes(from), making * ID_BYTES)
    const isOwn = role !== SHARED && to !== from
    if (isOwn) c.contract.set(batch.ids.bytes(to), making * ID_BYTES)
    const launcher = isOwn ? to : from
    if (launcher !== NONE) c.launcher[making] = this.launcherOf(batch, launcher, isOwn)
  }

  private launcherOf(batch: EventBatch, ref: number, isContract: boolean): number {
    const { launchers } = this.tables
    const address = batch.ids.bytes(ref)
    const launcher = this.addresses.intern(address, 0)
    if (launcher === launchers.count) launchers.add({ address, is_contract: isContract ? 1 : 0 })
    return launcher
  }

  /** Yields the pool's tokens that are no anchors, each with its place. */
  private *launchable(batch: EventBatch, row: number): Generator<readonly [number, number]> {
    const refs = batch.columns.PoolCreated.tokens.get(row)
    for (const [place, ref] of refs.entries()) {
      const bytes = batch.ids.bytes(ref)
      if (this.anchors.find(bytes, 0) < 0) yield [this.tokens.find(bytes), place]
    }
  }

  private launch(batch: EventBatch, row: number, making: number, isListed: boolean): void {
    const { launches } = this.tables
    for (const [token, place] of this.launchable(batch, row)) {
      const launch = this.ofToken.get(token)
      if (launch === undefined) {
        const added = this.add(token, place, making)
        if (isListed) launches.columns.listed[added] = making
      } else if (isListed && launches.columns.listed[launch] === NONE) {
        launches.columns.listed[launch] = making
        launches.touch(launch)
      }
    }
  }

  /** Takes a pool of a listed venue that is older than the log: its tokens are no launches. */
  private wasThere(batch: EventBatch, row: number): void {
    const { launches } = this.tables
    for (const [token, place] of this.launchable(batch, row)) {
      const launch = this.ofToken.get(token) ?? this.add(token, place, NONE)
      if (launches.columns.first[launch] === NONE) continue
      launches.columns.first[launch] = NONE
      launches.touch(launch)
    }
  }

  private add(token: number, place: number, making: number): number {
    const launch = this.tables.launches.add({ token, place, first: making })
    this.ofToken.set(token, launch)
    return launch
  }

  reloaded(): void {
    const { makings, launches, launchers } = this.tables
    this.contracts.reset()
    this.ofPool = new Map()
    for (let m = 0; m < makings.count; m++) this.ofPool.set(makings.columns.pool[m] as number, m)
    this.ofToken = new Map()
    for (let l = 0; l < launches.count; l++)
      this.ofToken.set(launches.columns.token[l] as number, l)
    this.addresses = new ByteTable(ID_BYTES)
    for (let l = 0; l < launchers.count; l++) {
      this.addresses.intern(launchers.columns.address, l * ID_BYTES)
    }
  }
}
