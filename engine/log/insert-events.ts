/** Events put among those of a block, each in its place. */
import type { Event } from "../../streams/event.ts"

const isLog = ({ tx }: Event): boolean => tx !== null

/** Facts that stand before the block's logs. */
const beginsBlock = ({ kind }: Event): boolean => kind === "TokenPinned" || kind === "TokenUnpinned"

/** Facts that stand behind the block's logs. */
const endsBlock = ({ kind }: Event): boolean => kind === "BlockSealed"

/**
 * The events of a block with some more of the same block: logs by their index, each place once and
 * the base's word before theirs; a pin before everything, other facts before the seal.
 */
export const insertEvents = (
  base: ReadonlyArray<Event>,
  more: ReadonlyArray<Event>
): ReadonlyArray<Event> => {
  const block = base[0]?.block
  if (block === undefined) return more
  const taken = new Set(base.filter(isLog).map(({ logIndex }) => logIndex))
  const news = more.map((event): Event => ({ ...event, block }))
  const logs = news.filter(event => isLog(event) && !taken.has(event.logIndex))
  const pins = news.filter(beginsBlock)
  const facts = news.filter(event => !isLog(event) && !beginsBlock(event))
  const out: Array<Event> = [...pins]
  let at = 0
  const upTo = (logIndex: number) => {
    while (at < logs.length && (logs[at] as Event).logIndex < logIndex)
      out.push(logs[at++] as Event)
  }
  let sealed = false
  for (const event of base) {
    if (isLog(event)) upTo(event.logIndex)
    else if (endsBlock(event)) {
      upTo(Number.POSITIVE_INFINITY)
      out.push(...facts)
      sealed = true
    }
    out.push(event)
  }
  upTo(Number.POSITIVE_INFINITY)
  if (!sealed) out.push(...facts)
  return out
}
