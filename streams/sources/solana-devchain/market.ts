/**
 * What can be traded: what the chain began with, and what its wallets launched and opened since.
 * Which of those there are is read of the bank, since a fork may take them back; the rest follows
 * from the seed.
 */
import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  getAddressEncoder,
  type KeyPairSigner
} from "@solana/kit"
import { Effect } from "effect"
import { keccak256 } from "../../../src/platform/keccak.ts"
import { fairPrice } from "../devchain/fair-price.ts"
import { seededRandom } from "../devchain/random.ts"
import { CURVE_START } from "./account-data.ts"
import { TOKEN_2022 } from "./addresses.ts"
import type { Bank } from "./bank.ts"
import type { Genesis, User } from "./genesis.ts"
import {
  type AmmPool,
  ammPoolOf,
  type CpmmPool,
  type Curve,
  cpmmPoolOf,
  curveOf
} from "./market-addresses.ts"
import { type CurveStage, curveState, exists } from "./states.ts"
import { type TokenName, tokenName } from "./token-names.ts"

/** Tokens that wallets launch at most: the state of a node that runs for days stays small. */
const MOST_LAUNCHES = 300
/** How many of the launched tokens have buyers that carry their curve to its end. */
const CHANCE_OF_BUYERS = 0.35
/** The band of a graduated token's fair price. */
const BAND = 0.6

/** A token on a curve, and the pool in which it will end. */
export interface CurveToken {
  readonly curve: Curve
  readonly pool: AmmPool
  /** whether wallets buy it until its curve is complete */
  readonly hasBuyers: boolean
  /** lamports of a unit that the pool's traders lean to, at a time in Unix seconds */
  readonly fairLamports: (timeSeconds: number) => number
}

/** A token that a wallet launches. */
export interface Launch extends CurveToken, TokenName {
  readonly mint: KeyPairSigner
  readonly creator: User
}

/** Lamports of a unit where every curve ends. */
const endPrice = (): number => {
  const { virtualTokens, virtualLamports, tokens } = CURVE_START
  const left = Number(virtualTokens - tokens)
  return (Number(virtualLamports) * Number(virtualTokens)) / left / left
}

const curveToken = (seed: string, curve: Curve, hasBuyers: boolean) =>
  Effect.map(
    ammPoolOf(curve),
    (pool): CurveToken => ({
      ...{ curve, pool, hasBuyers },
      fairLamports: fairPrice(seed, curve.mint, endPrice(), BAND)
    })
  )

const makeLaunch = ({ seed, users, feeRecipient, curves }: Genesis, number: number) =>
  Effect.gen(function* () {
    const random = seededRandom(seed, "launch", number)
    const creator = random.pick(users)
    const secret = keccak256(new TextEncoder().encode(`${seed} launch ${number}`))
    const mint = yield* Effect.promise(() => createKeyPairSignerFromPrivateKeyBytes(secret))
    const token = { mint: mint.address, program: TOKEN_2022 }
    const curve = yield* curveOf(token, creator.signer.address, feeRecipient)
    const launch: Launch = {
      ...(yield* curveToken(seed, curve, random.chance(CHANCE_OF_BUYERS))),
      ...tokenName(seed, 1_000 + curves.length + number),
      ...{ mint, creator }
    }
    return launch
  })

const bytesOf = getAddressEncoder()

/** Two mints in the order of their bytes, which a pool that is opened must have. */
const ordered = (a: Address, b: Address): readonly [Address, Address] =>
  Buffer.compare(Buffer.from(bytesOf.encode(a)), Buffer.from(bytesOf.encode(b))) < 0
    ? [a, b]
    : [b, a]

export class Market {
  private readonly genesis: Genesis
  private readonly began: ReadonlyArray<CurveToken>
  /** pools of two tokens, of which the chain begins with none */
  private readonly openings: ReadonlyArray<CpmmPool>
  private readonly launches: Array<Launch> = []
  private launched = 0
  /** of each token, in their order */
  private stages: ReadonlyArray<CurveStage> = []
  private opened = 0

  constructor(
    genesis: Genesis,
    began: ReadonlyArray<CurveToken>,
    openings: ReadonlyArray<CpmmPool>
  ) {
    this.genesis = genesis
    this.began = began
    this.openings = openings
  }

  /** Reads of the bank which tokens and pools there are. */
  readonly read = (bank: Bank): Effect.Effect<void> =>
    Effect.gen({ self: this }, function* () {
      const isThere = (one: Launch | undefined) =>
        one !== undefined && exists(bank, one.curve.address)
      while (this.launched > 0 && !isThere(this.launches[this.launched - 1])) this.launched--
      while (isThere(this.launches[this.launched])) this.launched++
      // of a chain that goes on many are there that were not looked for yet
      while (this.launches.length <= this.launched && this.launches.length < MOST_LAUNCHES) {
        this.launches.push(yield* makeLaunch(this.genesis, this.launches.length))
        if (isThere(this.launches[this.launched])) this.launched++
      }
      const isOpen = (one: CpmmPool | undefined) => one !== undefined && exists(bank, one.address)
      while (this.opened > 0 && !isOpen(this.openings[this.opened - 1])) this.opened--
      while (isOpen(this.openings[this.opened])) this.opened++
      this.stages = this.tokens.map(({ curve }) => curveState(bank, curve).stage)
    })

  /** Tokens that are on a curve or were. */
  get tokens(): ReadonlyArray<CurveToken> {
    return [...this.began, ...this.launches.slice(0, this.launched)]
  }

  /** Those of them whose curve sells, is sold, or has ended in a pool. */
  at(stage: CurveStage): ReadonlyArray<CurveToken> {
    return this.tokens.filter((_, i) => this.stages[i] === stage)
  }

  get pools(): ReadonlyArray<CpmmPool> {
    return [...this.genesis.pools, ...this.openings.slice(0, this.opened)]
  }

  /** The token that is launched next; undefined once there were enough. */
  get nextLaunch(): Launch | undefined {
    return this.launches[this.launched]
  }

  /** The pool that is opened next; undefined once every pair has one. */
  get nextOpening(): CpmmPool | undefined {
    return this.openings[this.opened]
  }
}

/** The market of a chain that begins. */
export const makeMarket = (genesis: Genesis) =>
  Effect.gen(function* () {
    const { seed, curves, pooledMints } = genesis
    const pairs = pooledMints.flatMap((a, i) => pooledMints.slice(i + 1).map(b => ordered(a, b)))
    const openings = yield* Effect.forEach(pairs, cpmmPoolOf)
    // one of them graduates soon, so that a reader need not wait for it
    const began = yield* Effect.forEach(curves, (one, i) =>
      curveToken(seed, one, i === curves.length - 1)
    )
    return new Market(genesis, began, openings)
  })
