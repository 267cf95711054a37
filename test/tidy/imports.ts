/** Imports point one way, and packages that touch the outside have one home. */
import { posix } from "node:path"
import ts from "typescript"
import { isCode, isTest, type SourceText, type Violation } from "./source-text.ts"
import { lineOf, visitNodes } from "./syntax.ts"

/** An import as written: what, from where, and on which line. */
interface Import {
  readonly line: number
  readonly specifier: string
  /** the values taken by name, of a static import */
  readonly names: ReadonlyArray<string>
  readonly isType: boolean
}

const isImportCall = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword

const namesOf = (node: ts.ImportDeclaration): ReadonlyArray<string> => {
  const bindings = node.importClause?.namedBindings
  return bindings && ts.isNamedImports(bindings)
    ? bindings.elements
        .filter(({ isTypeOnly }) => !isTypeOnly)
        .map(({ name, propertyName }) => (propertyName ?? name).text)
    : []
}

const found = new WeakMap<SourceText, ReadonlyArray<Import>>()

/** Static imports, re-exports and `import()` of a file, looked for once. */
export const importsOf = (file: SourceText): ReadonlyArray<Import> => {
  const known = found.get(file)
  if (known !== undefined) return known
  const imports: Array<Import> = []
  const add = (node: ts.Node, from: ts.Node | undefined, names: ReadonlyArray<string> = []) => {
    if (from === undefined || !ts.isStringLiteral(from)) return
    const isType =
      ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    imports.push({ line: lineOf(file, node), specifier: from.text, names, isType })
  }
  visitNodes(file, node => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, namesOf(node))
    if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier)
    if (isImportCall(node)) add(node, node.arguments[0])
  })
  found.set(file, imports)
  return imports
}

/** The repository path an import of a file leads to; undefined for a package. */
export const targetOf = (path: string, specifier: string): string | undefined =>
  specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : undefined

/** The layers, lowest first: a file may import from its own layer and those before it. */
const layers: ReadonlyArray<RegExp> = [
  /^src\/(domain|math)\//,
  /^src\/rules\//,
  /^src\/platform\//,
  /^streams\//,
  /^engine\//,
  /^projections\//,
  /^(api|client)\//,
  /^(src\/bin|bench|test|scripts|\.ci)\/|^[^/]+$/
]

const layerOf = (path: string): number => layers.findIndex(layer => layer.test(path))

const venueFolder = /^streams\/(evm|solana)\/[^/]+\//

/** Further limits: where the importer matches, the target must match one of the allowed. */
const narrower: ReadonlyArray<{
  readonly importer: RegExp
  readonly except?: RegExp
  readonly allowed: ReadonlyArray<RegExp>
  readonly reason: string
}> = [
  {
    importer: venueFolder,
    allowed: [
      /^src\/(domain|math)\//,
      /^streams\/[^/]+$/,
      /^streams\/(evm|solana)\/[^/]+$/,
      /^streams\/batch\//
    ],
    reason: "a venue sees src/domain, src/math, the contracts of streams and its own folder"
  },
  {
    importer: /^projections\/[^/]+\//,
    except: /\/queries(\.\w+)?\.ts$/,
    allowed: [
      /^src\/(domain|math|rules)\//,
      /^streams\/([^/]+$|(batch|attribution)\/)/,
      /^engine\/((projection|query|frames)\.ts$|(store|memory)\/)/,
      /^projections\//
    ],
    reason:
      "a fold sees src/domain, src/math, src/rules, events, the projection contract and projections"
  },
  {
    importer: /^api\/groups\/.*\.query\.ts$/,
    allowed: [
      /^src\/(domain|math|rules)\//,
      /^streams\/([^/]+$|batch\/)/,
      /^engine\/((projection|query|frames)\.ts$|(store|memory)\/)/,
      /^projections\//,
      /^api\/groups\/(?!.*\.(api|handlers)\.ts$)/
    ],
    reason: "a lane's thread loads a query: it sees what projections see, and no declaration"
  },
  {
    importer: /^engine\//,
    allowed: [/^src\//, /^engine\//, /^streams\/([^/]+$|(batch|codec|quote-check)\/)/],
    reason: "the engine names no venue and no source"
  }
]

const narrowLimit = (path: string, target: string): string | undefined => {
  const folder = venueFolder.exec(path)?.[0]
  const broken = narrower.find(
    ({ importer, except, allowed }) =>
      importer.test(path) && !except?.test(path) && !allowed.some(place => place.test(target))
  )
  return broken && !(folder && target.startsWith(folder)) ? broken.reason : undefined
}

/** Imports within the repository point from the outer layers to the inner ones only. */
export const importDirection = (file: SourceText): Array<Violation> => {
  const { path } = file
  if (!isCode(path) || isTest(path) || path.startsWith("api/web/")) return []
  return importsOf(file).flatMap(({ line, specifier }) => {
    const target = targetOf(path, specifier)
    if (target === undefined) return []
    const isUpward = layerOf(target) > layerOf(path) || layerOf(target) < 0
    if (isUpward) return [{ path, line, message: `imports ${target}, which lies further out` }]
    const reason = narrowLimit(path, target)
    return reason ? [{ path, line, message: `imports ${target}: ${reason}` }] : []
  })
}

/** Packages, and names of packages, that touch the outside. */
const outside: ReadonlyArray<{ readonly from: RegExp; readonly names?: RegExp }> = [
  { from: /^@nats-io\// },
  { from: /^@duckdb\// },
  { from: /^uWebSockets\.js$/ },
  { from: /^(node:)?(child_process|worker_threads|cluster)$/ },
  { from: /^@effect\/platform-node/ },
  { from: /^viem$/, names: /^(http|webSocket|ipc|fallback|custom|create\w*Client)$/ },
  { from: /^@solana\/kit$/, names: /^createSolanaRpc/ },
  { from: /^effect$/, names: /^Config(Provider)?$/ }
]

const mayTouchOutside = (path: string): boolean =>
  isTest(path) || /^(src\/platform|bench|scripts|\.ci)\//.test(path) || !path.includes("/")

/** Only src/platform talks to the log, the store, the network and other processes. */
export const platformPackages = (file: SourceText): Array<Violation> => {
  const { path } = file
  if (!isCode(path) || mayTouchOutside(path)) return []
  return importsOf(file).flatMap(({ line, specifier, names }) => {
    const found = outside.find(
      ({ from, names: forbidden }) =>
        from.test(specifier) &&
        (forbidden === undefined || names.some(name => forbidden.test(name)))
    )
    const message = `imports ${specifier}, which only src/platform may touch`
    return found ? [{ path, line, message }] : []
  })
}

/** Circles in a graph of imports, each told where it was met first. */
const circlesIn = (edges: ReadonlyMap<string, ReadonlyArray<string>>): Array<Violation> => {
  const done = new Set<string>()
  const circles: Array<Violation> = []
  const visit = (path: string, trail: ReadonlyArray<string>): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      const circle = [...trail.slice(start), path].join(" → ")
      circles.push({ path, line: 0, message: `imports itself: ${circle}` })
      return
    }
    if (done.has(path)) return
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return circles
}

/** The files of the repository whose values a file imports. */
const valuesFrom = (file: SourceText): ReadonlyArray<string> =>
  importsOf(file)
    .filter(({ isType }) => !isType)
    .flatMap(({ specifier }) => targetOf(file.path, specifier) ?? [])

/** No file needs itself: a circle of imports has no order in which it can be understood. */
export const importCycles = (files: ReadonlyArray<SourceText>): Array<Violation> =>
  circlesIn(
    new Map(
      files.filter(({ path }) => isCode(path)).map(file => [file.path, valuesFrom(file)] as const)
    )
  )

/** Where folders are floors of a house: none stands on itself. */
const floors = /^(src|engine|projections)\//

/** A folder; a file that stands above all folders of its layer is one of its own. */
const floorOf = (path: string): string => (/^[^/]+\/[^/]+$/.test(path) ? path : posix.dirname(path))

/** No folder of these needs itself, nor names its own types by way of another. */
export const folderCycles = (files: ReadonlyArray<SourceText>): Array<Violation> => {
  const edges = new Map<string, Set<string>>()
  for (const file of files) {
    if (!isCode(file.path) || isTest(file.path) || !floors.test(file.path)) continue
    const floor = floorOf(file.path)
    const targets = edges.get(floor) ?? new Set()
    edges.set(floor, targets)
    for (const { specifier } of importsOf(file)) {
      const target = targetOf(file.path, specifier)
      if (target === undefined || !floors.test(target)) continue
      if (floorOf(target) !== floor) targets.add(floorOf(target))
    }
  }
  return circlesIn(new Map([...edges].map(([folder, targets]) => [folder, [...targets]])))
}
