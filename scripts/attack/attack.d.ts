/** One kind of attack: a file beside this one that exports it as `attack`. */
export interface Attack {
  /** The name of its file, and what is typed after `npm run attack --`. */
  readonly name: string
  /** One sentence: who attacks what, and what must not happen. */
  readonly title: string
  /**
   * How many cases the short form tries, which CI runs (in about ten seconds), and the long one. `short: 0`: it runs only
   * when it is named.
   */
  readonly counts: { readonly short: number; readonly long: number }
  run(options: AttackOptions): Promise<AttackResult>
}

export interface AttackOptions {
  readonly count: number
  /** The same seed gives the same cases. */
  readonly seed: number
  /** A new, empty folder for this run alone; removed afterwards. */
  readonly folder: string
  /** Told now and then how many cases are done. */
  readonly progress: (done: number) => void
}

export interface AttackResult {
  /** Cases that were really tried: 0 is a failure. */
  readonly tried: number
  /** What got through, one sentence each with all that is needed to repeat it. None: the attack was held. */
  readonly failures: readonly string[]
  /** What else was measured: name to value with its unit. */
  readonly figures?: Readonly<Record<string, string | number>> | undefined
}
