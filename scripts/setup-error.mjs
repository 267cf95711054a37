/** A failure that the user can act on: shown as its message, without a stack, by who tells it. */
export class SetupError extends Error {
  expected = true
  source

  /**
   * @param {string} message
   * @param {string} source the command, where it is not set-up that failed
   */
  constructor(message, source = "setup") {
    super(message)
    this.source = source
  }
}
