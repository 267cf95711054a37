/** Addresses of the simulated Solana: programs of the real one, and what is derived of them. */
import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit"
import { Effect } from "effect"

export const SYSTEM = address("11111111111111111111111111111111")
export const TOKEN = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
export const TOKEN_2022 = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
export const COMPUTE_BUDGET = address("ComputeBudget111111111111111111111111111111")
/** Opens accounts of tokens whose addresses follow from owner and mint. */
export const ASSOCIATED = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
export const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
export const RENT_SYSVAR = address("SysvarRent111111111111111111111111111111111")
/** Metaplex's program, which owns the names of mints that do not hold their own. */
export const METADATA = address("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s")
export const WSOL = address("So11111111111111111111111111111111111111112")
/** The mint of USDC, which the simulated chain has at its real address. */
export const USDC = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")
export const CPMM = address("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C")
export const CURVE = address("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P")
export const AMM = address("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA")
/** The program that pump.fun's `create_v2` lists for tokens of a kind that is not spoken here. */
export const MAYHEM = address("MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e")
/** Where Raydium CPMM sends what a new pool costs, in wrapped SOL. */
export const POOL_FEE_RECEIVER = address("DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8")

const bytesOf = getAddressEncoder()

type Seed = string | Address | Uint8Array

/** Short texts are seeds as they are; addresses stand for their bytes. */
const isAddress = (seed: string): boolean => seed.length > 31

/** The address that a program derives of seeds, and its bump. */
export const derived = (program: Address, ...seeds: ReadonlyArray<Seed>) =>
  Effect.promise(() =>
    getProgramDerivedAddress({
      programAddress: program,
      seeds: seeds.map(seed =>
        typeof seed === "string" && isAddress(seed) ? bytesOf.encode(seed as Address) : seed
      )
    })
  )

/** The account of an owner for a mint of a token program. */
export const tokenAccountOf = (owner: Address, mint: Address, program: Address = TOKEN) =>
  Effect.map(derived(ASSOCIATED, owner, program, mint), ([account]) => account)
