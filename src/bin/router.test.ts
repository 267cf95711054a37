import { execFile } from "node:child_process"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { routerInput } from "../../engine/trade/contract/compile-router.ts"
import { deploymentData, routerArguments } from "../../engine/trade/contract/deployment.ts"
import { openAnvilChain } from "../../test/support/anvil-chain.ts"
import { compiledProgram } from "../../test/support/compiled.ts"
import { base } from "../domain/chains/base.ts"

const root = join(import.meta.dirname, "../..")

let chain: Awaited<ReturnType<typeof openAnvilChain>>
beforeAll(async () => {
  chain = await openAnvilChain()
})
afterAll(() => chain?.close())

const run = (args: ReadonlyArray<string>, rpc?: string) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    const program = [...compiledProgram("src/bin/router.ts"), ...args]
    // empty is as good as unset
    const env = { ...process.env, RPC_8453: rpc }
    execFile(process.execPath, program, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, stdout, stderr })
    })
  })

it("prints the transaction that deploys the router on a chain", async () => {
  const [offline, asked] = await Promise.all([
    run(["deployment", "--chain", "base"]),
    run(["deployment", "--chain", "8453"], `http://127.0.0.1:1,${chain.url}`)
  ])
  const given = routerArguments(base)
  const told = JSON.parse(offline.stdout)
  expect(told).toMatchObject({
    ...{ chain: "base", chainId: 8453, arguments: given, gasEstimate: null },
    transaction: { to: null, value: "0x0", data: deploymentData(given) }
  })
  const { gasEstimate, ...rest } = JSON.parse(asked.stdout)
  expect({ ...rest, gasEstimate: null }).toEqual(told)
  expect(asked.stderr).toContain("no estimate: 127.0.0.1:1")
  // it is a transaction that succeeds, and costs as much
  await chain.send(null, told.transaction.data, gasEstimate)
  const [receipt] = await chain.receipts()
  expect(receipt?.status).toBe("0x1")
  expect(Number(receipt?.gasUsed)).toBeLessThanOrEqual(gasEstimate)
  expect(gasEstimate).toBeLessThan(4_000_000)
})

it("prints the input for a verifier, and says what is wrong with a command line", async () => {
  const [verified, bare] = await Promise.all([run(["verification"]), run(["deployment"])])
  expect(JSON.parse(verified.stdout)).toEqual(routerInput())
  expect(bare.code).toBe(1)
  expect(bare.stdout + bare.stderr).toContain("--chain KEY is needed, such as base")
})
