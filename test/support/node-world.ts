/** A scripted chain with a market, and fake nodes that tell of it. */

import { expect } from "vitest"
import { FakeChain } from "./fake-chain.ts"
import { deployMarket } from "./fake-market.ts"
import { type FakeRpc, startFakeRpc } from "./fake-rpc.ts"
import type { Faults } from "./fake-rpc-methods.ts"
import { PATIENCE_MS } from "./patience.ts"

const LOOK_MS = 5

export class NodeWorld {
  readonly chain = new FakeChain()
  readonly nodes: Array<FakeRpc> = []

  constructor() {
    deployMarket(this.chain)
  }

  /** One more node; the label seeds its faults. */
  async node(faults: Partial<Faults> = {}, label = `${this.nodes.length}`): Promise<FakeRpc> {
    const node = await startFakeRpc(this.chain, label, faults)
    this.nodes.push(node)
    return node
  }

  get urls(): ReadonlyArray<string> {
    return this.nodes.map(({ url }) => url)
  }

  async closeNodes(): Promise<void> {
    for (const node of this.nodes.splice(0)) await node.close()
  }
}

/** What is waited for, and what is known where it does not come. */
export interface Awaited {
  readonly what: string
  readonly isSo: () => boolean | Promise<boolean>
  readonly status: () => unknown
  /** why it cannot come any more; null while it may */
  readonly ended: () => string | null
}

export const waitFor = async ({ what, isSo, status, ended }: Awaited): Promise<void> => {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    expect(ended(), what).toBe(null)
    if (performance.now() > deadline) throw new Error(`${what}: ${JSON.stringify(status())}`)
    await new Promise(resolve => setTimeout(resolve, LOOK_MS))
  }
}
