/** What is asked of endpoints of which one is silent, by a clock that the test moves. */
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { RpcError } from "../../src/platform/rpc-error.ts"
import { StatusBoard } from "../status-board.ts"
import { Asking, retryDefaults } from "./asking.ts"
import { EndpointHealth } from "./endpoint-health.ts"
import { EndpointPool } from "./endpoint-pool.ts"
import { asideOf, waiting } from "./waiting.ts"

interface Node {
  readonly health: EndpointHealth
  /** milliseconds until it answers; null for never */
  takesMs: number | null
}

const answerOf = ({ takesMs, health: { label } }: Node): Effect.Effect<string, RpcError> =>
  takesMs === null ? Effect.never : Effect.delay(Effect.succeed(label), takesMs)

const askingOf = (...takes: ReadonlyArray<number | null>) => {
  const nodes = takes.map((takesMs, at): Node => {
    return { takesMs, health: new EndpointHealth(`node:${at}`) }
  })
  const pool = new EndpointPool(nodes, 1000, retryDefaults.longestMs, new Set())
  const manners = { identify: () => Effect.succeed(null), final: new Set<RpcError["kind"]>() }
  const status = new StatusBoard("solana-rpc", "")
  return { nodes, status, asking: new Asking(pool, status, retryDefaults, manners) }
}

/** What comes of work after so many milliseconds; null where nothing has yet. */
const after = <A, E>(ms: number, work: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work)
    yield* TestClock.adjust(ms)
    const exit = fiber.pollUnsafe()
    if (exit === undefined) yield* Fiber.interrupt(fiber)
    return exit?._tag === "Success" ? exit.value : null
  })

const run = <A, E>(work: Effect.Effect<A, E>) =>
  Effect.runPromise(Effect.provide(work, TestClock.layer()))

it("asks another beside one that is silent, and blames the silent one alone", async () => {
  const { nodes, status, asking } = askingOf(null, 20, 30)
  const ask = asking.persist("getBlock", answerOf)
  await run(
    Effect.gen(function* () {
      expect(yield* after(999, ask)).toBe(null)
      expect(yield* after(1_020, ask)).toBe("node:1")
      // it is the one in use from now on
      expect(yield* after(20, ask)).toBe("node:1")
    })
  )
  expect(nodes.map(({ health }) => [health.problem, health.failures])).toEqual([
    ["node:0 getBlock: no answer in 1020 ms, and node:1 has answered", 1],
    [null, 0],
    [null, 0]
  ])
  expect(status.read()).toMatchObject({ state: "starting", problem: null, retries: 1 })
})

it("waits four times as long as answers take, and blames nobody who is first all the same", async () => {
  const { nodes, asking } = askingOf(1_500, 2_900)
  const ask = asking.persist("getBlock", answerOf)
  await run(
    Effect.gen(function* () {
      // another one was asked after a second, and was later
      expect(yield* after(1_500, ask)).toBe("node:0")
      nodes[0]!.takesMs = 5_900
      expect(yield* after(5_900, ask)).toBe("node:0")
      nodes[0]!.takesMs = null
      expect(yield* after(9_520 + 2_900, ask)).toBe("node:1")
    })
  )
  expect(nodes.map(({ health }) => health.failures)).toEqual([1, 0])
})

it("waits for no second opinion long, and longer for who was slow", async () => {
  const { nodes, asking } = askingOf(10, 300)
  const [, second] = nodes as [Node, Node]
  const once = Effect.map(
    asking.once("getBlock", [second], answerOf),
    told => told?.value ?? "none"
  )
  await run(
    Effect.gen(function* () {
      expect(yield* after(300, once)).toBe("node:1")
      second.takesMs = 1_500
      expect(yield* after(1_200, once)).toBe("none")
      expect(yield* after(1_500, once)).toBe("node:1")
      second.takesMs = null
      for (let i = 0; i < 9; i++) yield* after(20_000, once)
      expect(yield* after(2_735, once)).toBe(null)
      expect(yield* after(2_736, once)).toBe("none")
    })
  )
  expect(nodes.map(({ health }) => [health.problem, health.strikes])).toEqual([
    [null, 0],
    ["node:1 getBlock: no answer in 2736 ms", 11]
  ])
})

it("takes no answer to a comparison for one that the chain can be read", async () => {
  const { status, asking } = askingOf(null, 20)
  const watched = (node: Node) => waiting(status, answerOf(node))
  const head = (node: Node) => Effect.as(watched(node), 7)
  await run(
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const compared = Effect.andThen(Effect.sleep(500), asking.compare(head, 0))
      yield* Effect.forkChild(compared)
      yield* Effect.forkChild(Effect.ignore(asking.persist("getSlot", watched, { isHead: true })))
      yield* TestClock.adjust(800)
      expect(status.read()).toMatchObject({ waitingSinceMs: 5_000 })
      status.retrying("no answer")
      const audit = asking.persist("getBlock", node => Effect.succeed(node.health.label))
      expect(yield* asideOf(audit)).toBe("node:0")
      expect(status.read()).toMatchObject({ state: "retrying", waitingSinceMs: 5_000 })
    })
  )
})

it("takes a question that failed for no end of a silence, and an answer for one", async () => {
  const { status } = askingOf(null)
  const asked = (ms: number, answer: Effect.Effect<void, string>) =>
    Effect.forkChild(Effect.ignore(waiting(status, Effect.andThen(Effect.sleep(ms), answer))))
  const since = (ms: number) =>
    Effect.as(TestClock.adjust(ms), null).pipe(Effect.map(() => status.read().waitingSinceMs))
  await run(
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      yield* asked(9_000, Effect.void)
      expect(yield* since(1_000)).toBe(5_000)
      yield* asked(500, Effect.fail("no answer"))
      const abandoned = yield* asked(5_000, Effect.void)
      expect(yield* since(600)).toBe(5_000)
      yield* Fiber.interrupt(abandoned)
      expect(yield* since(1)).toBe(5_000)
      yield* asked(399, Effect.void)
      expect(yield* since(399)).toBe(7_000)
      expect(yield* since(7_000)).toBeNull()
    })
  )
})

it("takes other answers for no end of a silence on the newest block", async () => {
  const { status, asking } = askingOf(null)
  const silent = (node: Node) => waiting(status, answerOf(node))
  const other = () => waiting(status, Effect.as(Effect.sleep(100), 7))
  const since = () => status.read().waitingSinceMs
  await run(
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      yield* Effect.forkChild(Effect.ignore(asking.persist("getSlot", silent, { isHead: true })))
      yield* TestClock.adjust(2_000)
      expect(since()).toBe(5_000)
      yield* after(100, asking.persist("getBlock", other))
      expect(since()).toBe(5_000)
      yield* Effect.forkChild(Effect.ignore(asking.persist("getBlock", silent)))
      yield* TestClock.adjust(500)
      expect(since()).toBe(5_000)
      yield* after(100, asking.persist("getSlot", other, { isHead: true }))
      expect(since()).toBe(7_700)
    })
  )
})

it("names who is silent when compared, and blames nobody for silence that has passed", async () => {
  const { nodes, asking } = askingOf(20, 20)
  const [first, second] = nodes as [Node, Node]
  const told = { kind: "timeout", endpoint: "node:1", method: "getSlot", message: "late" } as const
  const head = (node: Node) =>
    node === second
      ? Effect.delay(Effect.fail(new RpcError(told)), 20_000)
      : Effect.as(answerOf(node), 7)
  const problems = () => nodes.map(({ health }) => [health.problem, health.failures])
  await run(
    Effect.gen(function* () {
      yield* Effect.forkChild(asking.compare(head, 0))
      yield* TestClock.adjust(1_999)
      expect(problems()).toEqual([
        [null, 0],
        [null, 0]
      ])
      yield* TestClock.adjust(1)
      const words = "node:1 has been asked, and has not answered for 2 s"
      expect(problems()).toEqual([
        [null, 0],
        [words, 0]
      ])
      yield* after(20, asking.once("getBlock", [second], answerOf))
      yield* TestClock.adjust(20_000)
      expect(problems()).toEqual([
        [null, 0],
        [null, 0]
      ])
      // nobody has heard of it since it was asked again
      yield* after(40_000, asking.compare(head, 0))
      expect(problems()).toEqual([
        [null, 0],
        ["late", 1]
      ])
    })
  )
  expect(first.health.head).toBe(7)
})
