/** What the process takes of the machine's memory, as the system and this thread's V8 count it. */

export interface ProcessMemory {
  /** what of all the process's memory is in RAM, whatever thread or library it is of */
  readonly residentBytes: number
  /** this thread's objects, and what V8 holds for them */
  readonly heapUsedBytes: number
  readonly heapTotalBytes: number
  /** this thread's memory outside of its heap, array buffers among it */
  readonly externalBytes: number
}

export const processMemory = (): ProcessMemory => {
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  return {
    ...{ residentBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal },
    externalBytes: external
  }
}
