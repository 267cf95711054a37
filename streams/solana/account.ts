/** An account as a node tells it. Its owner, a program, alone can have written its data. */
export interface Account {
  readonly owner: string
  readonly data: Uint8Array
}
