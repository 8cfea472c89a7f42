export interface LoadModuleOptions {
  /** Loads an ES module by its address, `file:` or `data:`. Default: `import()`. */
  readonly importModule?: ((url: string) => Promise<unknown>) | undefined
  /** Milliseconds that code may take. Default: 10,000. */
  readonly limitMs?: number | undefined
}

/** Imports code and stops waiting after a time limit, so that commands which only inspect the code still work. */
export class ModuleLoader {
  readonly #importModule: (url: string) => Promise<unknown>
  readonly #limitMs: number

  constructor({ importModule = url => import(url), limitMs = 10_000 }: LoadModuleOptions) {
    this.#importModule = importModule
    this.#limitMs = limitMs
  }

  /**
   * Imports a module and passes its exports to `use`. Rejects if either fails, or if both take longer than the limit.
   * @param use receives the exports of the module
   */
  async load<T>(url: string, use: (exported: Readonly<Record<string, unknown>>) => T | Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Loading took longer than ${this.#limitMs} ms.`)), this.#limitMs)
    })
    const work = async (): Promise<T> => use((await this.#importModule(url)) as Readonly<Record<string, unknown>>)
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
