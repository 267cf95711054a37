/**
 * A `deb` source of apt.
 * @typedef {object} AptSource
 * @property {string[]} uris
 * @property {string[]} suites
 * @property {string[]} components
 * @property {string=} signedBy the path of its keyring; absent when none or an inline key is given
 */

/** @type {(text: string) => string[]} */
const words = text => text.split(/\s+/).filter(word => word !== "")

/** @type {(path: string | undefined) => { signedBy?: string }} */
const keyringOf = path => (path?.startsWith("/") ? { signedBy: path.split(",")[0] ?? path } : {})

/** @type {(uri: string) => boolean} */
const isFetchable = uri => /^(https?|mirror|mirror\+\w+|file|tor\+https?):/.test(uri)

/** @type {(text: string) => AptSource[]} */
const parseStanzas = text =>
  text.split(/\n\s*\n/).flatMap(stanza => {
    /** @type {Record<string, string>} */
    const fields = {}
    let name = ""
    for (const line of stanza.split("\n")) {
      if (line.startsWith("#")) continue
      const field = /^([A-Za-z-]+):\s*(.*)$/.exec(line)
      if (field) name = (field[1] ?? "").toLowerCase()
      if (name) fields[name] = `${fields[name] ?? ""} ${field ? field[2] : line}`
    }
    const enabled = !/^\s*(no|false|0)\s*$/.test(fields["enabled"] ?? "")
    if (!enabled || !words(fields["types"] ?? "").includes("deb")) return []
    return [
      {
        uris: words(fields["uris"] ?? "").filter(isFetchable),
        suites: words(fields["suites"] ?? ""),
        components: words(fields["components"] ?? ""),
        ...keyringOf(fields["signed-by"]?.trim())
      }
    ]
  })

/** @type {(text: string) => AptSource[]} */
const parseLines = text =>
  text.split("\n").flatMap(line => {
    const entry = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]*)/.exec(line)
    if (!entry) return []
    const [, options = "", uri = "", suite = "", components = ""] = entry
    return [
      {
        uris: [uri].filter(isFetchable),
        suites: [suite],
        components: words(components),
        ...keyringOf(/signed-by=(\S+)/i.exec(options)?.[1])
      }
    ]
  })

/**
 * Reads the enabled binary sources of one apt file: deb822 stanzas in `*.sources`, one-line
 * entries elsewhere. Sources from which nothing can be fetched (a CD) are left out.
 *
 * @param {string} path decides the format by its ending
 * @param {string} text
 * @returns {AptSource[]}
 */
export const parseSources = (path, text) =>
  (path.endsWith(".sources") ? parseStanzas(text) : parseLines(text)).filter(
    ({ uris }) => uris.length > 0
  )
