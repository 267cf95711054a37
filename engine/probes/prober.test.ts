import { Effect, Fiber, Schedule } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { JetStream } from "../../src/platform/jetstream.ts"
import { emptyStream } from "../../test/support/emptied-stream.ts"
import { type LocalAnswer, type LocalServer, localServer } from "../../test/support/local-http.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { appendProbes, followProbes } from "./probe-log.ts"
import { probe } from "./prober.ts"

let log: LogServer
beforeAll(async () => {
  log = await startLogServer()
})
afterAll(() => log.stop())

const chains = (ok: boolean): LocalAnswer => ({ body: { chains: [{ chain: "base", ok }] } })

/** What a service answers, one after the other; the last again and again. */
const service = (answers: ReadonlyArray<LocalAnswer>): Promise<LocalServer> => {
  let asked = 0
  return localServer(() => answers[Math.min(asked++, answers.length - 1)] as LocalAnswer)
}

it("logs what it finds, and at its end what it has not logged yet", async () => {
  const unreadable = { body: "no JSON" }
  const server = await service([chains(true), "silence", unreadable, chains(false)])
  const program = Effect.gen(function* () {
    const book = yield* followProbes
    const prober = yield* Effect.forkChild(probe({ url: server.url, every: 1 }))
    const until = (isThere: () => boolean) =>
      Effect.sync(isThere).pipe(
        Effect.repeat({ until: found => found, schedule: Schedule.spaced("20 millis") })
      )
    const dayOf = () => book.told()?.days.at(-1)
    yield* until(() => server.requests.length === 5)
    yield* Fiber.interrupt(prober)
    yield* until(() => (dayOf()?.measuredS ?? 0) >= 4)
    return dayOf()
  })
  const day = await log.run(Effect.scoped(program))
  await server.close()
  // the fifth probe may have been under way
  const { measuredS = 0 } = day ?? {}
  expect([4, 5]).toContain(measuredS)
  expect(day).toMatchObject({ okS: measuredS - 2, chains: [{ chain: "base", measuredS, okS: 1 }] })
})

it("is followed past what nobody can read, and takes records of several probers", async () => {
  const record = { kind: "ProbesTaken", from: 86_400, to: 86_410, every: 10 } as const
  const counts = { probes: 2, answered: 2, chains: {} }
  const program = Effect.gen(function* () {
    const { publish, stream } = yield* JetStream
    const state = yield* stream("PROBES")
    const expectedLastSeq = state._tag === "Some" ? state.value.lastSeq : 0
    yield* yield* publish({
      ...{ subject: "probes", headers: {}, data: Uint8Array.of(1), messageId: "x" },
      ...{ expectedLastSeq, expectedLastId: null }
    })
    const records = [0, 20, 40].map(s => ({
      ...record,
      ...counts,
      from: 86_400 + s,
      to: 86_410 + s
    }))
    yield* Effect.forEach(records, appendProbes, { concurrency: "unbounded" })
    const book = yield* followProbes
    return yield* Effect.sync(() => book.told()?.days[0]).pipe(
      Effect.repeat({
        until: first => first?.day === 86_400 && first.measuredS === 60,
        schedule: Schedule.spaced("20 millis")
      })
    )
  })
  const first = await log.run(Effect.scoped(program))
  expect(first).toEqual({ day: 86_400, measuredS: 60, okS: 60, chains: [] })
})

it("is read anew where the stream has become shorter", async () => {
  const day = 172_800
  const record = (from: number) => ({
    ...({ kind: "ProbesTaken", from: day + from, to: day + from + 10, every: 10 } as const),
    ...{ probes: 2, answered: 2, chains: {} }
  })
  const program = Effect.gen(function* () {
    const book = yield* followProbes
    const measured = (seconds: number) =>
      Effect.sync(() => book.told()?.days.find(one => one.day === day)?.measuredS).pipe(
        Effect.repeat({ until: found => found === seconds, schedule: Schedule.spaced("20 millis") })
      )
    for (const from of [0, 20]) yield* appendProbes(record(from))
    yield* measured(40)
    yield* Effect.promise(() => emptyStream(log.nats.url, "PROBES"))
    yield* appendProbes(record(0))
    return yield* measured(20)
  })
  expect(await log.run(Effect.scoped(program))).toBe(20)
})
