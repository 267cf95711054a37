/** Addresses of the simulated Solana: programs of the real one, and what is derived of them. */
import { type Address, address, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit"
import { Effect } from "effect"

export const SYSTEM = address("11111111111111111111111111111111")
export const TOKEN = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
export const TOKEN_2022 = address("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
export const COMPUTE_BUDGET = address("ComputeBudget111111111111111111111111111111")
const ATA = address("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
export const WSOL = address("So11111111111111111111111111111111111111112")
/** The mint of USDC, which the simulated chain has at its real address. */
export const USDC = address("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v")
export const CPMM = address("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C")
export const CURVE = address("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P")

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

/** The account of an owner for a mint. */
export const tokenAccountOf = (owner: Address, mint: Address) =>
  Effect.map(derived(ATA, owner, TOKEN, mint), ([account]) => account)
