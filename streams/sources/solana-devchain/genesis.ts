/**
 * What the simulated chain begins with: wallets, tokens, pools and curves, as accounts that are put
 * there, where the real chain has transactions of years.
 */
import {
  type Address,
  address,
  createKeyPairSignerFromPrivateKeyBytes,
  type EncodedAccount,
  type KeyPairSigner,
  lamports
} from "@solana/kit"
import { Effect } from "effect"
import { toBase58 } from "../../../src/domain/base58.ts"
import { keccak256 } from "../../../src/platform/keccak.ts"
import {
  ammGlobalData,
  CURVE_START,
  cpmmConfigData,
  cpmmObservationData,
  cpmmPoolData,
  curveData,
  curveGlobalData,
  LP_DECIMALS,
  metadataData,
  mintData,
  TOKEN_ACCOUNT_RENT,
  tokenData
} from "./account-data.ts"
import {
  AMM,
  CPMM,
  CURVE,
  derived,
  METADATA,
  POOL_FEE_RECEIVER,
  SYSTEM,
  TOKEN,
  tokenAccountOf,
  USDC,
  WSOL
} from "./addresses.ts"
import {
  ammCreatorVault,
  type CpmmPool,
  type Curve,
  cpmmPoolOf,
  curveOf
} from "./market-addresses.ts"
import { type TokenName, tokenName } from "./token-names.ts"

const SOL = 1_000_000_000n
/** Rent of any account of a program here, and more. */
const RENT = 20_000_000n
/** What a graduation takes of a curve, and a new pool of its creator: those of the real venues. */
const MIGRATION_FEE = 15_000_001n
const POOL_FEE = 150_000_000n
const DECIMALS = 6
const LAMPORTS_OF_USER = 100_000n * SOL
/** Of what comes into a pool, in millionths. */
export const TRADE_FEE = 2_500n

/** A token that is traded in a pool against wrapped SOL or USDC. */
interface PoolPlan {
  readonly mints: readonly [Address, Address]
  readonly reserves: readonly [bigint, bigint]
}

export interface User {
  readonly signer: KeyPairSigner
  /** the user's account of each mint */
  readonly accounts: ReadonlyMap<Address, Address>
}

export interface Genesis {
  readonly accounts: ReadonlyArray<EncodedAccount>
  readonly pools: ReadonlyArray<CpmmPool>
  readonly curves: ReadonlyArray<Curve>
  readonly users: ReadonlyArray<User>
  readonly decimals: ReadonlyMap<Address, number>
  readonly seed: string
  /** mints that every wallet has some of, and that pools may be opened of */
  readonly pooledMints: ReadonlyArray<Address>
  /** who gets fees of pump.fun's venues, and what graduations do not cost */
  readonly feeRecipient: Address
  readonly withdrawer: Address
}

const hashOf = (text: string): Uint8Array => keccak256(new TextEncoder().encode(text))

const account = (
  at: Address,
  program: Address,
  data: Uint8Array,
  balance: bigint
): EncodedAccount => ({
  ...{ address: at, data, programAddress: program, executable: false },
  ...{ lamports: lamports(balance), space: BigInt(data.length) }
})

const tokenAccount = (at: Address, mint: Address, owner: Address, amount: bigint) =>
  account(
    at,
    TOKEN,
    tokenData(mint, owner, amount, mint === WSOL),
    TOKEN_ACCOUNT_RENT + (mint === WSOL ? amount : 0n)
  )

/** The square root, rounded down. */
const root = (value: bigint): bigint => {
  if (value < 2n) return value
  let guess = BigInt(Math.floor(Math.sqrt(Number(value))))
  while (guess * guess > value) guess--
  while ((guess + 1n) * (guess + 1n) <= value) guess++
  return guess
}

/** A constant-product pool with its vaults; nobody holds the liquidity that it begins with. */
const makePool = ({ mints, reserves }: PoolPlan, decimals: ReadonlyMap<Address, number>) =>
  Effect.gen(function* () {
    const pool = yield* cpmmPoolOf(mints)
    const { authority, observation, vaults, lpMint } = pool
    const [first, second] = mints.map(mint => decimals.get(mint) ?? 0) as [number, number]
    const state = cpmmPoolData(pool, [first, second], root(reserves[0] * reserves[1]))
    return [
      pool,
      [
        account(pool.address, CPMM, state, RENT),
        account(observation, CPMM, cpmmObservationData(pool.address), 2n * RENT),
        account(lpMint, TOKEN, mintData(LP_DECIMALS, 0n, authority), RENT),
        tokenAccount(vaults[0], mints[0], authority, reserves[0]),
        tokenAccount(vaults[1], mints[1], authority, reserves[1])
      ]
    ] as const
  })

/** A curve that has sold nothing yet, of a token whose whole supply it holds. */
const makeCurve = (mint: Address, creator: Address, feeRecipient: Address) =>
  Effect.gen(function* () {
    const curve = yield* curveOf({ mint, program: TOKEN }, creator, feeRecipient)
    return [
      curve,
      [
        account(curve.address, CURVE, curveData(CURVE_START, creator), RENT),
        tokenAccount(curve.tokens, mint, curve.address, CURVE_START.supply)
      ]
    ] as const
  })

/** Metaplex's account of a mint's name. */
const makeName = (mint: Address, { name, symbol }: TokenName) =>
  Effect.map(derived(METADATA, "metadata", METADATA, mint), ([metadata]) =>
    account(metadata, METADATA, metadataData(mint, name, symbol), RENT)
  )

/** A mint, and its name. */
const makeMint = (mint: Address, supply: bigint, name: TokenName) =>
  Effect.map(makeName(mint, name), named => [
    account(mint, TOKEN, mintData(DECIMALS, supply), RENT),
    named
  ])

/** The venues' own accounts: their settings, and who gets their fees. */
const makeVenues = (recipient: Address, withdrawer: Address) =>
  Effect.gen(function* () {
    const [config] = yield* derived(CPMM, "amm_config", new Uint8Array(2))
    const [global] = yield* derived(CURVE, "global")
    const [ammGlobal] = yield* derived(AMM, "global_config")
    const curveFees = { recipient, protocol: 95n, creator: 30n }
    const ammFees = { recipient, liquidity: 20n, protocol: 5n, creator: 5n }
    return [
      account(config, CPMM, cpmmConfigData(TRADE_FEE, [120_000n, 40_000n], POOL_FEE), RENT),
      account(global, CURVE, curveGlobalData(curveFees, withdrawer, MIGRATION_FEE), RENT),
      account(ammGlobal, AMM, ammGlobalData(ammFees), RENT),
      account(recipient, SYSTEM, new Uint8Array(0), RENT),
      account(withdrawer, SYSTEM, new Uint8Array(0), RENT),
      tokenAccount(yield* tokenAccountOf(recipient, WSOL), WSOL, recipient, 0n),
      tokenAccount(POOL_FEE_RECEIVER, WSOL, POOL_FEE_RECEIVER, 0n)
    ]
  })

/** A wallet with tokens, and the accounts in which it gets fees of tokens that it launches. */
const makeUser = (seed: string, balances: ReadonlyMap<Address, bigint>) =>
  Effect.gen(function* () {
    const signer = yield* Effect.promise(() => createKeyPairSignerFromPrivateKeyBytes(hashOf(seed)))
    const accounts = new Map<Address, Address>()
    const made = [account(signer.address, SYSTEM, new Uint8Array(0), LAMPORTS_OF_USER)]
    for (const [mint, amount] of balances) {
      const at = yield* tokenAccountOf(signer.address, mint)
      accounts.set(mint, at)
      made.push(tokenAccount(at, mint, signer.address, amount))
    }
    const [curveVault] = yield* derived(CURVE, "creator-vault", signer.address)
    const { vault, tokens } = yield* ammCreatorVault(signer.address)
    made.push(
      account(curveVault, SYSTEM, new Uint8Array(0), RENT),
      tokenAccount(tokens, WSOL, vault, 0n)
    )
    return [{ signer, accounts }, made] as const
  })

export interface GenesisPlan {
  readonly seed: string
  readonly users: number
  /** tokens with pools, and tokens on curves */
  readonly pooled: number
  readonly curves: number
}

/** An address that nobody has a key of, by what it stands for. */
const addressFor = (text: string): Address => address(toBase58(hashOf(text)))

const NAMES: ReadonlyArray<TokenName> = [{ name: "USD Coin", symbol: "USDC" }]

/** Pools that a market begins with: SOL and USDC, and each token against both. */
const poolPlans = (mints: ReadonlyArray<Address>): ReadonlyArray<PoolPlan> => [
  { mints: [WSOL, USDC], reserves: [100_000n * SOL, 15_000_000n * 10n ** 6n] },
  ...mints.flatMap(
    (mint, i): ReadonlyArray<PoolPlan> => [
      { mints: [WSOL, mint], reserves: [1_000n * SOL, BigInt(i + 1) * 10n ** 12n] },
      { mints: [USDC, mint], reserves: [150_000n * 10n ** 6n, BigInt(i + 1) * 10n ** 12n] }
    ]
  )
]

/** What each wallet begins with, by mint. */
const balancesOf = (pooled: ReadonlyArray<Address>, curves: ReadonlyArray<Address>) =>
  new Map<Address, bigint>([
    [WSOL, 10_000n * SOL],
    [USDC, 1_000_000n * 10n ** 6n],
    ...pooled.map(mint => [mint, 10n ** 11n] as const),
    ...curves.map(mint => [mint, 0n] as const)
  ])

/** Makes the market of a seed: the same one whenever it is made. */
export const makeGenesis = ({ seed, users, pooled, curves }: GenesisPlan) =>
  Effect.gen(function* () {
    const pooledMints = Array.from({ length: pooled }, (_, i) => addressFor(`${seed} token ${i}`))
    const curveMints = Array.from({ length: curves }, (_, i) => addressFor(`${seed} curve ${i}`))
    const ours = [USDC, ...pooledMints, ...curveMints]
    const decimals = new Map([[WSOL, 9], ...ours.map(mint => [mint, DECIMALS] as const)] as const)
    const [feeRecipient, withdrawer] = [addressFor(`${seed} fees`), addressFor(`${seed} keeper`)]
    const accounts: Array<EncodedAccount> = yield* makeVenues(feeRecipient, withdrawer)
    // the mint itself is the machine's own
    accounts.push(yield* makeName(WSOL, { name: "Wrapped SOL", symbol: "SOL" }))
    for (const [i, mint] of ours.entries()) {
      const supply = curveMints.includes(mint) ? CURVE_START.supply : 10n ** 18n
      accounts.push(...(yield* makeMint(mint, supply, NAMES[i] ?? tokenName(seed, i))))
    }
    const poolsMade: Array<CpmmPool> = []
    for (const plan of poolPlans(pooledMints)) {
      const [pool, made] = yield* makePool(plan, decimals)
      poolsMade.push(pool)
      accounts.push(...made)
    }
    const usersMade: Array<User> = []
    for (let i = 0; i < users; i++) {
      const balances = balancesOf(pooledMints, curveMints)
      const [user, made] = yield* makeUser(`${seed} user ${i}`, balances)
      usersMade.push(user)
      accounts.push(...made)
    }
    const curvesMade: Array<Curve> = []
    for (const [i, mint] of curveMints.entries()) {
      const creator = usersMade[i % users]?.signer.address ?? feeRecipient
      const [curve, made] = yield* makeCurve(mint, creator, feeRecipient)
      curvesMade.push(curve)
      accounts.push(...made)
    }
    const made: Genesis = {
      ...{ seed, accounts, pools: poolsMade, curves: curvesMade, users: usersMade, decimals },
      ...{ feeRecipient, withdrawer, pooledMints }
    }
    return made
  })
