/** What agents ask by MCP, by tool and by chain; `/v1/agent/stats` and `/metrics` show it. */

/** Calls, and those of them whose result is an error. */
export interface Tally {
  readonly calls: number
  readonly errors: number
}

const NONE: Tally = { calls: 0, errors: 0 }

export class AgentMeters {
  /** JSON-RPC requests of all methods */
  requests = 0
  /** of the tools that were called */
  readonly tools = new Map<string, Tally>()
  private readonly chains = new Map<number, Tally>()

  /** A call of a tool that there is; `chain` is null where it is about no chain served here. */
  called(tool: string, chain: number | null, isError: boolean): void {
    count(this.tools, tool, isError)
    if (chain !== null) count(this.chains, chain, isError)
  }

  ofTool(tool: string): Tally {
    return this.tools.get(tool) ?? NONE
  }

  /** By the chain's id. */
  ofChain(chain: number): Tally {
    return this.chains.get(chain) ?? NONE
  }
}

const count = <Key>(of: Map<Key, Tally>, key: Key, isError: boolean): void => {
  const { calls, errors } = of.get(key) ?? NONE
  of.set(key, { calls: calls + 1, errors: errors + (isError ? 1 : 0) })
}
