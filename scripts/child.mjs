import { spawn } from "node:child_process"
import { constants } from "node:os"
import { SetupError } from "./setup-error.mjs"

/**
 * Runs a command to its end, passing on the signals that ask this process to stop, so that a
 * Ctrl-C or a `kill` of the launcher never leaves the child behind.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @returns {Promise<number>} its exit code; 128 + signal number when a signal ended it
 */
export const runToEnd = (command, args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    let forwardedAt = Number.NEGATIVE_INFINITY
    // In a terminal one Ctrl-C comes from the kernel and from npm, and the child has had it too: a
    // repeat within a second is the same one, a later one is a user who has lost patience.
    /** @type {(signal: NodeJS.Signals) => void} */
    const forward = signal => {
      if (performance.now() - forwardedAt < 1_000) return
      forwardedAt = performance.now()
      child.kill(signal)
    }
    const signals = /** @type {const} */ (["SIGINT", "SIGTERM"])
    const hangUp = () => child.kill("SIGTERM")
    for (const signal of signals) process.on(signal, forward)
    process.on("SIGHUP", hangUp)
    const settle = () => {
      for (const signal of signals) process.off(signal, forward)
      process.off("SIGHUP", hangUp)
    }
    child.once("error", error => {
      settle()
      reject(new SetupError(`cannot run ${command}: ${error.message}`))
    })
    child.once("exit", (code, signal) => {
      settle()
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
