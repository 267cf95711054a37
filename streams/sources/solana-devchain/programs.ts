/**
 * The programs of the simulated chain: ours, or those of a folder of real ones that stand in their
 * place, each a file `<address>.so`.
 */
import { type Address, isAddress } from "@solana/kit"
import { Effect, Schema } from "effect"
import { LiteSVM } from "litesvm"
import { namesIn, readBytes } from "../../../src/platform/files.ts"
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

/** A folder of programs cannot be used; the message says why, and what to do. */
class ProgramsError extends Schema.TaggedError<ProgramsError>()("ProgramsError", {
  message: Schema.String
}) {}

const refused = (what: string) =>
  new ProgramsError({
    message:
      `SVM_PROGRAMS: ${what}; put each program there as <address>.so, as "solana program dump" ` +
      "writes it, or leave SVM_PROGRAMS away to use the simulated chain's own"
  })

const ENDING = ".so"
/** What every shared object begins with. */
const ELF = Buffer.from("\x7fELF", "latin1")

const readProgram = (folder: string, name: string) =>
  Effect.gen(function* () {
    const address = name.slice(0, -ENDING.length)
    if (!isAddress(address)) return yield* refused(`${name} does not name an address`)
    const elf = yield* readBytes(`${folder}/${name}`).pipe(
      Effect.mapError(({ message }) => refused(message))
    )
    if (!elf.subarray(0, ELF.length).equals(ELF)) return yield* refused(`${name} is no ELF file`)
    // what the machine refuses is found here rather than at the first call
    yield* Effect.try({
      try: () => new LiteSVM().addProgram(address, elf),
      catch: cause => refused(`${name} is refused by the machine (${String(cause)})`)
    })
    return [address, elf] as const
  })

/** Returns our programs, with those of a folder in their place; other files are left alone. */
export const programsOf = (folder: string | null) =>
  Effect.gen(function* () {
    if (folder === null) return OUR_PROGRAMS
    const names = (yield* namesIn(folder)).filter(name => name.endsWith(ENDING))
    if (names.length === 0) return yield* refused(`${folder} has no program that can be read`)
    const read = yield* Effect.forEach(names, name => readProgram(folder, name))
    const programs: Programs = new Map([...OUR_PROGRAMS, ...read])
    return programs
  })
