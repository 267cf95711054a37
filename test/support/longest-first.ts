/**
 * The order of test files: those with a process of their own, then those that share two. Vitest
 * ends a shared process where the next file is not to share it, so they must not be mixed. Of both
 * those that take long come first, so that none of them runs on alone at the end. Vitest orders by
 * the last run's times, which a fresh checkout has not.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Ten seconds and more, longest first; two run side by side. */
const long: ReadonlyArray<string> = [
  "test/e2e/kills.test.ts",
  "test/e2e/damage.test.ts",
  "test/e2e/devchain.test.ts",
  "test/e2e/faults.test.ts",
  "bench/run.test.ts",
  "test/e2e/shutdown.test.ts",
  "api/web/page-events.test.ts",
  "streams/sources/devchain/devchain-life.test.ts",
  "engine/runner/lane-core.test.ts",
  "test/e2e/replay.test.ts",
  "test/e2e/reorgs.test.ts",
  "test/laws/venue.laws.test.ts",
  "api/web/page.test.ts",
  "test/late/pins.test.ts",
  "test/late/backfill.test.ts",
  "test/e2e/history.test.ts",
  "projections/prices/late-decimals.test.ts",
  "streams/sources/evm-rpc/faults.test.ts",
  "streams/sources/evm-rpc/source.test.ts"
]

const shared = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1)

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = long.findIndex(path => moduleId.endsWith(`/${path}`))
  return place < 0 ? long.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => shared(a) - shared(b) || placeOf(a) - placeOf(b))
  }
}
