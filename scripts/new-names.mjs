/** Which names a skeleton can have: those that are no words of the languages it is written in. */
import { SQL_WORDS } from "../engine/store/sql-words.mjs"

/** Words of JavaScript that name no variable in a module. */
const SCRIPT_WORDS = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum " +
    "eval export extends false finally for function if implements import in instanceof interface " +
    "let new null package private protected public return static super switch this throw true try " +
    "typeof var void while with yield"
  ).split(" ")
)

/**
 * A name as it stands in code, in tables and in titles.
 *
 * @typedef {Record<"name" | "camel" | "pascal" | "snake" | "words" | "title", string>} Words
 */

/** Names of code, its keys among them: without comments, texts and members. @param {string} code */
const namesIn = code =>
  code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"[^"\n]*"/g, "").match(/(?<![.\w$])[A-Za-z_$][\w$]*/g) ??
  []

/** @param {string} name */
const isFilled = name => /__(camel|Pascal)__/.test(name)

/**
 * Why a skeleton of that name cannot be written; undefined where it can.
 *
 * @param {Words} words
 * @param {{ skeleton: string[], lists: string[], isTable: boolean }} texts its templates, the files
 *   that list it, and whether a table is called by its name
 * @returns {string | undefined}
 */
export const problemOfName = ({ name, camel, pascal, snake }, { skeleton, lists, isTable }) => {
  /** @param {string} what */
  const choose = what => `${name}: ${what}. Choose another name, as of two words`
  if (isTable && SQL_WORDS.has(snake)) {
    return choose(`${snake} is a word of SQL, and the table would be called so`)
  }
  if (SCRIPT_WORDS.has(camel)) {
    return choose(`${camel} is a word of JavaScript, and the code would be called so`)
  }
  const global = [camel, pascal].find(word => word in globalThis)
  if (global !== undefined) return choose(`${global} is what JavaScript calls something itself`)
  const names = skeleton.flatMap(namesIn)
  const own = names
    .filter(isFilled)
    .map(word => word.replaceAll("__camel__", camel).replaceAll("__Pascal__", pascal))
  const taken = new Set([...names.filter(word => !isFilled(word)), ...lists.flatMap(namesIn)])
  const twice = own.find(word => taken.has(word))
  return twice === undefined ? undefined : choose(`the skeleton calls something else ${twice}`)
}
