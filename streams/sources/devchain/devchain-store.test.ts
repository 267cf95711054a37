/** What a devchain's folder says of damaged files. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import { afterAll, expect, it } from "vitest"
import { temporaryFolder } from "../../../test/support/nats.ts"
import { type DevchainStore, openDevchainStore, type StoreError } from "./devchain-store.ts"

const temporary = temporaryFolder()
afterAll(() => temporary.remove())

const opened = (name: string) =>
  openDevchainStore({
    ...{ folder: join(temporary.path, name), seed: "damage" },
    ...{ genesisTimeSeconds: 1_700_000_000, keepBlocks: 10 }
  })

/** What is said where a chain that had a snapshot and a journal is opened again and read. */
const refusal = (
  name: string,
  damage: (folder: string) => void,
  read: (store: DevchainStore) => Effect.Effect<unknown, StoreError>
) =>
  Effect.gen(function* () {
    const store = yield* opened(name)
    yield* store.snapshot(7, 0, gzipSync('{"blocks":[]}'))
    yield* store.append({ number: 8, time: 1_700_000_008, branch: 0 })
    yield* store.append({ number: 9, time: 1_700_000_009, branch: 0 })
    damage(store.folder)
    const error = yield* Effect.flip(Effect.flatMap(opened(name), read))
    return error.message.replaceAll(store.folder, "DIR")
  })

it("names the file that is damaged and says what to do", () =>
  Effect.gen(function* () {
    const cure = ": put a copy of that file back, or start with an empty data folder"
    const cut = (name: string) => (folder: string) => {
      const path = join(folder, name)
      const bytes = readFileSync(path)
      writeFileSync(path, bytes.subarray(0, bytes.length / 2))
    }
    const meta = yield* refusal("meta", cut("meta.json"), () => Effect.void)
    expect(meta).toMatch(/^DIR\/meta\.json is damaged \(.*\)/s)
    expect(meta.endsWith(cure)).toBe(true)
    const state = yield* refusal("state", cut("state-7.json.gz"), store => store.loadState)
    expect(state).toBe(`unzip DIR/state-7.json.gz: unexpected end of file${cure}`)
    const line = (folder: string) => appendFileSync(join(folder, "journal-7.log"), "8 x 0\n")
    const journal = yield* refusal("journal", line, store => store.journal)
    expect(journal).toBe(`line 3 of DIR/journal-7.log is damaged${cure}`)
  }).pipe(Effect.runPromise))
