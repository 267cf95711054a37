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
import { toBase58 } from "../../../src/domain/chains/base58.ts"
import { keccak256 } from "../../../src/platform/keccak.ts"
import {
  CURVE_START,
  cpmmConfigData,
  cpmmPoolData,
  curveData,
  curveGlobalData,
  mintData,
  TOKEN_ACCOUNT_RENT,
  tokenData
} from "./account-data.ts"
import { CPMM, CURVE, derived, SYSTEM, TOKEN, tokenAccountOf, USDC, WSOL } from "./addresses.ts"
import type { CpmmPool, Curve } from "./swap-instructions.ts"

const SOL = 1_000_000_000n
/** Rent of any account of a program here, and more. */
const RENT = 20_000_000n
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

/** A constant-product pool with its vaults, and the accounts that it needs. */
const makePool = ({ mints, reserves }: PoolPlan, decimals: ReadonlyMap<Address, number>) =>
  Effect.gen(function* () {
    const [config] = yield* derived(CPMM, "amm_config", new Uint8Array(2))
    const [pool] = yield* derived(CPMM, "pool", config, ...mints)
    const [authority, authorityBump] = yield* derived(CPMM, "vault_and_lp_mint_auth_seed")
    const [observation] = yield* derived(CPMM, "observation", pool)
    const [first] = yield* derived(CPMM, "pool_vault", pool, mints[0])
    const [second] = yield* derived(CPMM, "pool_vault", pool, mints[1])
    const vaults = [first, second] as const
    const state = cpmmPoolData({
      ...{ config, vaults, mints, observation, authorityBump, tokenProgram: TOKEN },
      decimals: [decimals.get(mints[0]) ?? 0, decimals.get(mints[1]) ?? 0]
    })
    return [
      { address: pool, config, authority, observation, mints, vaults },
      [
        account(pool, CPMM, state, RENT),
        account(observation, CPMM, new Uint8Array(8), RENT),
        tokenAccount(first, mints[0], authority, reserves[0]),
        tokenAccount(second, mints[1], authority, reserves[1])
      ]
    ] as const
  })

/** A curve that has sold nothing yet, of a token whose whole supply it holds. */
const makeCurve = (mint: Address, creator: Address, feeRecipient: Address) =>
  Effect.gen(function* () {
    const [global] = yield* derived(CURVE, "global")
    const [curve] = yield* derived(CURVE, "bonding-curve", mint)
    const [eventAuthority] = yield* derived(CURVE, "__event_authority")
    const [creatorVault] = yield* derived(CURVE, "creator-vault", creator)
    const tokens = yield* tokenAccountOf(curve, mint)
    return [
      { address: curve, mint, tokens, creatorVault, global, feeRecipient, eventAuthority },
      [
        account(curve, CURVE, curveData(CURVE_START, creator), RENT),
        account(creatorVault, SYSTEM, new Uint8Array(0), RENT),
        tokenAccount(tokens, mint, curve, CURVE_START.supply)
      ]
    ] as const
  })

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

const DECIMALS = 6

/** Makes the market of a seed: the same one whenever it is made. */
export const makeGenesis = ({ seed, users, pooled, curves }: GenesisPlan) =>
  Effect.gen(function* () {
    const pooledMints = Array.from({ length: pooled }, (_, i) => addressFor(`${seed} token ${i}`))
    const curveMints = Array.from({ length: curves }, (_, i) => addressFor(`${seed} curve ${i}`))
    const decimals = new Map<Address, number>([
      [WSOL, 9],
      ...[USDC, ...pooledMints, ...curveMints].map(mint => [mint, DECIMALS] as const)
    ])
    const accounts: Array<EncodedAccount> = []
    const plans: ReadonlyArray<PoolPlan> = [
      { mints: [WSOL, USDC], reserves: [100_000n * SOL, 15_000_000n * 10n ** 6n] },
      ...pooledMints.flatMap(
        (mint, i): ReadonlyArray<PoolPlan> => [
          { mints: [WSOL, mint], reserves: [1_000n * SOL, BigInt(i + 1) * 10n ** 12n] },
          { mints: [USDC, mint], reserves: [150_000n * 10n ** 6n, BigInt(i + 1) * 10n ** 12n] }
        ]
      )
    ]
    const recipient = addressFor(`${seed} fees`)
    const [config] = yield* derived(CPMM, "amm_config", new Uint8Array(2))
    const [global] = yield* derived(CURVE, "global")
    accounts.push(
      account(config, CPMM, cpmmConfigData(TRADE_FEE, 120_000n, 40_000n), RENT),
      account(global, CURVE, curveGlobalData(recipient, 95n, 30n), RENT),
      account(recipient, SYSTEM, new Uint8Array(0), RENT)
    )
    for (const mint of [USDC, ...pooledMints])
      accounts.push(account(mint, TOKEN, mintData(DECIMALS, 10n ** 18n), RENT))
    for (const mint of curveMints)
      accounts.push(account(mint, TOKEN, mintData(DECIMALS, CURVE_START.supply), RENT))
    const pools: Array<CpmmPool> = []
    for (const plan of plans) {
      const [pool, made] = yield* makePool(plan, decimals)
      pools.push(pool)
      accounts.push(...made)
    }
    const curvesMade: Array<Curve> = []
    for (const [i, mint] of curveMints.entries()) {
      const [curve, made] = yield* makeCurve(mint, addressFor(`${seed} creator ${i}`), recipient)
      curvesMade.push(curve)
      accounts.push(...made)
    }
    const balances = new Map<Address, bigint>([
      [WSOL, 10_000n * SOL],
      [USDC, 1_000_000n * 10n ** 6n],
      ...pooledMints.map(mint => [mint, 10n ** 11n] as const),
      ...curveMints.map(mint => [mint, 0n] as const)
    ])
    const usersMade: Array<User> = []
    for (let i = 0; i < users; i++) {
      const [user, made] = yield* makeUser(`${seed} user ${i}`, balances)
      usersMade.push(user)
      accounts.push(...made)
    }
    return { accounts, pools, curves: curvesMade, users: usersMade, decimals }
  })
