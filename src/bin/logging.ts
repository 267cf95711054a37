/** Writes log lines for people, or JSON lines for machines (`--json`), to standard error. */
import { type Layer, Logger } from "effect"

const two = (n: number): string => String(n).padStart(2, "0")

const readable = Logger.make(({ date, logLevel, message }) => {
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  const text = (Array.isArray(message) ? message : [message])
    .map(part => (typeof part === "string" ? part : JSON.stringify(part)))
    .join(" ")
  const level = logLevel === "Info" ? "" : `${logLevel.toUpperCase()} `
  process.stderr.write(`${time} ${level}${text}\n`)
})

const lines = Logger.make(({ date, logLevel, message }) => {
  const text = (Array.isArray(message) ? message : [message]).map(String).join(" ")
  process.stderr.write(
    `${JSON.stringify({ at: date.toISOString(), level: logLevel, message: text })}\n`
  )
})

/** Returns the logger of a process or worker. */
export const loggerLayer = (json: boolean): Layer.Layer<never> =>
  Logger.layer([json ? lines : readable])
