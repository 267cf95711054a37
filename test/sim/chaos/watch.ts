/** Something that looks at an engine again and again, from when it is started until it is stopped. */
export abstract class Watch {
  protected isStopped = false
  private running: Promise<void> | null = null

  /** Looks until `isStopped`. */
  protected abstract run(): Promise<void>

  start(): void {
    this.running = this.run()
  }

  async stop(): Promise<void> {
    this.isStopped = true
    await this.running
  }
}
