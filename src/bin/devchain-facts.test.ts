/** What a data folder says of its chains: simulated or real. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readFacts } from "../../engine/log/fact-log.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { base } from "../domain/chains/base.ts"
import { ethereum } from "../domain/chains/ethereum.ts"
import { solana } from "../domain/chains/solana.ts"
import { saySimulated, withDevchainFacts, withDevchainOf } from "./devchain-facts.ts"

const folder = temporaryFolder()
let server: LogServer
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

it("tells simulated chains of a folder, where no source runs, from real ones", async () => {
  for (const key of ["base", "solana"])
    mkdirSync(join(folder.path, "devchain", key), { recursive: true })
  const told = await server.run(
    Effect.forEach([base, solana, ethereum], chain => withDevchainOf(chain, folder.path))
  )
  expect(told.map(({ key, simulated, explorer }) => [key, simulated, explorer])).toEqual([
    ["base", true, undefined],
    ["solana", true, undefined],
    ["ethereum", undefined, ethereum.explorer]
  ])
})

it("is told by the log alone, where no devchain lies beside it", async () => {
  const other = temporaryFolder()
  const known = () => server.run(withDevchainOf(base, other.path))
  expect(await known()).toEqual(base)
  const own = withDevchainFacts(base)
  const factsOf = () => server.run(readFacts(base.key))
  for (const chain of [base, own, own]) {
    await server.run(Effect.flatMap(readFacts(base.key), ({ facts }) => saySimulated(chain, facts)))
  }
  expect((await factsOf()).facts).toMatchObject([{ kind: "ChainSimulated", network: "base" }])
  expect(await known()).toEqual(own)
  expect(own.routers.length).toBeGreaterThan(base.routers.length)
  other.remove()
})
