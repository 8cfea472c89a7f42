/** One kind of attack: a file beside this one that exports it as `attack`. */
export interface Attack {
  /** The name of its file, and what is typed after `npm run attack --`. */
  readonly name: string
  /** One sentence: who attacks what, and what must not happen. */
  readonly title: string
  /**
   * The number of cases of the short form, which CI runs (in about ten seconds), and of the long one. With `short: 0`
   * the attack runs only when it is named.
   */
  readonly counts: { readonly short: number; readonly long: number }
  run(options: AttackOptions): Promise<AttackResult>
}

export interface AttackOptions {
  readonly count: number
  /** Where the random cases begin: the same seed gives the same cases. */
  readonly seed: number
  /** A new, empty folder for this run alone, which is removed afterwards. */
  readonly folder: string
  /** Called now and then with the number of cases done. */
  readonly progress: (done: number) => void
}

export interface AttackResult {
  /** The number of cases that were really tried: 0 is a failure. */
  readonly tried: number
  /**
   * One sentence for each case that got through, with all that is needed to repeat it; none if the attack was held off.
   */
  readonly failures: readonly string[]
  /** Other figures by name, each with its unit. */
  readonly figures?: Readonly<Record<string, string | number>> | undefined
}
