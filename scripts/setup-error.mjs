/** A failure of set-up that the user can act on: shown as its message, without a stack. */
export class SetupError extends Error {
  expected = true
}
