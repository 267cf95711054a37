/** The query for launchers: their launches, how many of them trade, and the volume. */

import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { launcherIn } from "../../../projections/launches/launcher-in.ts"
import { type Launches, launchesOutput } from "../../../projections/launches/tables.ts"
import { idsOf } from "../../../src/domain/ids.ts"
import { topOf } from "../../../src/math/top.ts"
import { NONE } from "../../../streams/batch/id-table.ts"
import { TokenView } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"
import { graduationOf } from "./graduation.ts"
import { launcherNames } from "./launcher-names.ts"
import type { LauncherSort } from "./launcher-sorts.ts"

const MICRO = 1e6

/** Sums over a launcher's tokens. */
interface Sum {
  launches: number
  graduated: number
  flagged: number
  trading: number
  /** micro-dollars: dollars would add up to digits that none of them has */
  volume: number
  trades24h: number
  /** slot of its newest launch */
  last: number
}

const emptySum = (launch: number): Sum => ({
  ...{ launches: 0, graduated: 0, flagged: 0, trading: 0, volume: 0, trades24h: 0 },
  last: launch
})

/** Returns the sums by launcher, and the number of launches without a known launcher. */
const summed = (context: FoldsView, view: TokenView, tables: Launches) => {
  const { isLaunch, isGraduated } = graduationOf(context)
  const { token, first } = tables.launches.columns
  const { launcher } = tables.makings.columns
  const { trades } = view.window.ofTokens.columns
  const sums = new Map<number, Sum>()
  let unattributed = 0
  for (let launch = 0; launch < tables.launches.count; launch++) {
    if (!isLaunch(launch)) continue
    const by = launcher[first[launch] as number] as number
    if (by === NONE) {
      unattributed++
      continue
    }
    const sum = sums.get(by) ?? emptySum(launch)
    sums.set(by, sum)
    sum.launches++
    if (isNewer(tables, launch, sum.last)) sum.last = launch
    const tokenId = token[launch] as number
    if (isGraduated(launch)) sum.graduated++
    if ((trades[tokenId] ?? 0) === 0) continue
    sum.trading++
    if (view.isFlagged(tokenId)) sum.flagged++
    else {
      sum.volume += view.volumeMicrosOf(tokenId)
      sum.trades24h += trades[tokenId] as number
    }
  }
  return { sums, unattributed }
}

const isNewer = ({ launches, makings }: Launches, launch: number, other: number): boolean => {
  const { first, place } = launches.columns
  const { block, log_index } = makings.columns
  const [a, b] = [first[launch] as number, first[other] as number]
  const blocks = (block[a] as number) - (block[b] as number)
  const logs = (log_index[a] as number) - (log_index[b] as number)
  const places = (place[launch] as number) - (place[other] as number)
  return (blocks || logs || places) > 0
}

/** What a list is sorted by: a sum, or the block of the newest launch. */
const keyOf = (sort: LauncherSort, { makings, launches }: Launches, sum: Sum): number => {
  if (sort === "volume") return sum.volume
  if (sort !== "last") return sum[sort]
  return makings.columns.block[launches.columns.first[sum.last] as number] as number
}

export type LaunchersParams = {
  readonly sort: LauncherSort
  readonly limit: number
  readonly offset: number
}

/** Returns a page of launchers: largest by the sort first, then by volume, then by first launch. */
export const launchers = memoryQuery("launchers", (context, params: LaunchersParams) => {
  const tables = context.output(launchesOutput)
  const view = new TokenView(context, windowOf(context))
  const { sums, unattributed } = summed(context, view, tables)
  const { sort, limit, offset } = params
  const sumOf = (launcher: number): Sum => sums.get(launcher) as Sum
  const compare = (a: number, b: number): number =>
    keyOf(sort, tables, sumOf(b)) - keyOf(sort, tables, sumOf(a)) ||
    sumOf(b).volume - sumOf(a).volume ||
    a - b
  const all = [...sums.keys()]
  const shown = topOf(all, Math.min(offset + limit, all.length), compare).slice(offset)
  const names = launcherNames(context.chain)
  const form = idsOf(context.chain)
  const { tokens } = view.facts
  const { token, first } = tables.launches.columns
  const { block, ts } = tables.makings.columns
  return withUnknown(context, view.window.since, {
    sinceHour: view.window.since,
    sort,
    offset,
    launchers: shown.map(by => {
      const { last, volume, ...figures } = sumOf(by)
      const making = first[last] as number
      const tokenId = token[last] as number
      return {
        ...launcherIn(form, tables, names, by),
        ...figures,
        volume24h: volume / MICRO,
        lastLaunch: {
          token: tokens.addressOf(tokenId),
          symbol: tokens.columns().symbol[tokenId] ?? null,
          block: block[making] as number,
          ts: ts[making] as number
        }
      }
    }),
    total: all.length,
    unattributed
  })
})
