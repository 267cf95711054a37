/** Raydium AMM v4: constant product, events as `ray_log` lines without pool, user or mints. */
import { u64At } from "../payload.ts"
import type {
  PoolCall,
  PoolEventLayout,
  PoolFacts,
  SolanaVenue,
  SwapCall,
  SwapFacts
} from "../venue.ts"

/** Of 17 or 18 accounts: callers often leave the fifth out, so places count from the end. */
const marketCall = (name: string): SwapCall => ({
  name,
  user: -1,
  hops: [{ pool: 1, vaults: [-13, -12] }]
})

/** Of 8 accounts, since the order book is gone. */
const shortCall = (name: string): SwapCall => ({
  name,
  user: 7,
  hops: [{ pool: 1, vaults: [3, 4] }]
})

const COIN_TO_PC = 2n

/** The amounts stand where the log type has them; reserves are those before, less what is owed. */
const readSwap = (payload: Uint8Array, amountIn: bigint, amountOut: bigint): SwapFacts => {
  const firstIn = u64At(payload, 17) === COIN_TO_PC
  const [coin, pc] = [u64At(payload, 33), u64At(payload, 41)]
  const after = {
    kind: "reserves" as const,
    in: (firstIn ? coin : pc) + amountIn,
    out: (firstIn ? pc : coin) - amountOut
  }
  return { pool: null, firstIn, amountIn, amountOut, after }
}

/** @param at where the reserves ahead of the change stand */
const liquidity = (
  accounts: ReadonlyArray<string>,
  payload: Uint8Array,
  at: number,
  [coin, pc]: readonly [bigint, bigint]
): PoolFacts => ({
  kind: "liquidity",
  pool: accounts[1] ?? null,
  owner: null,
  position: null,
  mints: [null, null],
  amounts: [coin, pc],
  before: [u64At(payload, at), u64At(payload, at + 8)]
})

/** Accounts of `initialize2`: the pool, its mints and who creates it with a deposit. */
const CREATED = { accounts: 21, pool: 4, coin: 8, pc: 9, owner: 17 }

/** Of the first pools, whose instruction lists other accounts, the instruction alone tells. */
const readInit: PoolEventLayout["read"] = (payload, accounts) => {
  const pool = accounts[CREATED.pool]
  if (accounts.length < CREATED.accounts || pool === undefined) return null
  return {
    kind: "created",
    pool,
    mints: [accounts[CREATED.coin] ?? null, accounts[CREATED.pc] ?? null],
    fee: null,
    spacing: null,
    deposit: {
      owner: accounts[CREATED.owner] ?? null,
      amounts: [u64At(payload, 35), u64At(payload, 27)]
    }
  }
}

const creation = (name: string, pool: number, coin: number): PoolCall => ({
  name,
  pool,
  mints: [coin, coin + 1],
  creates: () => ({ fee: null, spacing: null })
})

export const raydiumAmmV4: SolanaVenue = {
  number: 1,
  name: "raydium-amm-v4",
  program: "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8",
  shape: "v2",
  reserves: "price",
  eventAuthority: null,
  tagBytes: 1,
  swapCalls: {
    "09": marketCall("swap_base_in"),
    "0b": marketCall("swap_base_out"),
    "10": shortCall("swap_base_in_v2"),
    "11": shortCall("swap_base_out_v2")
  },
  swapEvents: {
    "03": {
      name: "SwapBaseIn",
      least: 57,
      rank: 0,
      read: payload => readSwap(payload, u64At(payload, 1), u64At(payload, 49))
    },
    "04": {
      name: "SwapBaseOut",
      least: 57,
      rank: 0,
      read: payload => readSwap(payload, u64At(payload, 49), u64At(payload, 9))
    }
  },
  poolEvents: {
    "00": { name: "Init", least: 43, read: readInit },
    "01": {
      name: "Deposit",
      least: 105,
      read: (payload, accounts) =>
        liquidity(accounts, payload, 25, [u64At(payload, 81), u64At(payload, 89)])
    },
    "02": {
      name: "Withdraw",
      least: 89,
      read: (payload, accounts) =>
        liquidity(accounts, payload, 17, [-u64At(payload, 73), -u64At(payload, 81)])
    }
  },
  poolCalls: {
    "00": creation("initialize", 3, 7),
    "01": creation("initialize2", 4, 8),
    "03": { name: "deposit", pool: 1, vaults: [6, 7], owner: 12 },
    // its signer stands at several places, by how many accounts callers list before
    "04": { name: "withdraw", pool: 1, vaults: [6, 7], burns: true }
  }
}
