import { messageOf } from './error.js'
import type { Command, Override, SourceName } from './command.js'
import type { MaybePromise } from './promise.js'

/** Rules of a gate for one load. Each method returns a sentence that says why not; undefined lets it pass. */
export interface GateRules {
  /**
   * Bars a whole source before it is asked.
   * @param source word that its commands have as `source`
   * @param provider id of the source
   */
  source?(source: SourceName, provider: string): string | undefined
  /** Bars a command before names are assigned. A barred command is disabled and shadows nothing. */
  command?(command: Command): string | undefined
  /** Keeps a command from models until later: they are not told of it and cannot invoke it. A user still can. */
  dormant?(command: Command): string | undefined
  /** Returns the override of a command that the host's overrides do not name. If it throws, the load fails. */
  override?(name: string, command: Command): Override | undefined
}

/** Keeps sources and commands out, such as an administrator's policy. See docs/reference/kinds.md, "Gates". */
export interface Gate {
  /** Returns its rules; called at the beginning of each load. The same object as before means that nothing changed. */
  rules?(call: { readonly signal: AbortSignal }): MaybePromise<GateRules>
  /**
   * Returns why an action is forbidden for a command that is invoked, such as running commands in its body (`shell`).
   */
  forbids?(action: 'shell', command: Command, call: { readonly signal: AbortSignal }): MaybePromise<string | undefined>
}

/** Returns the first reason that a rule has. */
export function barredBy(rules: readonly GateRules[], ask: (one: GateRules) => string | undefined): string | undefined {
  for (const one of rules) {
    const reason: unknown = ask(one)
    // An answer that is not a sentence bars too: a gate without a reason fails closed.
    if (reason !== undefined) return typeof reason === 'string' ? reason : 'A gate bars it without a reason.'
  }
  return undefined
}

/** Returns why a command is kept from models. A gate that fails keeps it from them. */
export function whyDormant(command: Command, rules: readonly GateRules[]): string | undefined {
  try {
    return barredBy(rules, one => one.dormant?.(command))
  } catch (error) {
    return `No one could tell whether it is to be used yet: ${messageOf(error)}`
  }
}
