// @ts-check
/** Work that nobody waits for. */

/**
 * Starts work that ends by abort: only what is not an abort is reported.
 *
 * @param {() => Promise<void>} work
 * @param {AbortSignal} signal
 */
export const background = (work, signal) => {
  work().catch(cause => {
    if (!signal.aborted) throw cause
  })
}
