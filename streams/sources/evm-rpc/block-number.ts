/** A block's number as nodes want it. */
export const hexNumber = (value: number): string => `0x${value.toString(16)}`
