/** The query for graduated launches: tokens whose first pool the log shows being made. */

import { type FoldsView, memoryQuery } from "../../../engine/query.ts"
import { withUnknown } from "../../../projections/coverage/covered-time.ts"
import { accountIn, launcherIn } from "../../../projections/launches/launcher-in.ts"
import { type Launches, launchesOutput } from "../../../projections/launches/tables.ts"
import { pools } from "../../../projections/pools/output.ts"
import { liquidityOf } from "../../../projections/prices/liquidity.ts"
import { idsOf } from "../../../src/domain/ids.ts"
import { topOf } from "../../../src/math/top.ts"
import { graduationRule } from "../../../src/rules/graduation.ts"
import { TokenView, tokenRows } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"
import { graduationOf } from "./graduation.ts"
import { launcherNames } from "./launcher-names.ts"

/** A launch's place in the order of answers: flagged launches last, then newest first. */
type Place = readonly [flagged: number, block: number, logIndex: number, place: number]

const comparePlaces = (a: Place, b: Place): number =>
  a[0] - b[0] || b[1] - a[1] || b[2] - a[2] || b[3] - a[3]

const parsePlace = (cursor: string): Place => cursor.split(":").map(Number) as unknown as Place

/** Returns a pool's making as answers show it. */
const makingOf = (context: FoldsView, { makings }: Launches, making: number) => {
  const { columns, idText } = context.output(pools)
  const c = makings.columns
  const pool = c.pool[making] as number
  return {
    pool: idText(pool),
    dex: columns().venue[pool] ?? null,
    block: c.block[making] as number,
    ts: c.ts[making] as number,
    logIndex: c.log_index[making] as number
  }
}

/**
 * Returns a page of graduated launches, newest first, flagged tokens last. The page begins after
 * the launch that `cursor` names, so launches that come meanwhile do not shift it.
 */
export const graduated = memoryQuery(
  "graduated",
  (context, params: { readonly limit: number; readonly cursor: string | null }) => {
    const tables = context.output(launchesOutput)
    const view = new TokenView(context, windowOf(context))
    const { isGraduated } = graduationOf(context)
    const { token, place, first, listed } = tables.launches.columns
    const { block, log_index, launcher, wallet, contract } = tables.makings.columns
    const after = params.cursor === null ? null : parsePlace(params.cursor)
    const places = new Map<number, Place>()
    let total = 0
    for (let launch = 0; launch < tables.launches.count; launch++) {
      if (!isGraduated(launch)) continue
      total++
      const making = first[launch] as number
      const at: Place = [
        view.isFlagged(token[launch] as number) ? 1 : 0,
        block[making] as number,
        log_index[making] as number,
        place[launch] as number
      ]
      if (after === null || comparePlaces(at, after) > 0) places.set(launch, at)
    }
    const placeOf = (launch: number): Place => places.get(launch) as Place
    const { limit } = params
    const shown = topOf([...places.keys()], limit, (a, b) => comparePlaces(placeOf(a), placeOf(b)))
    const last = shown.at(-1)
    const names = launcherNames(context.chain)
    const form = idsOf(context.chain)
    const tokenIds = shown.map(launch => token[launch] as number)
    const rows = tokenRows(context, view, tokenIds)
    return withUnknown(context, view.window.since, {
      sinceHour: view.window.since,
      rule: graduationRule,
      tokens: rows.map((row, i) => {
        const launch = shown[i] as number
        const making = first[launch] as number
        return {
          ...row,
          liquidityUsd: liquidityOf(context, token[launch] as number),
          launch: makingOf(context, tables, making),
          listing: makingOf(context, tables, listed[launch] as number),
          launcher: launcherIn(form, tables, names, launcher[making] as number),
          wallet: accountIn(form, wallet, making),
          contract: accountIn(form, contract, making)
        }
      }),
      nextCursor:
        last === undefined || places.size === shown.length ? null : placeOf(last).join(":"),
      total
    })
  }
)
