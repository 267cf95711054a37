/** Every bench runs to its end at a size that measures nothing, so that none falls into decay. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { compiledProgram } from "../test/support/compiled.ts"
import { jsonLine, measureOf, tableOf } from "./report.ts"

const bench = async (...words: ReadonlyArray<string>) => {
  const args = [...compiledProgram("bench/run.ts"), ...words]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout
}

const lastLine = (output: string) => JSON.parse(output.trimEnd().split("\n").at(-1) ?? "")

/** All but one, which tells that a bench runs and reports, are run in the long run only. */
const isLong = process.env["SWAPTAPE_LONG"] === "1"

/** A market small enough to be made in no time. */
const TINY = ["--tokens", "40", "--wallets", "50"]

describe("a bench", () => {
  it("lists the benches and tells of their options", async () => {
    const names = (await bench("--list")).split("\n").map(line => line.trim().split(" ")[0])
    const all = ["ingest", "rebuild", "codec", "decode", "log", "http", "boards", "answer", "pins"]
    expect(names).toEqual([
      ...all,
      "latency",
      "live",
      "quote",
      "fold",
      "quotes",
      "smart-traders",
      "solana-decode",
      "solana-ingest",
      "traders",
      ""
    ])
    expect(await bench("--help")).toContain(
      "  log            appending to the log and reading it, beside JetStream publishing the same bytes\n"
    )
    expect(await bench("http", "--help")).toContain("--seconds S")
    await expect(bench("log", "--bogus")).rejects.toThrow(
      "bench: Unknown option '--bogus': npm run bench -- NAME --help tells more\n"
    )
  })

  it.runIf(isLong)("says what else is wrong with its words", async () => {
    await expect(bench("no-such-bench")).rejects.toThrow("no bench no-such-bench")
    await expect(bench("codec", "--swaps", "none")).rejects.toThrow("--swaps must be")
  })

  const small: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, number]> = [
    ["ingest", "ingest", ["--swaps", "2000", "--scale", "--metric", "ingest", ...TINY], 2000],
    ["rebuild", "rebuild", ["--swaps", "2000", ...TINY], 2000],
    ["codec", "encode", ["--swaps", "2000", "--rounds", "1", ...TINY], 2000],
    ["decode", "decode", ["--swaps", "200", "--rounds", "1", ...TINY], 487],
    ["fold", "pool_fold", ["--swaps", "2000", "--rounds", "1", ...TINY], 2000],
    ["traders", "traders_cold", ["--prints", "4000", "--others", "1000", "--rounds", "1"], 4000],
    ["latency", "block_to_frame_p99", ["--blocks", "3", "--pause-ms", "5"], 3]
  ]
  it.each(isLong ? small : small.filter(([name]) => name === "codec"))(
    "%s runs and says what it measured",
    async (name, metric, words, n) => {
      const result = lastLine(await bench(name, "--json", ...words))
      expect(Object.keys(result)).toEqual([
        ...["bench", "metric", "value", "unit", "baseline", "ratio", "n"]
      ])
      expect(result).toMatchObject({ bench: name, metric })
      expect(result.n).toBe(n)
      expect(result.value).toBeGreaterThan(0)
      expect(result.ratio).toBeCloseTo(result.value / result.baseline, 10)
    }
  )

  it.runIf(isLong)("solana-decode finds the swaps that kit finds", async () => {
    const size = ["--repeats", "1", "--bytes", "1500000", "--rounds", "1"]
    const result = lastLine(await bench("solana-decode", "--json", ...size))
    expect(result).toMatchObject({ bench: "solana-decode", metric: "decode" })
    expect(result.ratio).toBeGreaterThan(0)
  })

  it.runIf(isLong)("solana-ingest runs and says what it measured", async () => {
    const size = ["--blocks", "3", "--bytes", "1500000", "--rounds", "1"]
    const result = lastLine(await bench("solana-ingest", "--json", ...size))
    expect(result).toMatchObject({ bench: "solana-ingest", metric: "ingest", n: 3 })
    expect(result.ratio).toBeGreaterThan(0)
  })

  it.runIf(isLong)("http runs and says what it measured", async () => {
    const size = ["--swaps", "4000", "--seconds", "0.1", "--rounds", "1", ...TINY]
    const result = lastLine(await bench("http", "--json", "--allow-early-end", ...size))
    expect(result).toMatchObject({ bench: "http", metric: "candles_cached", unit: "requests/s" })
    expect(result.ratio).toBeGreaterThan(0)
  })

  it.runIf(isLong)("boards answers every route at first sight", async () => {
    const size = ["--swaps", "4000", "--requests", "2", "--seconds", "0.1", "--rounds", "1"]
    const result = lastLine(await bench("boards", "--json", ...size, ...TINY))
    expect(result).toMatchObject({ bench: "boards", metric: "board_cached", unit: "requests/s" })
    expect(result.ratio).toBeGreaterThan(0)
  })

  it.runIf(isLong)("quotes are asked for beside blocks", async () => {
    const size = ["--swaps", "4000", "--seconds", "0.5", "--block-ms", "100", ...TINY]
    const result = lastLine(await bench("quotes", "--json", ...size))
    expect(result).toMatchObject({ bench: "quotes", metric: "quotes_p99", unit: "ms", n: 100 })
    expect(result.ratio).toBeGreaterThan(0)
  })

  it.runIf(isLong)("live tells readers of prints", async () => {
    const crowd = ["--connections", "60", "--tokens", "20", "--batches", "3", "--rounds", "1"]
    const paced = ["--clients", "20", "--per-second", "100", "--seconds", "1"]
    const result = lastLine(await bench("live", "--json", ...crowd, ...paced))
    expect(result).toMatchObject({ bench: "live", metric: "fan_out", unit: "frames/s" })
    expect(result.n).toBeGreaterThanOrEqual(60 * 3 * 20)
    expect(result.ratio).toBeGreaterThan(0)
  })

  it.runIf(isLong)("pins is noticed by nobody", async () => {
    const size = ["--transfers", "400", "--holders", "20", "--blocks", "40"]
    const load = ["--block-ms", "50", "--seconds", "0.5", "--sockets", "3", "--rate", "10"]
    const words = ["--json", "--metric", "undo_frames", ...size, ...load]
    const result = lastLine(await bench("pins", ...words))
    expect(result).toMatchObject({ bench: "pins", metric: "undo_frames", value: 0 })
  })

  it.runIf(isLong)("answer sees a commit in every page", async () => {
    const size = ["--swaps", "4000", "--blocks", "2", "--pause-ms", "5", ...TINY]
    const result = lastLine(await bench("answer", "--json", ...size))
    expect(result).toMatchObject({ bench: "answer", metric: "answer_p99", unit: "ms" })
    expect(result.n).toBe(2 * 18)
    expect(result.ratio).toBeGreaterThan(0)
  })
})

describe("a report", () => {
  const result = {
    ...{
      bench: "x",
      metric: "a",
      value: 1234.5,
      unit: "things/s",
      baseline: 2469,
      ratio: 0.5,
      n: 7
    },
    also: [{ metric: "b", value: 0.0123456, unit: "ms", baseline: null, ratio: null, n: 12_000 }]
  }

  it("is a table of all measures", () => {
    expect(tableOf(result)).toBe(
      [
        "measure   value  unit      baseline  ratio       n",
        "a         1,235  things/s     2,469    0.5       7",
        "b        0.0123  ms               -      -  12,000",
        ""
      ].join("\n")
    )
  })

  it("is a line about one of them", () => {
    expect(jsonLine("x", measureOf(result, "b"))).toBe(
      '{"bench":"x","metric":"b","value":0.0123456,"unit":"ms","baseline":null,"ratio":null,"n":12000}\n'
    )
    expect(() => measureOf(result, "c")).toThrow("no measure c: there are a, b")
  })
})
