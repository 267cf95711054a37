/** The programs of the simulated chain. */
import type { Address } from "@solana/kit"
import { AMM, CPMM, CURVE } from "./addresses.ts"
import file from "./programs.json" with { type: "json" }

/** Shared objects by the addresses at which they stand. */
export type Programs = ReadonlyMap<Address, Uint8Array>

const bytesOf = ({ elf }: { readonly elf: string }) => Buffer.from(elf, "base64")

export const OUR_PROGRAMS: Programs = new Map<Address, Uint8Array>([
  [CPMM, bytesOf(file.programs.cpmm)],
  [CURVE, bytesOf(file.programs.curve)],
  [AMM, bytesOf(file.programs.amm)]
])
