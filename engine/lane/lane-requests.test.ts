import { Effect, Fiber, Result } from "effect"
import { afterEach, expect, it, vi } from "vitest"
import { LaneRequests, MAX_QUERIES } from "./lane-requests.ts"
import type { ToLane } from "./messages.ts"

afterEach(() => {
  vi.useRealTimers()
})

const request = (page: number) => ({ name: "trades", params: { page } })

it("refuses queries beyond its bound at once, but shares what is under way", () =>
  Effect.gen(function* () {
    const posted: Array<ToLane> = []
    const worker = { post: (message: ToLane) => void posted.push(message), onMessage: () => {} }
    const requests = new LaneRequests("base", () => worker as never)
    const ask = (page: number) => Effect.forkChild(Effect.result(requests.query(request(page))))
    const waiting = []
    for (let page = 0; page < MAX_QUERIES; page++) waiting.push(yield* ask(page))
    const shared = yield* ask(7)
    while (posted.length < MAX_QUERIES) yield* Effect.yieldNow
    const refused = yield* Effect.result(requests.query(request(-1)))
    expect(posted.length).toBe(MAX_QUERIES)
    expect(Result.isFailure(refused) && refused.failure.message).toBe(
      `lane base is busy: ${MAX_QUERIES} queries wait, try again`
    )
    for (const message of posted) {
      if (message.type !== "query") continue
      const seq = Number(message.request.params["page"])
      const answer = { ok: true, seq, body: new Uint8Array() } as const
      requests.settle({ type: "answer", id: message.id, answer })
    }
    const answers = yield* Effect.forEach([...waiting, shared], Fiber.join)
    expect(answers.map(answer => Result.isSuccess(answer) && answer.success.seq)).toEqual([
      ...Array.from({ length: MAX_QUERIES }, (_, page) => page),
      7
    ])
    // room again
    const last = yield* ask(-1)
    while (posted.length === MAX_QUERIES) yield* Effect.yieldNow
    expect(posted.length).toBe(MAX_QUERIES + 1)
    yield* Fiber.interrupt(last)
  }).pipe(Effect.scoped, Effect.runPromise))

it("fails at once while there is no worker, and with what became of one", () =>
  Effect.gen(function* () {
    const posted: Array<ToLane> = []
    let worker: object | null = null
    const requests = new LaneRequests("base", () => worker as never)
    const messageOf = (page: number) =>
      Effect.map(Effect.flip(requests.query(request(page))), ({ message }) => message)
    expect(yield* messageOf(1)).toBe("lane base is being restarted")
    worker = { post: (message: ToLane) => void posted.push(message) }
    const first = yield* Effect.forkChild(messageOf(1))
    const second = yield* Effect.forkChild(messageOf(1))
    while (posted.length === 0) yield* Effect.yieldNow
    expect(requests.waiting).toBe(1)
    // who shares an answer does not lose it with whoever asked first
    yield* Fiber.interrupt(first)
    yield* Effect.yieldNow
    requests.failAll("the lane's thread ended")
    expect(yield* Fiber.join(second)).toBe("the lane's thread ended")
    expect([posted.length, requests.waiting]).toEqual([1, 0])
  }).pipe(Effect.scoped, Effect.runPromise))

it("refuses who has waited for ten seconds, and nobody else", async () => {
  vi.useFakeTimers()
  const worker = { post: () => {} }
  const requests = new LaneRequests("base", () => worker as never)
  const messages: Array<string> = []
  const ask = (page: number) => {
    const asked = Effect.map(Effect.flip(requests.query(request(page))), ({ message }) => message)
    Effect.runFork(Effect.map(asked, message => void messages.push(`${page}: ${message}`)))
  }
  ask(1)
  await vi.advanceTimersByTimeAsync(5_000)
  ask(2)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(messages).toEqual([])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(messages).toEqual(["1: lane base did not answer in 10 seconds"])
  expect(requests.waiting).toBe(1)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(messages.slice(1)).toEqual(["2: lane base did not answer in 10 seconds"])
  // nobody waits: nothing is looked at any more, until somebody does
  expect(requests.isLooking).toBe(false)
  ask(3)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(messages.slice(2)).toEqual(["3: lane base did not answer in 10 seconds"])
})
