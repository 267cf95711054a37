/** For a file whose tests build upon each other, as those of one engine that goes on. */
import { beforeEach, onTestFailed } from "vitest"

/**
 * Skips the tests that follow one that failed: each would wait for what comes no more, as long as
 * PATIENCE_MS, and say nothing about itself.
 */
export const oneAfterTheOther = (): void => {
  let failed: string | null = null
  beforeEach(({ skip, task }) => {
    if (failed !== null) skip(`it builds on "${failed}", which failed`)
    onTestFailed(() => {
      failed = task.name
    })
  })
}
