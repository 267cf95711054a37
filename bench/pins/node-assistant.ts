/**
 * A node in a process of its own, of a chain on which a market trades and one token has moved very
 * often. It mines when it is told to.
 */
import { setPriority } from "node:os"
import { Effect } from "effect"
import { type Hex, toHex } from "viem"
import { tokenTransfer } from "../../streams/evm/token-transfers/decode.ts"
import { seededRandom } from "../../streams/sources/devchain/random.ts"
import { FakeChain, type FakeTx } from "../../test/support/fake-chain.ts"
import type { FakeLog } from "../../test/support/fake-logs.ts"
import { startFakeRpc } from "../../test/support/fake-rpc.ts"
import { type FakeMarket, launchMarket } from "../latency/fake-market.ts"
import { assist } from "../measure/assist.ts"

export interface PastInput {
  readonly chainId: number
  readonly blocks: number
  readonly transfers: number
  readonly holders: number
  readonly swapsPerBlock: number
}

export interface NodeReady {
  readonly endpoints: ReadonlyArray<string>
  /** the token that moved so often */
  readonly token: string
  readonly head: number
}

/** A chain's node is elsewhere: what it costs is not to be taken from the engine's readers. */
const PRIORITY = 19

/** What `launchMarket` has its tokens tell. */
const SUPPLY = 10n ** 27n
const NOBODY = "0".repeat(64)

const walletWord = (i: number): string =>
  `77${(i + 1).toString(16).padStart(38, "0")}`.padStart(64, "0")

/** Transfers of a token: its supply to the holders, then small parts of it among them. */
class Moves {
  private readonly random = seededRandom("pins", "moves")
  private readonly token: Hex
  private readonly holders: number
  private made = 0

  constructor(token: Hex, holders: number) {
    this.token = token
    this.holders = holders
  }

  next(): FakeLog {
    const i = this.made++
    const share = SUPPLY / BigInt(this.holders)
    if (i < this.holders) {
      const rest = i === 0 ? SUPPLY - share * BigInt(this.holders) : 0n
      return this.transfer(NOBODY, walletWord(i), share + rest)
    }
    const some = () => walletWord(Math.floor(this.random.next() * this.holders))
    return this.transfer(some(), some(), BigInt(1 + Math.floor(this.random.next() * 2 ** 40)))
  }

  private transfer(from: string, to: string, amount: bigint): FakeLog {
    const topics: ReadonlyArray<Hex> = [tokenTransfer.topic0 as Hex, `0x${from}`, `0x${to}`]
    return { address: this.token, topics, data: toHex(amount, { size: 32 }) }
  }
}

interface Open {
  readonly chain: FakeChain
  readonly market: FakeMarket
  readonly moves: Moves
  readonly swapsPerBlock: number
}

let open: Open | null = null

const mineOne = ({ chain, market, moves, swapsPerBlock }: Open, transfers: number): number => {
  const logs = Array.from({ length: transfers }, () => moves.next())
  const [first] = logs
  const moved: FakeTx | null =
    first === undefined ? null : { from: `0x${"7b".repeat(20)}`, to: first.address, logs }
  return chain.mine([...market.block(swapsPerBlock), ...(moved === null ? [] : [moved])]).number
}

/** Makes the past and serves it. */
const serve = ({ chainId, blocks, transfers, holders, swapsPerBlock }: PastInput) =>
  Effect.gen(function* () {
    const chain = new FakeChain(chainId)
    const market = launchMarket(chain)
    const moves = new Moves(market.token as Hex, holders)
    open = { chain, market, moves, swapsPerBlock }
    chain.createdAt.set(market.token, chain.head.number + 1)
    const each = Math.ceil(transfers / blocks)
    for (let left = transfers; left > 0; left -= each) mineOne(open, Math.min(each, left))
    setPriority(PRIORITY)
    const rpc = yield* Effect.promise(() => startFakeRpc(chain, "pins"))
    const endpoints = [rpc.wsUrl, rpc.url]
    return { endpoints, token: market.token, head: chain.head.number } satisfies NodeReady
  })

/** Mines a block with swaps and so many transfers; its number. */
const mine = (transfers: number) =>
  Effect.sync(() => (open === null ? -1 : mineOne(open, transfers)))

assist({ serve, mine })
