import { messageOf } from './error.js'
import type { Command, Override, SourceName } from './command.js'
import type { MaybePromise } from './promise.js'

/** What one load is bound by. Each answer is a sentence that says why not; undefined lets it pass. */
export interface GateRules {
  /**
   * Asked before a source is asked for anything.
   * @param source the word that its commands carry
   * @param provider the source's id
   */
  source?(source: SourceName, provider: string): string | undefined
  /** Asked of each command before names are given away: one that is barred is disabled and shadows nothing. */
  command?(command: Command): string | undefined
  /** Why a model must not be told of a command yet, nor invoke it; a user may all the same. */
  dormant?(command: Command): string | undefined
  /** What is said of a command where no override of the host names it. A load fails with what it throws. */
  override?(name: string, command: Command): Override | undefined
}

/** Keeps sources and commands out, such as an administrator's policy. See docs/reference/kinds.md, "Gates". */
export interface Gate {
  /** Asked at the beginning of each load. The very object of the load before says that nothing changed. */
  rules?(call: { readonly signal: AbortSignal }): MaybePromise<GateRules>
  /**
   * Why a command must not have something done for it when it is invoked, as running what its body embeds (`shell`).
   */
  forbids?(action: 'shell', command: Command, call: { readonly signal: AbortSignal }): MaybePromise<string | undefined>
}

/** The first reason that any of the rules has. */
export function barredBy(rules: readonly GateRules[], ask: (one: GateRules) => string | undefined): string | undefined {
  for (const one of rules) {
    const reason: unknown = ask(one)
    // What is no sentence keeps out all the same: a gate that cannot say why fails closed.
    if (reason !== undefined) return typeof reason === 'string' ? reason : 'A gate bars it without a reason.'
  }
  return undefined
}

/** A gate that cannot tell lets no model near. */
export function whyDormant(command: Command, rules: readonly GateRules[]): string | undefined {
  try {
    return barredBy(rules, one => one.dormant?.(command))
  } catch (error) {
    return `No one could tell whether it is to be used yet: ${messageOf(error)}`
  }
}
