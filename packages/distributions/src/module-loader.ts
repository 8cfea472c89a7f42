export interface LoadModuleOptions {
  /** Loads an ES module by its address, `file:` or `data:`. Default: `import()`. */
  readonly importModule?: ((url: string) => Promise<unknown>) | undefined
  /** Milliseconds that code may take. Default: 10,000. */
  readonly limitMs?: number | undefined
}

/** Imports code, and gives up on what takes too long: it must not take down the commands by which it is looked into. */
export class ModuleLoader {
  readonly #importModule: (url: string) => Promise<unknown>
  readonly #limitMs: number

  constructor({ importModule = url => import(url), limitMs = 10_000 }: LoadModuleOptions) {
    this.#importModule = importModule
    this.#limitMs = limitMs
  }

  /**
   * Rejects as the module or `use` does, or when both took longer than the limit.
   * @param use of what the module exports
   */
  async load<T>(url: string, use: (exported: Readonly<Record<string, unknown>>) => T | Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`It took longer than ${this.#limitMs} ms.`)), this.#limitMs)
    })
    const work = async (): Promise<T> => use((await this.#importModule(url)) as Readonly<Record<string, unknown>>)
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
