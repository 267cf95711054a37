/**
 * The commands as most tests run them, and as `npm run` does: bundled once. A lane is
 * run from its sources by the first test of `test/lane.test.ts`.
 */
import { join } from "node:path"
import { compiledFolder, compiledName } from "../../scripts/compiled.mjs"

const folder = await compiledFolder()

/** What Node is given to run a program of the repository, named by its source. */
export const compiledProgram = (path: string): ReadonlyArray<string> => [
  join(folder, compiledName(path))
]
