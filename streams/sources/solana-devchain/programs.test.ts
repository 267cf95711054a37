import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Address } from "@solana/kit"
import { ConfigProvider, Effect, Exit } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { failureOf, landed } from "../../../test/support/solana-bank.ts"
import { AMM, CPMM, CURVE } from "./addresses.ts"
import { Bank } from "./bank.ts"
import { type Genesis, makeGenesis, type User } from "./genesis.ts"
import { startNode } from "./node.ts"
import { OUR_PROGRAMS, programsOf } from "./programs.ts"
import { cpmmSwap } from "./swap-instructions.ts"

let folder: string
let genesis: Genesis

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "programs-"))
  genesis = await Effect.runPromise(makeGenesis({ seed: "p", users: 1, pooled: 0, curves: 0 }))
})
afterAll(() => rmSync(folder, { recursive: true }))

const ours = (address: Address): Uint8Array => OUR_PROGRAMS.get(address) ?? new Uint8Array()

/** A folder of its own, with these files in it. */
const folderOf = (name: string, files: { readonly [file: string]: Uint8Array | string }) => {
  const path = join(folder, name)
  mkdirSync(path)
  for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content)
  return path
}

const swapped = async (programs: ReadonlyMap<Address, Uint8Array>) => {
  const bank = new Bank(genesis, 100, 1_700_000_000, programs)
  const [pool, user] = [genesis.pools[0], genesis.users[0] as User]
  if (pool === undefined) throw new Error("no pool")
  const accounts = pool.mints.map(mint => user.accounts.get(mint)) as [Address, Address]
  const swap = { pool, user: user.signer, accounts, isFirstIn: true, exact: "in" } as const
  await landed(bank, user, cpmmSwap({ ...swap, amount: 10n ** 9n, limit: 1n }))
  return failureOf(bank)
}

it("has ours where no folder is given", async () => {
  const programs = await Effect.runPromise(programsOf(null))
  expect([...programs.keys()]).toEqual([CPMM, CURVE, AMM])
  expect(await swapped(programs)).toBeNull()
})

it("puts a folder's programs in the place of ours, and leaves other files alone", async () => {
  const path = folderOf("others", { [`${CPMM}.so`]: ours(CURVE), "README.md": "programs" })
  const programs = await Effect.runPromise(programsOf(path))
  expect(programs.get(CPMM)).toEqual(ours(CURVE))
  expect(programs.get(AMM)).toBe(ours(AMM))
  // the curve's program knows no such instruction
  expect(await swapped(programs)).toEqual({ InstructionError: [0, "InvalidInstructionData"] })
})

const HINT =
  'put each program there as <address>.so, as "solana program dump" writes it, or leave ' +
  "SVM_PROGRAMS away to use the simulated chain's own"

it.each([
  ["text", { [`${CPMM}.so`]: "no program" }, `${CPMM}.so is no ELF file`],
  ["cut", { [`${CPMM}.so`]: Buffer.from("\x7fELF", "latin1") }, `${CPMM}.so is refused by the`],
  ["named", { "raydium.so": "" }, "raydium.so does not name an address"],
  ["empty", {}, "empty has no program that can be read"]
])("refuses a folder in which a program is none: %s", async (name, files, words) => {
  const failed = await Effect.runPromise(Effect.flip(programsOf(folderOf(name, files))))
  expect(failed._tag).toBe("ProgramsError")
  expect(failed.message).toContain(words)
  expect(failed.message).toMatch(/^SVM_PROGRAMS: /)
  expect(failed.message.endsWith(HINT)).toBe(true)
})

it("says which file cannot be read", async () => {
  const path = folderOf("unreadable", {})
  mkdirSync(join(path, `${AMM}.so`))
  const failed = await Effect.runPromise(Effect.flip(programsOf(path)))
  expect(failed.message).toContain(`SVM_PROGRAMS: read ${path}/${AMM}.so: EISDIR`)
})

it("a node takes the folder of SVM_PROGRAMS", async () => {
  const settings = ConfigProvider.fromUnknown({ SVM_PROGRAMS: folderOf("set", { "x.so": "" }) })
  const plan = { seed: "set", users: 1, pooled: 0, curves: 0, port: 0, slotMs: 400 }
  const exit = await Effect.runPromiseExit(
    startNode(plan).pipe(
      Effect.scoped,
      Effect.provideService(ConfigProvider.ConfigProvider, settings)
    )
  )
  expect(Exit.isFailure(exit) && String(exit.cause)).toContain("x.so does not name an address")
})
