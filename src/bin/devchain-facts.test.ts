/** What a data folder says of its chains: simulated or real. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { temporaryFolder } from "../../test/support/nats.ts"
import { base } from "../domain/chains/base.ts"
import { ethereum } from "../domain/chains/ethereum.ts"
import { solana } from "../domain/chains/solana.ts"
import { withDevchainOf } from "./devchain-facts.ts"

const folder = temporaryFolder()
afterAll(() => folder.remove())

it("tells simulated chains of a folder, where no source runs, from real ones", async () => {
  for (const key of ["base", "solana"])
    mkdirSync(join(folder.path, "devchain", key), { recursive: true })
  const told = await Effect.runPromise(
    Effect.forEach([base, solana, ethereum], chain => withDevchainOf(chain, folder.path))
  )
  expect(told.map(({ key, simulated, explorer }) => [key, simulated, explorer])).toEqual([
    ["base", true, undefined],
    ["solana", true, undefined],
    ["ethereum", undefined, ethereum.explorer]
  ])
})
