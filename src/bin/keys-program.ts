/** `npm run keys`: makes API keys, lists, rotates and revokes them, also while the engine runs. */
import { randomBytes } from "node:crypto"
import { Clock, DateTime, Effect } from "effect"
import type { ApiKey } from "../../engine/keys/key-book.ts"
import { appendKeyEvent, KeysRefused, readKeys } from "../../engine/keys/key-log.ts"
import { digestSecret, KEY_BYTES, keyText } from "../../engine/keys/key-text.ts"
import { readArguments, wrongUsage } from "../platform/command-line.ts"
import type { JetStream } from "../platform/jetstream.ts"
import { BUCKETS, type BucketName, type Limits, PLAN_NAMES, PLANS } from "../rules/plans.ts"
import { logServer, withServer } from "./log-server.ts"
import { loggerLayer } from "./logging.ts"

const [DEFAULT_PLAN = ""] = PLAN_NAMES
const MOST_GRACE_SECONDS = 30 * 86_400

const HELP = `Makes API keys, lists, rotates and revokes them. Every engine on the same log follows
within a second, without a restart. Callers send a key as the header X-API-Key.

  npm run keys -- create --name NAME [--plan ${PLAN_NAMES.join("|")}] [--limit BUCKET=N]...
                      makes a key, whose text is shown this once: it alone is printed to standard
                      output. A plan (${DEFAULT_PLAN} unless told) has limits a minute by bucket, and
                      --limit sets one of them: ${BUCKETS.join(", ")}
  npm run keys -- list
                      the keys there are, revoked ones too, without what opens them
  npm run keys -- rotate ID [--grace SECONDS]
                      gives a key another secret, shown this once; the one before ends at once, or
                      after so many seconds (at most ${MOST_GRACE_SECONDS})
  npm run keys -- revoke ID
                      ends a key for good

  --data DIR          the data folder (default DATA_DIR, else ./data)

npm itself prints lines of its own before the command's: npm run --silent keys leaves them out.
NATS_URL names another nats-server than the one of the data folder.`

const usage = (problem: string) => wrongUsage("keys", problem)

const commandLine = readArguments("keys", {
  allowPositionals: true,
  options: {
    help: { type: "boolean" },
    name: { type: "string" },
    plan: { type: "string", default: DEFAULT_PLAN },
    limit: { type: "string", multiple: true, default: [] },
    grace: { type: "string", default: "0" },
    data: { type: "string" }
  }
})

type Values = Effect.Success<typeof commandLine>["values"]

const random = (bytes: number): string => randomBytes(bytes).toString("hex")

const print = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

/** Says something beside what standard output is kept for. */
const remark = (text: string) => Effect.sync(() => process.stderr.write(`${text}\n`))

/** One of `--limit`: the bucket, and requests a minute. */
const limitIn = (text: string) => {
  const [, name, number] = /^([a-z]+)=([1-9][0-9]{0,8})$/.exec(text) ?? []
  const bucket = BUCKETS.find(each => each === name)
  return bucket === undefined
    ? Effect.fail(usage(`--limit ${text} must be like default=600, of ${BUCKETS.join(", ")}`))
    : Effect.succeed([bucket, Number(number)] as const)
}

const planIn = ({ plan, limit }: Values) =>
  Effect.gen(function* () {
    const limits = PLANS[plan]
    if (limits === undefined) {
      return yield* usage(`there is no plan ${plan}, only ${PLAN_NAMES.join(", ")}`)
    }
    const own: ReadonlyArray<readonly [BucketName, number]> = yield* Effect.forEach(limit, limitIn)
    return { plan, limits: { ...limits, ...Object.fromEntries(own) } satisfies Limits }
  })

/** Letters, digits and signs of any script, without control characters. */
const isName = (name: string): boolean => /^[^\p{C}]{1,64}$/u.test(name) && name.trim() === name

const create = Effect.fnUntraced(function* (values: Values) {
  const { name = "" } = values
  if (!isName(name)) return yield* usage("--name NAME is needed, of 1 to 64 characters")
  const { plan, limits } = yield* planIn(values)
  const program = Effect.gen(function* () {
    const atMs = yield* Clock.currentTimeMillis
    const parts = { id: random(KEY_BYTES.id), secret: random(KEY_BYTES.secret) }
    const digest = digestSecret(random(KEY_BYTES.salt), parts.secret)
    const event = { kind: "KeyCreated", id: parts.id, name, plan, limits, ...digest, atMs } as const
    yield* appendKeyEvent(keys =>
      keys.some(({ id }) => id === parts.id)
        ? Effect.fail(new KeysRefused({ message: `there is a key ${parts.id} already: try again` }))
        : Effect.succeed(event)
    )
    yield* print(keyText(parts))
    yield* remark(`key ${parts.id} of plan ${plan}: keep it now, it is not shown again`)
  })
  return program
})

/** The key of an id that was not revoked, or why there is none. */
const standing = (keys: ReadonlyArray<ApiKey>, id: string) => {
  const key = keys.find(each => each.id === id)
  if (key !== undefined && key.revokedAtMs === null) return Effect.succeed(key)
  const message =
    key === undefined ? `there is no key ${id}: list shows them` : `key ${id} is revoked already`
  return Effect.fail(new KeysRefused({ message }))
}

const rotate = Effect.fnUntraced(function* (id: string, { grace }: Values) {
  const seconds = Number(grace)
  if (!/^\d{1,7}$/.test(grace) || seconds > MOST_GRACE_SECONDS) {
    return yield* usage(`--grace ${grace} must be seconds, from 0 to ${MOST_GRACE_SECONDS}`)
  }
  const program = Effect.gen(function* () {
    const atMs = yield* Clock.currentTimeMillis
    const secret = random(KEY_BYTES.secret)
    const digest = digestSecret(random(KEY_BYTES.salt), secret)
    const formerUntilMs = seconds === 0 ? null : atMs + seconds * 1000
    const event = { kind: "KeyRotated", id, ...digest, formerUntilMs, atMs } as const
    yield* appendKeyEvent(keys => Effect.as(standing(keys, id), event))
    yield* print(keyText({ id, secret }))
    const former = seconds === 0 ? "the one before has ended" : `the one before ends in ${grace} s`
    yield* remark(`key ${id} has another secret: keep it now, it is not shown again; ${former}`)
  })
  return program
})

const revoke = (id: string) =>
  Effect.gen(function* () {
    const atMs = yield* Clock.currentTimeMillis
    const event = { kind: "KeyRevoked", id, atMs } as const
    const told = yield* appendKeyEvent(keys => Effect.as(standing(keys, id), event))
    yield* remark(`key ${told.id} is revoked`)
  })

const isoTime = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms)).slice(0, 19)

const stateOf = ({ revokedAtMs, rotatedAtMs }: ApiKey): string => {
  if (revokedAtMs !== null) return `revoked ${isoTime(revokedAtMs)}`
  return rotatedAtMs === null ? "valid" : `valid, rotated ${isoTime(rotatedAtMs)}`
}

const limitsText = (limits: Limits): string =>
  BUCKETS.map(bucket => `${bucket}=${limits[bucket]}`).join(" ")

const rowOf = (key: ApiKey): string =>
  [
    ...[key.id, key.plan.padEnd(8), isoTime(key.createdAtMs), stateOf(key), key.name],
    limitsText(key.limits)
  ].join("  ")

const list = Effect.flatMap(readKeys, keys =>
  keys.length === 0
    ? remark("there are no keys yet: create makes one")
    : Effect.forEach(keys, key => print(rowOf(key)), { discard: true })
)

/** Returns the program of a command; fails on wrong arguments, before a server starts. */
const command = Effect.fnUntraced(function* (
  [name, id, extra]: ReadonlyArray<string>,
  values: Values
) {
  const wantsId = name === "rotate" || name === "revoke"
  const surplus = wantsId ? extra : id
  if (surplus !== undefined) return yield* usage(`"${surplus}" is one word too many`)
  if (wantsId && id === undefined) return yield* usage(`${name} ID is needed: list shows them`)
  switch (name) {
    case "create":
      return yield* create(values)
    case "list":
      return list
    case "rotate":
      return yield* rotate(id ?? "", values)
    case "revoke":
      return revoke(id ?? "")
    default:
      return yield* usage(name === undefined ? "a command is needed" : `no command "${name}"`)
  }
})

export const keysProgram = Effect.gen(function* () {
  const { values, positionals } = yield* commandLine
  if (values.help === true) return yield* print(HELP)
  const program: Effect.Effect<unknown, { readonly message: string }, JetStream> = yield* command(
    positionals,
    values
  )
  const { url } = yield* logServer("keys", values.data)
  return yield* withServer(url, program)
}).pipe(
  Effect.scoped,
  Effect.provide(loggerLayer(false)),
  Effect.catch(({ message }) =>
    Effect.sync(() => {
      process.stderr.write(`keys: ${message}\n`)
      process.exitCode = 1
    })
  )
)
