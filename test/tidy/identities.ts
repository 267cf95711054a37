/** One width of identity: how wide accounts are and how they read is known to few files. */
import { isCode, isTest, matchingLines, type SourceText, type Violation } from "./source-text.ts"

/** What decodes chains, what is of one family, and the edge, where texts are made and read. */
const KNOWS =
  /^(streams\/(evm|solana|sources)\/|src\/(domain|platform|bin)\/|engine\/trade\/|(api|client|bench|test|scripts|\.ci)\/|[^/]+$)/

const IS_LAW = /[.-]laws\.ts$/

const TELLS =
  /domain\/address\.ts|base58\.ts|\b(fromHex|toHex|parseAddress|ZERO_ADDRESS)\b|0x.*\{(40|64)\}|(padStart|repeat)\((20|40)\b|ByteTable\(20\b/

/**
 * Between what decodes and the edge an identity is 32 bytes, and its text `chain.ids`'s: a file that
 * makes hex of it works for EVM chains alone.
 */
export const identityForms = (file: SourceText): Array<Violation> =>
  !isCode(file.path) || isTest(file.path) || IS_LAW.test(file.path) || KNOWS.test(file.path)
    ? []
    : matchingLines(
        file,
        TELLS,
        ([text]) => `"${text}": identities are made and read by src/domain/ids.ts`
      )

/** What differs between kinds of chains is told by one table, which a third kind has to fill. */
export const familyWords = (file: SourceText): Array<Violation> =>
  !isCode(file.path) || isTest(file.path)
    ? []
    : matchingLines(
        file,
        /\bfamily\b(\)| \?\? "evm")* [!=]== /,
        ([text]) => `"${text}": say in src/domain/chain-family.ts what it is that differs`
      )
