/** What `getTransaction` and `getBlock` answer, as `@solana/kit` gives it or `JSON.parse` does. */

/** Numbers of JSON are bigints by kit's own parser, but for indices. */
type Whole = number | bigint

export interface KitInstruction {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: string
  readonly stackHeight?: Whole | null
}

export interface KitBalance {
  readonly accountIndex: number
  readonly mint: string
  readonly uiTokenAmount: { readonly amount: string }
}

export interface KitTransaction {
  readonly meta: {
    readonly err: unknown
    readonly innerInstructions?: ReadonlyArray<{
      readonly index: number
      readonly instructions: ReadonlyArray<KitInstruction>
    }> | null
    readonly loadedAddresses?: {
      readonly writable: ReadonlyArray<string>
      readonly readonly: ReadonlyArray<string>
    }
    readonly logMessages?: ReadonlyArray<string> | null
    readonly preBalances: ReadonlyArray<Whole>
    readonly postBalances: ReadonlyArray<Whole>
    readonly preTokenBalances?: ReadonlyArray<KitBalance>
    readonly postTokenBalances?: ReadonlyArray<KitBalance>
  }
  readonly transaction: {
    readonly signatures: ReadonlyArray<string>
    readonly message: {
      readonly accountKeys: ReadonlyArray<string>
      readonly instructions: ReadonlyArray<KitInstruction>
    }
  }
}
