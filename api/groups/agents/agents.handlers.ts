import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { shownChain } from "../../../src/domain/shown-chain.ts"
import type { Tally } from "../../agent-meters.ts"
import { freshText } from "../../answering.ts"
import { Api } from "../../api.ts"
import { ServerCounters } from "../../counters.ts"
import { EngineInfo } from "../../engine-info.ts"
import { tools } from "../../mcp/tools.ts"
import type { AgentStats } from "./agents.api.ts"

const mostFirst = <Row extends Tally>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.toSorted((a, b) => b.calls - a.calls)

const total = (rows: ReadonlyArray<Tally>, of: keyof Tally): number =>
  rows.reduce((sum, row) => sum + row[of], 0)

export const AgentsHandlers = HttpApiBuilder.group(
  Api,
  "agents",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { agents } = yield* ServerCounters
    const { startedAtMs } = yield* EngineInfo
    return handlers.handle("getAgentStats", () =>
      Effect.map(Clock.currentTimeMillis, nowMs => {
        const byTool = [...tools().keys()].map(tool => ({ tool, ...agents.ofTool(tool) }))
        const byChain = lanes.all.map(({ config }) => {
          const { id, key } = config
          return { id: shownChain(config), chain: key, ...agents.ofChain(id) }
        })
        const stats: AgentStats = {
          startedAt: Math.floor(startedAtMs / 1000),
          requests: agents.requests,
          calls: total(byTool, "calls"),
          errors: total(byTool, "errors"),
          tools: mostFirst(byTool),
          chains: mostFirst(byChain),
          updatedAt: nowMs
        }
        return freshText(JSON.stringify(stats), "application/json")
      })
    )
  })
)
