/**
 * A process of its own for one part of a bench, so that its memory, its threads and its event loop
 * are nobody else's. The bench asks it by name; it answers once it is done.
 */
import type { ChildProcess } from "node:child_process"
import { type ProgramOptions, startProgram, stopProgram } from "./programs.ts"

export interface Question {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

export interface Reply {
  readonly id: number
  readonly output?: unknown
  readonly failure?: string
}

export interface Assistant {
  readonly pid: number
  readonly ask: <A>(name: string, input?: unknown) => Promise<A>
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

const connect = (child: ChildProcess, entry: string): Assistant => {
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  child.on("message", (reply: Reply) => {
    const one = waiting.get(reply.id)
    waiting.delete(reply.id)
    if (reply.failure === undefined) one?.resolve(reply.output)
    else one?.reject(new Error(reply.failure))
  })
  child.on("exit", (code, signal) => {
    for (const one of waiting.values()) one.reject(new Error(`${entry} ended: ${signal ?? code}`))
  })
  return {
    pid: child.pid ?? 0,
    ask: <A>(name: string, input?: unknown) =>
      new Promise<A>((resolve, reject) => {
        const id = nextId++
        waiting.set(id, { resolve: value => resolve(value as A), reject })
        child.send({ id, name, input } satisfies Question)
      })
  }
}

/** Runs with an assistant whose entry lies in `bench/`; it ends afterwards. */
export const withAssistant = async <A>(
  entry: string,
  use: (assistant: Assistant) => Promise<A>,
  options: ProgramOptions = {}
): Promise<A> => {
  const path = new URL(`../${entry}`, import.meta.url).pathname
  const child = startProgram(path, ["ignore", "ignore", "inherit", "ipc"], options)
  try {
    return await use(connect(child, entry))
  } finally {
    await stopProgram(child)
  }
}
