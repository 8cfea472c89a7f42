import { resolve } from 'node:path'
import { messageOf, type Command } from '@skills/core'
import { isOfFolder, isOfProject, pluginFolderOf } from '@skills/distributions/internal'
import { findProjectFolders } from '@skills/files'
import { isInside, realPathOf } from '@skills/files/internal'
import { again, quoted } from '../engine/again.js'
import { hostOf } from '../engine/engine.js'
import { inQuotes, printableLine } from '../output/printable.js'
import { UsageError } from '../arguments/usage-error.js'
import { pluginTrustHint } from '../engine/plugin-trust.js'
import { questionText } from './question-text.js'
import type { EmbeddedRules } from './embedded-in.js'
import { exitCodes, type Choice, type Io } from '../io.js'
import type { Invocation } from '../arguments/invocation.js'
import type { rules } from '../arguments/shared-options.js'
import type { MoreOptions } from '../engine/engine.js'
import type { DistributionOptions } from '@skills/distributions'
import type { PermissionRules } from '@skills/distributions/internal'
import type { OnAsk, PermissionDecision, PermissionRequest, RuleSuggestion } from '@skills/rules'

type RuledInvocation = Invocation<keyof typeof rules>
type Question = Parameters<OnAsk>[0]

/** Question, and what saves the approval of the skill that it is about. */
type Asked = Unanswered & Pick<Question, 'approve'>

/** Question that could not be asked. */
export type Unanswered = Omit<Question, 'signal' | 'approve'>

/**
 * Answers requests that no rule decides: by `--yes`, or by asking at the terminal. If rules cannot be read, only a
 * person can answer. Without a terminal the answer is no, and the question is recorded.
 */
export class Asking {
  readonly #invocation: RuledInvocation
  readonly #isYes: boolean
  readonly #io: Io
  readonly #stop = new AbortController()
  readonly #unanswered: Unanswered[] = []
  readonly #distrusted: PermissionRequest[] = []
  /** Rules for what counts as an embedded command. */
  embedded: EmbeddedRules = {}
  #permissions: PermissionRules | undefined
  #hasGivenUp = false

  /** @param isYes true if `--yes` was given */
  constructor(invocation: RuledInvocation, io: Io, isYes = false) {
    this.#invocation = invocation
    this.#isYes = isYes
    this.#io = io
    io.signal.addEventListener('abort', () => this.#stop.abort(io.signal.reason), { once: true })
    if (io.signal.aborted) this.#stop.abort(io.signal.reason)
  }

  /** Aborts with the signal of the process, and if the person cancels a question. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get hasGivenUp(): boolean {
    return this.#hasGivenUp
  }

  /** Questions that could not be asked because there is no terminal. */
  get unanswered(): readonly Unanswered[] {
    return this.#unanswered
  }

  /** Requests that were denied without a question because the skill is not trusted: a yes would not have counted. */
  get distrusted(): readonly PermissionRequest[] {
    return this.#distrusted
  }

  /** Adds the rules of `--allow` and `--deny` to those of the distribution, the configuration and settings files. */
  readonly options: MoreOptions = async (host, { bundled, plugins = [] }) => {
    const own = plugins.flat().find(({ kind }) => kind === 'permission')
    if (
      own !== undefined &&
      (this.#invocation.texts('--allow').length > 0 || this.#invocation.texts('--deny').length > 0)
    ) {
      throw new UsageError(
        `The configuration uses its own permission provider, "${printableLine(own.id)}", which does not read the rules of --allow and --deny: leave these options out.`,
      )
    }
    const { standardPermissions } = await import('@skills/distributions/permissions')
    const permission: DistributionOptions['permission'] = rules => {
      const asked = standardPermissions(host, {
        ...rules,
        allow: [...rulesOf(this.#invocation, '--allow'), ...(rules.allow ?? [])],
        deny: [...rulesOf(this.#invocation, '--deny'), ...(rules.deny ?? [])],
      })
      this.#permissions = asked
      return asked
    }
    return { permission, bundled }
  }

  /**
   * Asks at a terminal, once, whether the person trusts the folder of a skill whose name they typed. `--yes` does not
   * answer this. Returns true after a yes.
   */
  async trusts(entry: PermissionRequest['entry']): Promise<boolean> {
    if (this.#io.prompter === undefined || !isOfProject(entry)) return false
    const [{ askWhetherTrusted }, { withEngine }] = [
      await import('../engine/trust-folder.js'),
      await import('../engine/engine.js'),
    ]
    let isTrusted = false
    // A new engine shows all skills, because the current one may have read only this one.
    const added = addedFolderOf(entry.command, this.#invocation, this.#io)
    const there = added === undefined ? {} : { cwd: added, addDirs: [] }
    await withEngine({ ...this.#invocation, ...there, command: 'trust' }, this.#io, async engine => {
      const { host } = engine.skills
      const answer = await askWhetherTrusted(
        { folder: added ?? findProjectFolders(host).top, from: host },
        engine,
        this.#invocation,
        this.#io,
      )
      if (answer === undefined) {
        this.#hasGivenUp = true
        this.#stop.abort()
      }
      isTrusted = answer === 'yes'
      return exitCodes.ok
    })
    return isTrusted
  }

  /** Stops the run as if the person had cancelled; used if there is no terminal. */
  stop(): void {
    this.#stop.abort()
  }

  /** Listens to decisions. A denial because of missing trust stops the run: half a skill is worse than none. */
  readonly heed = ({ request, decision: { decisionReason } }: Unanswered): void => {
    if (decisionReason.type !== 'trust' || request.trust === 'trusted') return
    this.#distrusted.push(request)
    this.stop()
  }

  async answer({ request, decision, approve }: Asked): Promise<'allow' | 'deny'> {
    const { stderr, prompter } = this.#io
    if (this.#isYes && decision.decisionReason.type !== 'unreadable') {
      stderr.write(`skills: Allowed this once by --yes: ${subjectOf(request)}\n`)
      return 'allow'
    }
    if (prompter === undefined) {
      this.#unanswered.push({ request, decision })
      return 'deny'
    }
    stderr.write(
      await questionText({ request, decision, embedded: this.embedded }, this.#invocation, this.#io, this.signal),
    )
    const suggestions = decision.suggestions ?? []
    const chosen = await prompter.choose('May it?', choicesOf(decision, approve !== undefined), this.signal)
    if (chosen === undefined) {
      this.#hasGivenUp = true
      this.#stop.abort()
      return 'deny'
    }
    const suggestion = suggestions.find((_, at) => chosen === ruleValue(at))
    if (suggestion !== undefined) await this.#remember(suggestion, request, approve)
    if (chosen === untilChanged) await approve?.()
    return chosen === 'once' || chosen === untilChanged || suggestion !== undefined ? 'allow' : 'deny'
  }

  /** Saves a rule, and that the skill counts for it as it is now. The answer also holds if they cannot be saved. */
  async #remember(suggestion: RuleSuggestion, { entry }: PermissionRequest, approve: Asked['approve']): Promise<void> {
    const permissions = this.#permissions
    if (permissions === undefined) return
    try {
      permissions.addRules(suggestion, entry)
      await permissions.save(suggestion.destination, { signal: this.signal })
      await approve?.()
    } catch (error) {
      if (this.signal.aborted) throw error
      this.#io.stderr.write(
        `skills: The rule is not saved, and you will be asked again: ${printableLine(messageOf(error))}\n`,
      )
    }
  }
}

/** Returns the subject of a question on one line that is safe to print. */
function subjectOf({ tool, content }: Pick<PermissionRequest, 'tool' | 'content'>): string {
  return printableLine(`${tool}(${content})`)
}

/** Returns a sentence that says that there was no terminal to ask at, and what to do. */
export function unansweredSentence(unanswered: readonly Unanswered[], invocation: Invocation, io: Io): string {
  const subjects = [...new Set(unanswered.map(({ request }) => subjectOf(request)))]
  // Another allow rule does not help if a rule asks, or if a rule does not count.
  const ruled = unanswered.find(({ decision }) => decision.decisionReason.rule !== undefined)
  const what = `You cannot be asked here about ${subjects.join(', ')}.`
  const closed = unanswered.find(({ decision }) => decision.decisionReason.type === 'unreadable')
  if (closed !== undefined)
    return `${what} ${printableLine(closed.decision.message)}. Correct that file, or run this at a terminal: --yes has no effect while rules cannot be read.`
  const change = unanswered.find(({ decision }) => decision.decisionReason.change !== undefined)?.decision
    .decisionReason.change
  if (change !== undefined)
    return `${what.slice(0, -1)}: ${printableLine(change)}. Look at it and agree with "${printableLine(again('trust', invocation, io))}", run this at a terminal, or answer with --yes.`
  return ruled === undefined
    ? `${what} Allow it by a rule with --allow, run this at a terminal, or answer with --yes.`
    : `${what} ${printableLine(ruled.decision.message)}. Run this at a terminal, or answer with --yes.`
}

/** Returns a sentence that says that a skill is not trusted, and what to do. */
export function distrustedSentence([request]: readonly PermissionRequest[], invocation: Invocation, io: Io): string {
  const { name = '' } = request?.entry ?? {}
  return `The skill ${inQuotes(name)} is not trusted, and it wants to do more than give its text to the model. ${trustHint(request?.entry, invocation, io)}`
}

/** Returns a hint on how to trust a skill. */
export function trustHint(entry: PermissionRequest['entry'] | undefined, invocation: Invocation, io: Io): string {
  const command = entry?.command
  const plugin = command && pluginFolderOf(command)
  if (plugin !== undefined) return pluginTrustHint(plugin, invocation, io)
  if (command === undefined || !isOfFolder(command)) return 'Its source is not trusted, and no command changes that.'
  const folder = addedFolderOf(command, invocation, io)
  const words =
    folder === undefined
      ? again('trust', invocation, io)
      : again(`trust ${quoted(folder)}`, { ...invocation, cwd: undefined, addDirs: [] }, io)
  return `See what trusting its folder means: ${printableLine(words)}`
}

/** Returns the folder of `--add-dir` that a skill lies in; undefined if it belongs to the project. */
function addedFolderOf(command: Command, invocation: Invocation, io: Io): string | undefined {
  const path = command.type === 'prompt' ? command.filePath : undefined
  const host = hostOf(invocation, io)
  const real = path === undefined ? undefined : realPathOf(path)
  if (real === undefined || isInside(real, realPathOf(findProjectFolders(host).top) ?? '')) return undefined
  const folders = invocation.addDirs.map(folder => resolve(host.cwd, folder))
  return folders.find(folder => isInside(real, realPathOf(folder) ?? folder))
}

const untilChanged = 'until-changed'

/** @param isApprovable true if an approval can be saved */
function choicesOf(
  { suggestions = [], decisionReason: { needsApproval = false } }: PermissionDecision,
  isApprovable: boolean,
): readonly Choice[] {
  // A rule that allows the skill counts again once the skill is approved as it is.
  return [
    { value: 'deny', label: 'No' },
    { value: 'once', label: 'Yes, this once' },
    ...(isApprovable && needsApproval ? [{ value: untilChanged, label: 'Yes, until the skill changes' }] : []),
    ...suggestions.map(({ rules }, at) => ({
      value: ruleValue(at),
      label: `Yes, always: ${rules.map(rule => `${ruleText(rule)}${coverOf(rule)}`).join(', ')}`,
    })),
  ]
}

/** Returns what else a rule with an open end allows. */
function coverOf({ toolName, ruleContent }: RuleSuggestion['rules'][number]): string {
  const prefix = toolName === 'Skill' ? undefined : /^(.*):\*$/.exec(ruleContent ?? '')?.[1]
  return prefix === undefined
    ? ''
    : `. This also covers every other ${inQuotes(prefix)}, if its further words are known to start no other program and write no other file`
}

function ruleValue(at: number): string {
  return `rule ${at}`
}

function ruleText({ toolName, ruleContent }: RuleSuggestion['rules'][number]): string {
  return printableLine(ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`)
}

function rulesOf(
  { texts }: RuledInvocation,
  flag: '--allow' | '--deny',
): readonly { readonly rule: string; readonly source: string }[] {
  return texts(flag).map(rule => ({ rule, source: flag }))
}
