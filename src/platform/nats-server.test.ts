import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { jetstream, jetstreamManager } from "@nats-io/jetstream"
import { connect, type NatsConnection } from "@nats-io/transport-node"
import { Effect, Layer, Logger, Schedule } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { compiledProgram } from "../../test/support/compiled.ts"
import { atRest } from "../../test/support/engine.ts"
import { startNats, type TestNats, temporaryFolder } from "../../test/support/nats.ts"
import { PATIENCE_MS } from "../../test/support/patience.ts"
import { serversOf, withoutCredentials } from "./nats.ts"
import { NatsServer } from "./nats-server.ts"
import { natsServersOn } from "./nats-server-process.ts"
import { isRunning, processesWhere } from "./process-table.ts"

let folder: ReturnType<typeof temporaryFolder>
let nats: TestNats | undefined
let connection: NatsConnection | undefined
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await connection?.close()
  await nats?.stop()
  connection = nats = undefined
  folder.remove()
})

const publish = async (from: NatsConnection, text: string) => {
  const { seq } = await jetstream(from).publish("tape.test", text)
  return seq
}

const addStream = async (to: NatsConnection) => {
  await (await jetstreamManager(to)).streams.add({ name: "TAPE_TEST", subjects: ["tape.test"] })
}

/** The client never answers a request made while it reconnects, so that must not take long. */
const quickly = { timeout: 500, checkAPI: false }

const textAt = async (from: NatsConnection, seq: number) => {
  const manager = await jetstreamManager(from, quickly)
  return (await manager.streams.getMessage("TAPE_TEST", { seq }))?.string()
}

/** Another process with the server of this data folder, which lives until it is killed. */
const startEngine = async (dataDirectory: string) => {
  const args = [...compiledProgram("test/support/nats-process.ts"), dataDirectory]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  const [serverPid = 0, port = 0] = String(line).split(" ").map(Number)
  return { child, serverPid, port }
}

const serversOn = (path: string) => Effect.runSync(natsServersOn(path))

const killNow = async (child: ChildProcess) => {
  child.kill("SIGKILL")
  await once(child, "exit")
}

it("starts with JetStream ready and stops within three seconds", async () => {
  nats = await startNats(folder.path)
  const { pid, ...status } = nats.status()
  expect(status).toEqual({ state: "ready", restarts: 0, lastExit: null, lastError: null })
  expect(withoutCredentials(nats.url)).toBe(`nats://127.0.0.1:${nats.port}`)
  connection = await connect(serversOf(nats.url))
  await addStream(connection)
  expect(await publish(connection, "a")).toBe(1)
  await connection.close()
  const asked = performance.now()
  await nats.stop()
  expect(performance.now() - asked).toBeLessThan(atRest(3_000))
  expect(isRunning(pid ?? 0)).toBe(false)
})

it("restarts a killed server on the same port with its data, and clients reconnect", async () => {
  nats = await startNats(folder.path)
  connection = await connect({
    ...serversOf(nats.url),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50
  })
  await addStream(connection)
  await publish(connection, "before")
  for (const restarts of [1, 2, 3]) {
    const { pid } = nats.status()
    process.kill(pid ?? 0, "SIGKILL")
    await vi.waitFor(
      () => expect(nats?.status()).toMatchObject({ state: "ready", restarts }),
      PATIENCE_MS
    )
    expect(nats.status()).toMatchObject({ lastExit: "signal SIGKILL" })
    expect(nats.status().pid).not.toBe(pid)
  }
  await vi.waitFor(async () => expect(await textAt(connection!, 1)).toBe("before"), PATIENCE_MS)
  expect(await publish(connection, "after")).toBe(2)
})

it("kills and restarts a server that has hung for too long", async () => {
  nats = await startNats(folder.path, { hungAfterMs: 1500 })
  const { pid } = nats.status()
  process.kill(pid ?? 0, "SIGSTOP")
  await vi.waitFor(
    () => expect(nats?.status()).toMatchObject({ state: "ready", restarts: 1 }),
    PATIENCE_MS
  )
  expect(nats.status().lastExit).toMatch(/^no answer for \d+ s$/)
  expect(nats.status().pid).not.toBe(pid)
  expect(isRunning(pid ?? 0)).toBe(false)
})

it("stops while its server is dead or starting", async () => {
  nats = await startNats(folder.path)
  const { pid } = nats.status()
  process.kill(pid ?? 0, "SIGKILL")
  await vi.waitFor(() => expect(nats?.status().state).toBe("restarting"), {
    timeout: PATIENCE_MS,
    interval: 1
  })
  await nats.stop()
  expect(serversOn(folder.path)).toEqual([])
})

it("ends the server of an engine that is killed, and starts anew on its data", async () => {
  const engine = await startEngine(folder.path)
  const [left] = serversOn(folder.path)
  expect(left?.port).toBe(engine.port)
  connection = await connect({ ...serversOf(left?.url ?? ""), reconnect: false })
  await addStream(connection)
  await publish(connection, "kept")
  await killNow(engine.child)
  nats = await startNats(folder.path)
  expect(isRunning(engine.serverPid)).toBe(false)
  connection = await connect(serversOf(nats.url))
  expect(await textAt(connection, 1)).toBe("kept")
})

it("finds a server left on its folder and stops it before starting one", async () => {
  nats = await startNats(folder.path)
  const { port, url } = nats
  expect(serversOn(nats.dataDirectory)).toEqual([{ pid: nats.status().pid, port, url }])
  await nats.stop()
  // An orphan as a kernel that binds no lives leaves it: no parent, lock free, store in use.
  const store = join(folder.path, "nats")
  const config = join(import.meta.dirname, "..", "..", "nats.conf")
  const args = ["-c", config, "-a", "127.0.0.1", "-p", String(port), "-sd", store]
  const orphan = spawn(process.env["NATS_SERVER"] ?? "", args, {
    env: { ...process.env, SWAPTAPE_NATS_KEY: "kept" },
    stdio: "ignore"
  })
  const ended = once(orphan, "exit")
  await once(orphan, "spawn")
  nats = await startNats(folder.path)
  await ended
  expect(nats.status().pid).not.toBe(orphan.pid)
})

it("leaves a process alone that works on another folder", async () => {
  const args = ["-e", "setInterval(() => {}, 1000)", "--", "-sd", join(folder.path, "nats-2")]
  const bystander = spawn(process.execPath, args, { stdio: "ignore" })
  await once(bystander, "spawn")
  nats = await startNats(folder.path)
  expect(bystander.exitCode).toBe(null)
  expect(isRunning(bystander.pid ?? 0)).toBe(true)
  await killNow(bystander)
})

it("says which file stands where its folder belongs", async () => {
  const file = join(folder.path, "nats")
  writeFileSync(file, "")
  await expect(startNats(folder.path)).rejects.toMatchObject({
    message: `${file} is a file: move it away`
  })
})

it("refuses a second server on the folder", async () => {
  nats = await startNats(folder.path)
  await expect(startNats(folder.path)).rejects.toMatchObject({
    _tag: "DataFolderInUse",
    pid: process.pid
  })
})

it("says why a server cannot start", async () => {
  const taken = createServer().listen(0, "127.0.0.1")
  await once(taken, "listening")
  const address = taken.address()
  const port = typeof address === "object" ? address?.port : undefined
  await expect(startNats(folder.path, { port: port ?? 0 })).rejects.toMatchObject({
    _tag: "NatsServerError",
    message: expect.stringContaining("address already in use")
  })
  taken.close()
  await expect(startNats(folder.path, { program: "/nowhere/nats-server" })).rejects.toMatchObject({
    _tag: "NatsServerError",
    message:
      "cannot start /nowhere/nats-server: there is no such program: " +
      "set NATS_SERVER to a nats-server, or unset it and run npm run setup"
  })
})

it("tells once why a server that died cannot start, and goes on when it can", async () => {
  const program = join(folder.path, "shut-out-nats-server")
  const tries = join(folder.path, "tries")
  const wrong = "[77] [FTL] Can't start JetStream: storage directory is not a directory"
  const real = `exec "${process.env["NATS_SERVER"]}" "$@"`
  writeFileSync(
    program,
    `#!/bin/sh
echo >> ${tries}
case $(wc -l < ${tries}) in
  2 | 3 | 4) echo "${wrong}" >&2; exit 1 ;;
esac
${real}
`
  )
  chmodSync(program, 0o755)
  const said: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
  const layer = NatsServer.layer(folder.path, { program })
  await Effect.runPromise(
    Effect.gen(function* () {
      const { status } = yield* NatsServer
      process.kill((yield* status).pid ?? 0, "SIGKILL")
      yield* status.pipe(
        Effect.repeat({
          until: ({ state, restarts }) => state === "ready" && restarts === 4,
          schedule: Schedule.spaced("10 millis")
        })
      )
    }).pipe(Effect.provide(Layer.provideMerge(layer, logger)))
  )
  const wrongly = said.filter(line => /died|FTL/.test(line)).map(line => line.replace(/\d+$/, "N"))
  expect(wrongly).toEqual([
    "nats-server died (signal SIGKILL): restarting it on port N",
    `nats-server: ${wrong.slice(5)}`,
    "nats-server died (nats-server ended with exit code 1): restarting it on port N"
  ])
})

it("says that a server takes long to answer", async () => {
  const program = join(folder.path, "slow-nats-server")
  writeFileSync(program, `#!/bin/sh\nsleep 1\nexec "${process.env["NATS_SERVER"]}" "$@"\n`)
  chmodSync(program, 0o755)
  const said: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
  const layer = NatsServer.layer(folder.path, { program, slowAfterMs: 200 })
  const pid = await Effect.runPromise(
    Effect.flatMap(NatsServer, ({ status }) => Effect.map(status, one => one.pid)).pipe(
      Effect.provide(layer),
      Effect.provide(logger)
    )
  )
  expect(said).toEqual([
    `waiting for nats-server ${pid}, which reads its streams and does not answer yet`
  ])
})

it("is closed to everybody who cannot read its folder's key", async () => {
  nats = await startNats(folder.path)
  const { port } = nats
  const servers = `127.0.0.1:${port}`
  const key = join(folder.path, "nats.key")
  expect(statSync(key).mode & 0o777).toBe(0o600)
  const text = readFileSync(key, "utf8").trim()
  expect(nats.url).toBe(`nats://${text}@127.0.0.1:${port}`)
  // it stands in no argument that another user may see
  const [server] = processesWhere(args => args.includes(join(folder.path, "nats")))
  expect(server?.args.join(" ")).not.toContain(text)
  const other = temporaryFolder()
  const foreign = await startNats(other.path)
  for (const shown of [{}, { token: "k" }, serversOf(foreign.url), { user: text, pass: text }]) {
    await expect(connect({ ...shown, servers, reconnect: false })).rejects.toThrow(
      /authorization violation/i
    )
  }
  await foreign.stop()
  other.remove()
  connection = await connect(serversOf(nats.url))
  await addStream(connection)
  expect(await publish(connection, "ours")).toBe(1)
})

it("keeps its key, but for one that others could read", async () => {
  const keyOf = async () => {
    const server = await startNats(folder.path)
    await server.stop()
    return readFileSync(join(folder.path, "nats.key"), "utf8")
  }
  const first = await keyOf()
  expect(await keyOf()).toBe(first)
  chmodSync(join(folder.path, "nats.key"), 0o644)
  const second = await keyOf()
  expect(second).not.toBe(first)
  expect(statSync(join(folder.path, "nats.key")).mode & 0o777).toBe(0o600)
})
