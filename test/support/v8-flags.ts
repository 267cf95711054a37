/**
 * What V8 is told in tests: in the workers that run them, and in the programs that they start. A
 * test is over before most of what V8 does for the long run has paid. One list serves both, since
 * V8 takes no code of a bundle that it kept under other flags.
 */
export const V8_FLAGS: ReadonlyArray<string> = [
  // Folds and random events are made and dropped: a tenth less of processor than with 16 MB.
  "--max-semi-space-size=64",
  // V8 optimizes what has run thirty times as long as usual: most code of a test is soon done.
  "--interrupt-budget=4000000",
  // A thread looks for what lives once it has 256 MB, not each time that its first few grow.
  "--initial-heap-size=256"
]
