/** Forks through the whole engine while it runs and while it is down: it ends in the final chain. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { startEngine } from "../support/engine.ts"
import { differenceFrom, logOf } from "../support/engine-log.ts"
import { differences, laneAnswers } from "../support/engine-world.ts"
import { FORKS_PATIENCE_MS, ForkedEngine } from "../support/forked-engine.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"
import { isLong } from "../support/rounds.ts"

let forked: ForkedEngine
oneAfterTheOther()

beforeAll(async () => {
  forked = await ForkedEngine.open()
})
afterAll(() => forked?.close())

it(
  "takes up forks that came while it was down, and a reader that resumes with it",
  async () => {
    const { reader, tokens } = forked
    const undos = () => reader.undos({ channel: "trades", token: tokens[0] ?? "" })
    await forked.forks()
    await forked.settled()
    const before = undos()
    reader.disconnect()
    expect(await forked.engine.stop()).toEqual({ code: 130, signal: null })
    forked.fork(30)
    forked.fork(12)
    await forked.start()
    forked.fork(2)
    await forked.caughtUp()
    const { held, told } = await forked.settled()
    expect(reader.faults).toEqual([])
    expect(held).toEqual(told)
    expect(undos()).toBeGreaterThan(before)
  },
  FORKS_PATIENCE_MS
)

/** Another engine, which saw the final chain only; it is asked in the long run. */
const expectAnswersOfAnother = async () => {
  const { engine, world } = forked
  const folder = temporaryFolder()
  const fresh = await startEngine({ dataDir: folder.path, rpc: world.endpoints })
  try {
    await fresh.reaches("base", world.chain.head.number)
    const [one, other] = [await laneAnswers(engine, world), await laneAnswers(fresh, world)]
    expect(differences(one, other)).toEqual([])
  } finally {
    await fresh.stop()
    folder.remove()
  }
}

it("ends as an engine that saw the final chain only", async () => {
  const { engine, world, folder } = forked
  await engine.alive("the count", async () => (await engine.lane("base")).rollbacks > 0)
  if (isLong) await expectAnswersOfAnother()
  await engine.stop()
  // its log is the final chain's, and its tables the log's
  const events = await logOf(folder.path, "base")
  expect(differenceFrom(world.chain, events)).toBeNull()
  // the forks after which it was waited for; of the others some may have come at once
  expect(events.filter(({ kind }) => kind === "Rollback").length).toBeGreaterThanOrEqual(3)
  const verified = await runCommand("verify", ["--data", folder.path])
  expect(verified.output).toContain("verified: log and tables agree")
  expect(verified.code).toBe(0)
})
