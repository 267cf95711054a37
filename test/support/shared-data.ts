import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"

const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The folder of real chain data beside the repository; it may be missing. */
export const sharedData: string = join(dirname(repositoryRoot), "shared", "data")

/** Which of these paths, relative to the data folder, do not exist. */
export const missingData = (paths: ReadonlyArray<string>): Array<string> =>
  paths.filter(path => !existsSync(join(sharedData, path)))

/**
 * A `describe` for tests that read real chain data. Where the data is missing the tests are
 * skipped, and a printed line says so.
 *
 * @param paths what the tests read, relative to the data folder
 */
export const describeWithSharedData = (
  name: string,
  paths: ReadonlyArray<string>,
  body: () => void
): void => {
  const missing = missingData(paths)
  if (missing.length === 0) {
    describe(name, body)
    return
  }
  console.log(`skipped: ${name}: ../shared/data lacks ${missing.join(", ")}`)
  // the body itself may read the data
  describe.skip(name, () => {
    it("needs ../shared/data", () => {})
  })
}
