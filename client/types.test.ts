/** What the compiler makes of calls, as whoever uses the package has it. */
import ts from "typescript"
import { expect, it } from "vitest"

const NAME = `${import.meta.dirname}/calls.ts`
const HEAD = `
import { problemOf, swaptape } from "./client.js"
import { LiveSocket } from "./live.js"
declare const cause: unknown
declare const on: { readonly restart: () => void }
const client = swaptape()
const live = new LiveSocket()
const trades = { channel: "trades", chain: 1, token: "0x1" } as const
const some = await client.arcTokens({ fields: ["symbol"] })
const all = await client.arcTokens()
`

/** Lines, and what they are refused with; null: they are right. */
const LINES: ReadonlyArray<readonly [string, string | null]> = [
  ["const symbol: string | null = some.body.tokens[0]!.symbol", null],
  ["const price: number | null = all.body.tokens[0]!.priceUsd", null],
  ["some.body.tokens[0]!.priceUsd", "Property 'priceUsd' does not exist"],
  ['client.arcTokens({ fields: ["nope"] })', "Type '\"nope\"' is not assignable"],
  ["client.arcTokens({ limt: 3 })", "Object literal may only specify known properties"],
  ['client.getCandles({ tf: "2h" })', "Type '\"2h\"' is not assignable"],
  ["client.getCandleProof({})", "not assignable to parameter of type 'GetCandleProofInput'"],
  ["client.getCandleProof()", "Expected 1-2 arguments, but got 0"],
  ['client.postSimulate({ to: "0x1" })', "not assignable to parameter of type 'SimulateBody'"],
  ["for await (const { seq } of client.arcPrints.pages()) seq", null],
  ["client.getStatus.pages()", "Property 'pages' does not exist"],
  ['problemOf("getCandles", cause)?.code === "UNKNOWN_TOKEN"', null],
  ['problemOf("getCandles", cause)?.code === "NO_ROUTE"', "appears to be unintentional"],
  ["live.subscribe(trades, { ...on, frame: f => f.type === 'trade' && f.trade.usd }, all)", null],
  ["live.subscribe(trades, { ...on, frame: f => f.type === 'undo' && f.toSeq })", null],
  ["live.subscribe(trades, { ...on, frame: f => f.type === 'price' })", "unintentional"],
  ["live.subscribe(trades, { frame: () => {} })", "Property 'restart' is missing"]
]

it("lets through what the contract allows, and nothing else", () => {
  const options: ts.CompilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{
      target: ts.ScriptTarget.ES2023,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
      skipDefaultLibCheck: true
    }
  }
  const text = HEAD + LINES.map(([line]) => line).join("\n")
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  const source = ts.createSourceFile(NAME, text, { ...options, languageVersion: 99 })
  source.impliedNodeFormat = ts.ModuleKind.ESNext
  host.getSourceFile = (name, ...more) => (name === NAME ? source : getSourceFile(name, ...more))
  host.fileExists = name => name === NAME || fileExists(name)
  const told = new Map<number, string>()
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(
    ts.createProgram([NAME], options, host)
  )) {
    expect(file?.fileName).toBe(NAME)
    const line = source.getLineAndCharacterOfPosition(start).line - HEAD.split("\n").length + 1
    told.set(line, ts.flattenDiagnosticMessageText(messageText, " "))
  }
  for (const [i, [line, refusal]] of LINES.entries()) {
    if (refusal === null) expect([line, told.get(i)]).toEqual([line, undefined])
    else expect(told.get(i) ?? `${line} is right`).toContain(refusal)
  }
  expect(told.size).toBe(LINES.filter(([, refusal]) => refusal !== null).length)
})
