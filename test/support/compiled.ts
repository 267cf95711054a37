/**
 * The commands as most tests run them: bundled once. Through tsx every thread of an engine spends
 * two seconds of CPU on loading a thousand modules, with a bundle a fifth of that, and the tests
 * start an engine a hundred times. The first lane of `test/lane.test.ts`, a test of
 * `shutdown.test.ts` and `.ci/smoke.mjs` run the sources as their user does.
 */
import { join } from "node:path"
import { compiledFolder, compiledName, root } from "./compile.ts"

const folder = await compiledFolder()

/** What Node is given to run a program of the repository, named by its source. */
export const compiledProgram = (path: string): ReadonlyArray<string> => [
  join(folder, compiledName(path))
]

/** The same from its source, as users run it. */
export const sourceProgram = (path: string): ReadonlyArray<string> => [
  "--import",
  "tsx",
  join(root, path)
]
