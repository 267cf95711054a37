/** Which instruction wrote which line of a transaction's log. */
import { type Instruction, isOuterPath, type LoggedData, type LogState } from "../transaction.ts"

const NO_ACCOUNTS: Instruction["accounts"] = []
const NO_DATA = new Uint8Array(0)
const NOTHING_LOGGED: Instruction["logged"] = []

/** An instruction while it is read. */
export class Draft implements Instruction {
  readonly path: number
  /** 0 where the node did not tell it */
  height: number
  parent = -1
  readonly program: string
  accounts = NO_ACCOUNTS
  data: Uint8Array = NO_DATA
  move: Instruction["move"] = null
  logged = NOTHING_LOGGED

  constructor(path: number, height: number, program: string) {
    this.path = path
    this.height = height
    this.program = program
  }
}

class ReadData implements LoggedData {
  readonly isRay: boolean
  readonly base64: string

  constructor(isRay: boolean, base64: string) {
    this.isRay = isRay
    this.base64 = base64
  }
}

const INVOKED = " invoke ["
const DATA = "Program data: "
const RAY = "Program log: ray_log: "
const SUCCESS = " success"
const FAILED = " failed: "
const TRUNCATED = "Log truncated"
/** Where a line of the runtime has the program's name, and a program's own has `log: ` or so. */
const NAME_AT = "Program ".length
/** Where what a program says of itself begins. */
const RAY_AT = "Program log: ".length

// letters tell lines apart: comparing texts takes ten times as long, and only the runtime itself
// begins a line without `Program log: `
const [LETTER_D, LETTER_F, LETTER_I, LETTER_L] = [0x64, 0x66, 0x69, 0x6c]
const [LETTER_R, LETTER_S] = [0x72, 0x73]
const [ZERO, NINE, SPACE, OPEN, CLOSE] = [0x30, 0x39, 0x20, 0x5b, 0x5d]

/** What a program logged as data; null where the line tells none. */
const dataIn = (line: string, letter: number): LoggedData | null => {
  if (letter === LETTER_L && line.charCodeAt(RAY_AT) === LETTER_R && line.startsWith(RAY)) {
    return new ReadData(true, line.slice(RAY.length))
  }
  if (letter !== LETTER_D || !line.startsWith(DATA)) return null
  return new ReadData(false, line.slice(DATA.length))
}

/** The height that an `invoke` line tells, whose name ends at `end`; 0 where it is no such line. */
const heightIn = (line: string, end: number): number => {
  const [from, last] = [end + INVOKED.length, line.length - 1]
  if (line.charCodeAt(from - 1) !== OPEN || line.charCodeAt(last) !== CLOSE) return 0
  let height = 0
  for (let at = from; at < last; at++) {
    const code = line.charCodeAt(at)
    if (code < ZERO || code > NINE) return 0
    height = height * 10 + code - ZERO
  }
  return height
}

/** Whether a line, whose name ends at `end`, says that a program has ended. */
const isEnd = (line: string, end: number, letter: number): boolean =>
  letter === LETTER_S
    ? line.length === end + SUCCESS.length && line.endsWith(SUCCESS)
    : letter === LETTER_F && line.startsWith(FAILED, end)

/** Every so manieth letter of a name is looked at: no two addresses agree in nine of them. */
const STEP = 5

/** Whether the name in a line of the runtime, which ends at `end`, is this one. */
const isNamed = (line: string, end: number, program: string): boolean => {
  if (NAME_AT + program.length !== end) return false
  for (let i = 0; i < program.length; i += STEP) {
    if (line.charCodeAt(NAME_AT + i) !== program.charCodeAt(i)) return false
  }
  return true
}

/** Where the name in a line of the runtime ends: told by how most lines end, else looked for. */
const nameEnd = (line: string): number => {
  const { length } = line
  const last = line.charCodeAt(length - 1)
  if (last === CLOSE && line.charCodeAt(length - 3) === OPEN) return length - INVOKED.length - 2
  if (last === LETTER_S && line.charCodeAt(length - SUCCESS.length) === SPACE) {
    return length - SUCCESS.length
  }
  return line.indexOf(" ", NAME_AT)
}

/**
 * Finds the next instruction that runs the program whose name ends at `end`, at that height.
 * Instructions of programs that log nothing, as those that only check signatures, are outer and
 * passed over.
 */
const nextOf = (
  drafts: ReadonlyArray<Draft>,
  from: number,
  line: string,
  end: number,
  height: number
): number => {
  for (let at = from; at < drafts.length; at++) {
    const draft = drafts[at]!
    const fits = draft.height === 0 ? height > 1 : draft.height === height
    if (fits && isNamed(line, end, draft.program)) return at
    if (!isOuterPath(draft.path)) return -1
  }
  return -1
}

/**
 * Gives every instruction the bytes that it logged, and its height where the node told none: the
 * k-th `invoke` line is the k-th instruction that ran. Where a program's name or height is another
 * one than expected, nothing further is attributed.
 */
export const matchLogs = (
  drafts: ReadonlyArray<Draft>,
  lines: ReadonlyArray<string> | null
): LogState => {
  if (lines === null || lines.length === 0) return drafts.length === 0 ? "complete" : "missing"
  const running: Array<number> = []
  let next = 0
  for (const line of lines) {
    const first = line.charCodeAt(NAME_AT)
    const top = running[running.length - 1]
    const told = dataIn(line, first)
    if (told !== null && top !== undefined) drafts[top]!.logged = [...drafts[top]!.logged, told]
    // other texts of programs are theirs to choose, and might look like a line of the runtime: no
    // name begins with an l, which is no digit of base58
    if (told !== null || first === LETTER_L) continue
    if (line.charCodeAt(NAME_AT - 1) !== SPACE) {
      if (line === TRUNCATED) return "truncated"
      continue
    }
    const end = nameEnd(line)
    const letter = line.charCodeAt(end + 1)
    const height = letter === LETTER_I ? heightIn(line, end) : 0
    if (height > 0) {
      const at = nextOf(drafts, next, line, end, height)
      if (at < 0 || height !== running.length + 1) return "unmatched"
      drafts[at]!.height = height
      running.push(at)
      next = at + 1
    } else if (isEnd(line, end, letter)) {
      if (top === undefined || !isNamed(line, end, drafts[top]!.program)) return "unmatched"
      running.pop()
    }
  }
  return "complete"
}
