/**
 * The order of test files within each of the two projects (`vitest.config.ts`): those that take
 * long come first, so that none of them runs on alone at the end. Vitest orders by the last run's
 * times, which a fresh checkout has not.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Eight seconds and more, longest first; some run side by side. */
const long: ReadonlyArray<string> = [
  "test/sim/chaos/chaos.test.ts",
  "test/e2e/damage.test.ts",
  "test/e2e/devchain.test.ts",
  "api/web/page-events.test.ts",
  "test/e2e/faults.test.ts",
  "test/e2e/mend.test.ts",
  "bench/run.test.ts",
  "test/e2e/replay.test.ts",
  "test/e2e/shutdown.test.ts",
  "test/e2e/kills.test.ts",
  "test/e2e/troubles.test.ts",
  "api/web/page.test.ts",
  "test/e2e/reorgs.test.ts",
  "test/e2e/history.test.ts",
  "test/e2e/replay-pins.test.ts",
  "test/e2e/serve.test.ts",
  "test/e2e/deep-reorgs.test.ts",
  "test/e2e/replay-again.test.ts",
  "src/bin/command-lines.test.ts",
  "streams/sources/evm-rpc/pruned-node.test.ts",
  "test/laws/late-changes.laws.test.ts",
  "streams/sources/devchain/devchain-life.test.ts",
  "engine/lane/lane-host.test.ts",
  "test/late/backfill.test.ts",
  "test/late/pins.test.ts",
  "engine/runner/lane-core.test.ts",
  "test/laws/routes.laws.test.ts",
  "streams/sources/evm-rpc/faults.test.ts",
  "projections/candles/fold.test.ts"
]

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = long.findIndex(path => moduleId.endsWith(`/${path}`))
  return place < 0 ? long.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
