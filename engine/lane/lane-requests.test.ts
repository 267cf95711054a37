import { Effect, Fiber, Result } from "effect"
import { expect, it } from "vitest"
import { LaneRequests, MAX_QUERIES } from "./lane-requests.ts"
import type { ToLane } from "./messages.ts"

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
