/** Freezes a value and all it holds; typed arrays, which cannot be frozen, are refused. */
export const deepFreeze = <T>(value: T): T => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  if (ArrayBuffer.isView(value)) throw new Error("a typed array cannot be frozen")
  Object.freeze(value)
  for (const part of Object.values(value)) deepFreeze(part)
  return value
}
