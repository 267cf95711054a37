/** The style guide as a test over every file that git tracks. */
import { describe, expect, it } from "vitest"
import { changelogFormat } from "./tidy/changelog.ts"
import { barrels, newerThanNode, outsideConstructs, typeEscapes } from "./tidy/constructs.ts"
import { decisionsIndex } from "./tidy/decisions.ts"
import { unusedExports } from "./tidy/exports.ts"
import { familyWords, identityForms } from "./tidy/identities.ts"
import { folderCycles, importCycles, importDirection, platformPackages } from "./tidy/imports.ts"
import { kindNames } from "./tidy/kind-names.ts"
import {
  completeLockfile,
  documentedDependencies,
  exactPins,
  lockfileChecksums
} from "./tidy/manifest.ts"
import { fileNames } from "./tidy/names.ts"
import { impatience } from "./tidy/patience.ts"
import { fileLength, functionLength, lineLength } from "./tidy/size.ts"
import {
  describeViolation,
  isCheckout,
  type SourceText,
  sourceTexts,
  type Violation
} from "./tidy/source-text.ts"
import {
  focusedTests,
  leftovers,
  machinePaths,
  pointingComments,
  registryHosts
} from "./tidy/words.ts"

if (!isCheckout) console.log("skipped: tidy: this is no git checkout")
const files = isCheckout ? sourceTexts() : []

const perFile: Record<string, (file: SourceText) => Array<Violation>> = {
  barrels,
  changelogFormat,
  decisionsIndex,
  completeLockfile,
  exactPins,
  familyWords,
  fileLength,
  fileNames,
  focusedTests,
  functionLength,
  identityForms,
  impatience,
  importDirection,
  kindNames,
  leftovers,
  lineLength,
  lockfileChecksums,
  machinePaths,
  newerThanNode,
  outsideConstructs,
  platformPackages,
  pointingComments,
  registryHosts,
  typeEscapes
}

describe.skipIf(!isCheckout)("tidy", () => {
  it("looks at the whole repository", () => {
    expect(files.map(({ path }) => path)).toContain("test/tidy.test.ts")
  })

  it.each(Object.entries(perFile))("%s", (_name, check) => {
    expect(files.flatMap(check).map(describeViolation)).toEqual([])
  })

  it.each(Object.entries({ documentedDependencies, importCycles, folderCycles, unusedExports }))(
    "%s",
    (_name, check) => {
      expect(check(files).map(describeViolation)).toEqual([])
    }
  )
})
