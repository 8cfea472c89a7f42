import { withDeadline, type Clock } from '@skills/core'

export interface LoadModuleOptions {
  /** Loads an ES module by its address, `file:` or `data:`. Default: `import()`. */
  readonly importModule?: ((url: string) => Promise<unknown>) | undefined
  /** Milliseconds that code may take. Default: 10,000. */
  readonly limitMs?: number | undefined
}

/** Imports code and stops waiting after a time limit, so that commands which only inspect the code still work. */
export class ModuleLoader {
  readonly #importModule: (url: string) => Promise<unknown>
  readonly #limit: { readonly ms: number; readonly clock: Clock; readonly what: string }

  constructor(
    { clock }: { readonly clock: Clock },
    { importModule = url => import(url), limitMs = 10_000 }: LoadModuleOptions,
  ) {
    this.#importModule = importModule
    this.#limit = { ms: limitMs, clock, what: 'Loading' }
  }

  /**
   * Imports a module and passes its exports to `use`. Rejects if either fails, or if both take longer than the limit.
   * @param use receives the exports of the module
   */
  load<T>(url: string, use: (exported: Readonly<Record<string, unknown>>) => T | Promise<T>): Promise<T> {
    const work = async (): Promise<T> => use((await this.#importModule(url)) as Readonly<Record<string, unknown>>)
    return withDeadline(work, { signals: [], limit: this.#limit })
  }
}
