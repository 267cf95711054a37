/**
 * The commands as most tests run them, and as `npm run` does: bundled once. A lane is
 * run from its sources by the first test of `test/lane.test.ts`.
 */
import { join } from "node:path"
import { compiledFolder, compiledName } from "../../scripts/compiled.mjs"
import { V8_FLAGS } from "./v8-flags.ts"

const folder = await compiledFolder()

/** What Node is given to run a program of the repository, named by its source. */
export const compiledProgram = (path: string): ReadonlyArray<string> => [
  ...V8_FLAGS,
  join(folder, compiledName(path))
]
