/** Writes log lines for people, or JSON lines for machines (`--json`), to standard error. */
import { Cause, type Layer, Logger } from "effect"

const two = (n: number): string => String(n).padStart(2, "0")

/** What a line was logged with besides its words, with its trace. */
const causeText = (cause: Cause.Cause<unknown>): string =>
  cause.reasons.length === 0 ? "" : `: ${Cause.pretty(cause)}`

const readable = Logger.make(({ date, logLevel, message, cause }) => {
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  const text = (Array.isArray(message) ? message : [message])
    .map(part => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ")
  const level = logLevel === "Info" ? "" : `${logLevel.toUpperCase()} `
  process.stderr.write(`${time} ${level}${text}${causeText(cause)}\n`)
})

const lines = Logger.make(({ date, logLevel, message, cause }) => {
  const text =
    (Array.isArray(message) ? message : [message]).map(String).join(" ") + causeText(cause)
  process.stderr.write(
    `${JSON.stringify({ at: date.toISOString(), level: logLevel, message: text })}\n`
  )
})

/** Returns the logger of a process or worker. */
export const loggerLayer = (json: boolean): Layer.Layer<never> =>
  Logger.layer([json ? lines : readable])
