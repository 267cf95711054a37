/** `npm run bench`: runs one bench, shows its figures, and prints one line of JSON for programs. */
import { join } from "node:path"
import { findNatsServer } from "../scripts/nats-server.mjs"
import { answer } from "./answer.ts"
import type { Bench } from "./bench.ts"
import { boards } from "./boards.ts"
import { codec } from "./codec.ts"
import { bench as decode } from "./decode.ts"
import { fold } from "./fold.ts"
import { http } from "./http.ts"
import { ingest } from "./ingest.ts"
import { latency } from "./latency.ts"
import { live } from "./live.ts"
import { bench as log } from "./log.ts"
import { pins } from "./pins.ts"
import { bench as quote } from "./quote.ts"
import { quotes } from "./quotes.ts"
import { rebuild } from "./rebuild.ts"
import { jsonLine, measureOf, tableOf } from "./report.ts"
import { smartTraders } from "./smart-traders.ts"
import { solanaDecode } from "./solana-decode.ts"
import { solanaIngest } from "./solana-ingest.ts"
import { traders } from "./traders.ts"

const benches: ReadonlyArray<Bench> = [
  ...[ingest, rebuild, codec, decode, log, http, boards, answer, pins, latency, live],
  ...[quote, fold, quotes, smartTraders, solanaDecode, solanaIngest, traders]
]

const USAGE = `Runs one benchmark with its baseline in the same run.

  npm run bench -- NAME [--json] [--metric MEASURE] [options]
  npm run bench -- --list
  npm run bench -- [NAME] --help

  --json              prints one line of JSON last: bench, metric, value, unit, baseline, ratio, n
  --metric MEASURE    that line tells of this measure of the table, not of the first
`

const list = (): string => {
  const width = Math.max(...benches.map(({ name }) => name.length))
  return benches.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}\n`).join("")
}

const help = ({ name, about, options }: Bench): string =>
  `${name}: ${about}\n\n${options ?? "  no options of its own"}\n`

/** Takes a flag with a value out of the words. */
const takeValue = (words: Array<string>, flag: string): string | undefined => {
  const at = words.indexOf(flag)
  if (at < 0) return undefined
  const [, value] = words.splice(at, 2)
  if (value === undefined) throw new Error(`${flag} needs a value`)
  return value
}

/** Takes a flag out of the words; whether it was there. */
const takeFlag = (words: Array<string>, flag: string): boolean => {
  const at = words.indexOf(flag)
  if (at >= 0) words.splice(at, 1)
  return at >= 0
}

const main = async (words: Array<string>): Promise<void> => {
  const json = takeFlag(words, "--json")
  const wantsHelp = takeFlag(words, "--help")
  const wantsList = takeFlag(words, "--list")
  const metric = takeValue(words, "--metric")
  const [name, ...args] = words
  const bench = benches.find(one => one.name === name)
  if (wantsList || name === undefined || (bench === undefined && wantsHelp)) {
    process.stdout.write(wantsList ? list() : `${USAGE}\n${list()}`)
    return
  }
  if (bench === undefined) {
    const names = benches.map(one => one.name).join(", ")
    throw new Error(`no bench ${name}, use one of ${names}: npm run bench -- --help tells more`)
  }
  if (wantsHelp) {
    process.stdout.write(help(bench))
    return
  }
  const result = await bench.run(args)
  process.stdout.write(tableOf(result))
  if (json) {
    process.stdout.write(
      jsonLine(result.bench, metric === undefined ? result : measureOf(result, metric))
    )
  }
}

// whoever starts this file without `npm run` has a nats-server as well
process.env["NATS_SERVER"] ??= findNatsServer(join(import.meta.dirname, "..", ".cache"))

main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
