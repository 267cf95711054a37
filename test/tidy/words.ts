/** Words that do not belong into committed files. */
import { isTidy, matchingLines, type SourceText, type Violation } from "./source-text.ts"

/** Unfinished work is either done or decided against, with its reason in DECISIONS.md. */
export const leftovers = (file: SourceText): Array<Violation> =>
  isTidy(file.path) || file.path === "package-lock.json"
    ? []
    : matchingLines(
        file,
        /\b(TODO|FIXME|XXX|HACK)\b/,
        ([word]) => `"${word}": do it now, or say in DECISIONS.md why not`
      )

/** Who reads a comment may not have read what stands above it. */
export const pointingComments = (file: SourceText): Array<Violation> =>
  isTidy(file.path) || /\.test\.ts$/.test(file.path) || !/\.(ts|js|mjs)$/.test(file.path)
    ? []
    : matchingLines(
        file,
        /\/\*\* [Tt]he same\b/,
        ([words]) => `"${words}" points at what stands above: name what it is about`
      )

/** Tests that were singled out while someone worked on them hide all the others. */
export const focusedTests = (file: SourceText): Array<Violation> =>
  isTidy(file.path) || !/\.test\.ts$/.test(file.path)
    ? []
    : matchingLines(
        file,
        /\b(it|test|describe)(\.\w+)*\.only\b/,
        ([call]) => `\`${call}\` hides the other tests`
      )

/** Nothing works on one machine only. */
export const machinePaths = (file: SourceText): Array<Violation> =>
  isTidy(file.path)
    ? []
    : matchingLines(
        file,
        /(?<![\w.\-/$}])\/(work|root|home|Users|workspace)\/[\w.-]/,
        ([path]) => `"${path}…" is a path of one machine`
      )

/** Where packages come from is the installer's choice, made in its own configuration. */
export const registryHosts = (file: SourceText): Array<Violation> =>
  isTidy(file.path)
    ? []
    : matchingLines(
        file,
        /registry\.(npmjs|yarnpkg)\.|npmmirror\.|jfrog\.|pkg\.dev|(deb|security|snapshot)\.debian\.org|"resolved":/,
        ([host]) => `"${host}" ties the project to a package registry`
      )
