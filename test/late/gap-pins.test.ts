/**
 * A block that was not proven is repaired after a kill: it brings the transfers of a token that the
 * log says is pinned, though the live source has not begun yet.
 */
import { afterEach, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { FakeChain } from "../support/fake-chain.ts"
import { deployMarket, randomTxs } from "../support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { noFaults } from "../support/fake-rpc-methods.ts"
import { deployMintable, mint, move } from "../support/fake-supply.ts"
import { type LateRun, logNow, startLate } from "../support/late-run.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { PATIENCE_MS } from "../support/patience.ts"
import { rpcChain, transfersOf } from "../support/rpc-source.ts"
import { random } from "../support/seed.ts"

const TOKEN = `0x${"3a".repeat(20)}` as const
const r = random("gap pins")
const chain = new FakeChain()
let server: LogServer
let node: FakeRpc
let run: LateRun

afterEach(async () => {
  await run?.kill()
  await node?.close()
  await server?.stop()
})

const mine = () => chain.mine([...randomTxs(r, 2), move(TOKEN, 1n)])

const begin = async (): Promise<void> => {
  run = await startLate(server, { endpoints: [node.url] })
}

const eventually = async (what: string, check: () => boolean): Promise<void> => {
  const until = performance.now() + PATIENCE_MS
  while (!check()) {
    expect(run.ended()).toBeNull()
    if (performance.now() > until) throw new Error(`${what}: ${JSON.stringify(run.status())}`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

const atHead = () => eventually("the head", () => run.loggedBlock() === chain.head.number)

const placesOf = (events: ReadonlyArray<Event>) =>
  events
    .filter(({ kind }) => kind === "TransferSeen")
    .map(({ block, logIndex }) => `${block.number}:${logIndex}`)

it("brings the transfers of pinned tokens", async () => {
  deployMarket(chain)
  deployMintable(chain, TOKEN)
  chain.mine([mint(TOKEN, 10n ** 9n)])
  server = await startLogServer()
  node = await startFakeRpc(chain, "gap pins")
  await begin()
  await atHead()
  run.pin([TOKEN])
  const pinned = mine().number
  await atHead()
  Object.assign(node.faults, { keepsLogs: 0, keepsReceiptLogs: 0 })
  mine()
  await eventually("a gap", () => run.late.repairs.open > 0)
  await run.kill()
  Object.assign(node.faults, noFaults())
  await begin()
  await eventually("the repair", () => run.late.repairs.filled > 0)
  const { events, gaps } = await logNow(server, rpcChain.key)
  expect(gaps).toEqual([])
  const truth = transfersOf(chain, [TOKEN]).filter(({ block }) => block.number >= pinned)
  expect(placesOf(events)).toEqual(placesOf(truth))
})
