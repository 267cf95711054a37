// @ts-check
/** Small pictures: bars of what was when. Each says in words what it shows. */

const SVG = "http://www.w3.org/2000/svg"
const [WIDTH, HEIGHT] = [240, 56]

/** @type {(tag: string, attributes: { readonly [name: string]: string | number }) => SVGElement} */
const svg = (tag, attributes) => {
  const made = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  return made
}

/** @type {(label: string, height: number, shapes: ReadonlyArray<SVGElement>) => SVGElement} */
const picture = (label, height, shapes) => {
  const made = svg("svg", {
    ...{ class: "picture", role: "img", "aria-label": label },
    ...{ viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: "none" }
  })
  made.append(...shapes)
  return made
}

/**
 * A bar each, as high as its part of the highest.
 *
 * @param {string} label what is shown, in words
 * @param {ReadonlyArray<{ readonly value: number | null, readonly title: string }>} values null:
 *   not known, and drawn as such
 */
export const barPicture = (label, values) => {
  const top = Math.max(...values.map(({ value }) => value ?? 0), Number.MIN_VALUE)
  const step = WIDTH / Math.max(1, values.length)
  const shapes = values.map(({ value, title }, at) => {
    const height = value === null ? HEIGHT : Math.max(value > 0 ? 1 : 0, (value / top) * HEIGHT)
    const bar = svg("rect", {
      ...{ class: value === null ? "unmeasured" : "bar-of", x: at * step + 0.5 },
      ...{ y: HEIGHT - height, width: Math.max(1, step - 1), height }
    })
    const words = svg("title", {})
    words.textContent = title
    bar.append(words)
    return bar
  })
  return picture(label, HEIGHT, shapes)
}

const STRIP = 14

/**
 * A strip for each stretch, in three parts: well, not well, and not measured.
 *
 * @param {string} label
 * @param {ReadonlyArray<{ readonly ok: number, readonly bad: number, readonly unmeasured: number,
 *   readonly title: string }>} stretches seconds
 */
export const uptimePicture = (label, stretches) => {
  const step = WIDTH / Math.max(1, stretches.length)
  const shapes = stretches.flatMap(({ ok, bad, unmeasured, title }, at) => {
    const all = ok + bad + unmeasured || 1
    const room = Math.max(1, step - 2)
    let x = at * step + 1
    const parts = /** @type {const} */ ([
      ["ok", ok],
      ["bad", bad],
      ["unmeasured", unmeasured]
    ])
    return parts.flatMap(([kind, seconds]) => {
      const width = (seconds / all) * room
      if (width === 0) return []
      const part = svg("rect", { class: kind, x, y: 0, width, height: STRIP })
      const words = svg("title", {})
      words.textContent = title
      part.append(words)
      x += width
      return [part]
    })
  })
  return picture(label, STRIP, shapes)
}
