/**
 * The order of test files: those that take long come first, so that none of them runs on alone at
 * the end. Vitest orders by the last run's times, which a fresh checkout has not.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Twelve seconds and more in a run of all, longest first. */
const long: ReadonlyArray<string> = [
  "test/e2e/page-views.sim.test.ts",
  "test/e2e/swap-panel.sim.test.ts",
  "api/web/page-events.sim.test.ts",
  "test/e2e/shutdown.sim.test.ts",
  "test/e2e/damage.sim.test.ts",
  "test/e2e/mend.sim.test.ts",
  "test/e2e/two-engines.sim.test.ts",
  "test/e2e/disk-full.sim.test.ts",
  "streams/sources/evm-rpc/faults.sim.test.ts",
  "test/late/backfill.sim.test.ts",
  "test/late/pins.sim.test.ts",
  "test/e2e/replay-again.sim.test.ts",
  "test/laws/late-changes.sim.test.ts",
  "test/e2e/mend-side.sim.test.ts",
  "test/e2e/client.sim.test.ts",
  "test/e2e/serve.test.ts",
  "test/e2e/faults.sim.test.ts",
  "engine/runner/lane-core.test.ts",
  "test/laws/venue.laws.test.ts",
  "test/late/words.sim.test.ts",
  "test/devchain-holders.sim.test.ts",
  "test/e2e/devchain.sim.test.ts",
  "streams/sources/devchain/devchain-life.sim.test.ts",
  "test/sim/chaos/chaos.sim.test.ts",
  "test/e2e/kills.sim.test.ts",
  "test/e2e/deep-reorgs.sim.test.ts",
  "test/e2e/troubles.sim.test.ts",
  "test/e2e/reorgs.sim.test.ts",
  "test/e2e/history.sim.test.ts",
  "test/e2e/replay.sim.test.ts",
  "test/e2e/facts.sim.test.ts",
  "test/e2e/scrub.sim.test.ts",
  "test/e2e/trade-midway.sim.test.ts",
  "test/late/lane-holders.sim.test.ts",
  "engine/lane/want-of-room.sim.test.ts",
  "engine/lane/lane-host.test.ts",
  "test/laws/projections.laws.test.ts",
  "projections/prices/price-laws.test.ts",
  "test/laws/routes.laws.test.ts",
  "projections/tape/recent-swaps.test.ts",
  "engine/store/store.test.ts",
  "src/platform/nats-server.test.ts",
  "streams/sources/evm-rpc/source.test.ts",
  "projections/prices/late-decimals.test.ts",
  "test/e2e/meta.sim.test.ts",
  "engine/trade/meta/providers.test.ts",
  "test/e2e/mend-replayed.sim.test.ts",
  "api/web/page.test.ts",
  "test/e2e/replay-pins.sim.test.ts",
  "src/bin/log.test.ts",
  "test/e2e/keys.test.ts",
  "src/bin/trade-router.sim.test.ts",
  "engine/log/rollback.test.ts",
  "test/e2e/trade.sim.test.ts",
  "api/web/hostile-wallets.sim.test.ts",
  "test/lane.test.ts"
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
