/** Yesterday's wallets of totals: a number only where the log covers that day. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import type { Event } from "../../../streams/event.ts"
import { opening, openSmallLane, sale, sealed, undo } from "../../../test/support/small-lane.ts"

const DAY = 86_400
/** 03:00:00 of a Tuesday. A block's number is its time, so the log does not begin with the chain. */
const START = 1_699_930_800
const MIDNIGHT = START - (START % DAY)
const WALLET = `0x${"71".repeat(20)}`

/** A sale at this second of a day, whose sender is named. */
const trade = (day: number, second: number): Event => {
  const event = sale(MIDNIGHT + day * DAY + second, 1, 2_000_000)
  return { ...event, recipient: WALLET, tx: { ...event.tx, from: WALLET } } as Event
}

const sealedAt = (day: number, second: number): Event => sealed(MIDNIGHT + day * DAY + second)

/** What the log says at the noon of a day of the blocks between two seconds of another. */
const said = (kind: "GapFound" | "GapFilled", day: number, of: number, from: number, to: number) =>
  ({
    ...sealedAt(day, 43_200),
    ...{ kind, reason: "unproven" },
    ...{ fromBlock: MIDNIGHT + of * DAY + from, toBlock: MIDNIGHT + of * DAY + to }
  }) as unknown as Event

it("are null before the log's start and in a gap, and 0 where nobody traded", () =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    const seqs: Array<number> = []
    const after = (...events: ReadonlyArray<Event>) =>
      Effect.gen(function* () {
        seqs.push(yield* lane.commit(events))
        const { wallets } = yield* lane.ask("overview", { days: 14, own: false, stale: false })
        return [(wallets.day - MIDNIGHT) / DAY, wallets.today, wallets.yesterday]
      })
    expect(yield* after(...opening(START), trade(0, 11_000), sealedAt(0, 11_000))).toEqual([
      ...[0, 1, null]
    ])
    // of its first day the log lacks three hours
    expect(yield* after(trade(1, 5), sealedAt(1, 5))).toEqual([1, 1, null])
    expect(yield* after(trade(2, 5), sealedAt(2, 5))).toEqual([2, 1, 1])
    expect(yield* after(sealedAt(3, 5))).toEqual([3, 0, 1])
    expect(yield* after(sealedAt(4, 5))).toEqual([4, 0, 0])
    expect(yield* after(trade(4, 100), sealedAt(4, 100))).toEqual([4, 1, 0])
    expect(yield* after(sealedAt(4, 900), sealedAt(5, 5))).toEqual([5, 0, 1])
    const found = said("GapFound", 5, 4, 200, 300)
    expect(yield* after(found, sealedAt(5, 43_200))).toEqual([5, 0, null])
    expect(yield* after(sealedAt(5, 43_300))).toEqual([5, 0, null])
    // the day after it is whole
    expect(yield* after(sealedAt(6, 5))).toEqual([6, 0, 0])
    const forked = MIDNIGHT + 5 * DAY + 43_400
    expect(yield* after(undo(forked, seqs[8] as number), sealed(forked))).toEqual([5, 0, null])
    const filled = { ...said("GapFilled", 5, 4, 200, 300), block: sealed(forked + 5).block }
    expect(yield* after(filled as Event, sealed(forked + 5))).toEqual([5, 0, 1])
  }).pipe(Effect.scoped, Effect.runPromise))
