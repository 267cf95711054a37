/**
 * What each aggregator tells the tests of all of them (`providers.test.ts`) in `<name>.laws.ts`
 * beside it: how its calldata and its answers are written, so that tests can make right ones and
 * wrong ones.
 */
import type { BuildOrder, Hex } from "./provider.ts"

/** What calldata is made of; a liar changes some of it. */
export interface Told {
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  readonly amountIn: bigint
  readonly minimumOut: bigint
  readonly recipient: Hex
  readonly flags: bigint
  readonly executor: Hex
}

/** What of an answer a test may want otherwise. */
export interface Answering {
  readonly order: BuildOrder
  readonly amountOut: bigint
  readonly router: Hex
  readonly spender: Hex
  readonly value: bigint
  readonly data: Hex
  readonly chainId: number
}

export interface ProviderLaws {
  /** calldata of one of the functions that are allowed */
  readonly dataOf: (told: Told) => Hex
  /** the body of a right answer to a request at a path; a text stands as it is */
  readonly bodyOf: (told: Answering, path: string) => unknown
  /** how it says that it has no route */
  readonly noRoute: { readonly status?: number; readonly body: unknown }
  /** what its answers or its calldata tell beside what all do; of the rest nothing can be wrong */
  readonly tells: {
    /** whom to approve, beside the router */
    readonly spender?: true
    readonly chainId?: true
    /** whether a part may be filled */
    readonly flags?: true
  }
}
