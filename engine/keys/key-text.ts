/**
 * The text of an API key, `st_<id>_<secret>`: the id finds the key without a search, the secret
 * opens it. Of a secret only a salted SHA-256 is kept. A slow hash would protect nothing: nobody
 * finds 256 random bits by trying, and every request would pay for it.
 */
import { createHash, timingSafeEqual } from "node:crypto"

/** Bytes of an id, of a secret and of a salt. */
export const KEY_BYTES = { id: 6, secret: 32, salt: 16 } as const

const FORM = /^st_([0-9a-f]{12})_([0-9a-f]{64})$/

export interface KeyParts {
  /** 12 hex digits */
  readonly id: string
  /** 64 hex digits */
  readonly secret: string
}

export const keyText = ({ id, secret }: KeyParts): string => `st_${id}_${secret}`

/** The parts of a key's text; null where it has not the form of one. */
export const readKeyText = (text: string): KeyParts | null => {
  const [, id, secret] = FORM.exec(text) ?? []
  return id === undefined || secret === undefined ? null : { id, secret }
}

/** What is kept of a secret; all of it in hex. */
export interface SecretDigest {
  readonly salt: string
  readonly digest: string
}

const digestOf = (salt: string, secret: string): Buffer =>
  createHash("sha256").update(salt).update(secret).digest()

export const digestSecret = (salt: string, secret: string): SecretDigest => ({
  salt,
  digest: digestOf(salt, secret).toString("hex")
})

/** Whether a secret is the one that a digest was made of, in the same time for every wrong one. */
export const isSecretOf = ({ salt, digest }: SecretDigest, secret: string): boolean => {
  const wanted = Buffer.from(digest, "hex")
  const given = digestOf(salt, secret)
  return wanted.length === given.length && timingSafeEqual(given, wanted)
}
