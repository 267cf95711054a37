/**
 * The commands as most tests run them, and as `npm run` does: bundled once. Without a bundle they
 * are run by `test/lane.test.ts` and a test of `shutdown.test.ts`.
 */
import { join } from "node:path"
import { compile } from "../../scripts/compiled.mjs"

const root = join(import.meta.dirname, "../..")
const pathOf = await compile()

/** What Node is given to run a program of the repository, named by its source. */
export const compiledProgram = (path: string): ReadonlyArray<string> => [pathOf(path)]

/** The same from its source. */
export const sourceProgram = (path: string): ReadonlyArray<string> => [
  "--import",
  "tsx",
  join(root, path)
]
