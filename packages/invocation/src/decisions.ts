import { withDeadline, isAbortError, SkillsError, type Command, type Skills, type PromptCommand } from '@skills/core'
import { permissionOf, ruled, settled, type Decided, type OnUntrusted, type Question } from './decision.js'
import { typedConsent } from './typed-consent.js'
import type { OnAsk, PermissionRequest } from '@skills/rules'
import { doesMore } from './does-more.js'

export interface DecisionOptions {
  /** Asked when no rule decides. Without it, the call is denied. */
  readonly onAsk?: OnAsk | undefined
  /** Asked when a person typed the name of a skill in a place that is not trusted. Without it, the skill is denied. */
  readonly onUntrusted?: OnUntrusted | undefined
  /**
   * Effect of typing the name of a trusted skill. `consent` (default): allows the skill and the commands that it
   * embeds; `skill`: allows the skill alone; `asks`: the person is asked anyway.
   */
  readonly typing?: 'consent' | 'skill' | 'asks' | undefined
}

interface Weighed {
  readonly decided: Decided
  /** True if a yes to the question, should it be asked, approves the skill for this invocation. */
  readonly isApproval: boolean
}

/**
 * Decides what a skill may do. The rules are asked first, then the host. A gate can forbid an action regardless of
 * both.
 */
export class Decisions {
  constructor(
    private readonly skills: Skills,
    private readonly options: DecisionOptions,
  ) {}

  /** Decides by the rules, without asking anyone. Throws `E_NO_PERMISSION` without a permission provider. */
  async decide({ grants = true, objection, asking: _, ...question }: Question, signal?: AbortSignal): Promise<Decided> {
    const {
      entry: { command, name },
      tool,
    } = question
    const permission = permissionOf(this.skills, `"${name}" may not run`)
    const verdict =
      command.type === 'prompt'
        ? await this.skills.use('trust').first((trust, call) => trust.judge(command, false, call), { signal })
        : undefined
    const trust = verdict?.level ?? 'untrusted'
    // Once a skill is trusted, its allowed-tools permit the calls that it makes itself.
    const granted =
      grants !== false && trust === 'trusted' && command.type === 'prompt' && tool !== 'Skill'
        ? command.allowedTools
        : undefined
    const decision = await ruled(permission, { ...question, trust, granted }, { objection, signal })
    const isOpen = decision.behavior === 'ask' && decision.decisionReason.type === 'default'
    return question.isFree === true && isOpen
      ? { behavior: 'allow', message: 'No rule matches this call.', decisionReason: { type: 'default' }, trust }
      : { ...decision, trust }
  }

  /** Decides as {@link decide}, for callers that then ask a person: denies at once if a yes would not count. */
  async decideBeforeAsking(question: Question, signal?: AbortSignal): Promise<Decided> {
    return (await this.#weighed(question, signal)).decided
  }

  /**
   * Decides, and asks the host if the rules leave the question open.
   * @param ofCall asked instead of the host, about this call alone: its yes approves nothing for other calls
   */
  async settled(question: Question, signal: AbortSignal, ofCall?: OnAsk): Promise<Decided> {
    const { grants: _, objection: __, asking, ...about } = question
    const onAsk = ofCall ?? this.options.onAsk
    const {
      decided: { trust, ...asked },
      isApproval,
    } = await this.#trustedOrWeighed(question, about, signal)
    const request = { ...about, trust }
    const { command } = question.entry
    let approved = question.approved
    const confirm = async (inner: AbortSignal): Promise<boolean> => {
      const approval = await this.#approve(command, inner, true)
      // A yes to one command of the skill is no yes to its others.
      if (question.tool === 'Skill') approved = approval?.approved
      return approval !== undefined
    }
    const approve = async (inner: AbortSignal): Promise<void> => {
      if ((await this.#approve(command, inner, false)) !== undefined) return
      throw new SkillsError('E_STATE', `The approval of the skill "${command.name}" was not saved.`, {
        hint: 'A diagnostic says why.',
      })
    }
    const decision = {
      ...(await settled(request, asked, {
        onAsk: asking === undefined ? onAsk : put => asking.ask(put, onAsk),
        signals: [signal, asking?.signal],
        ...(isApproval && { confirm, ...(ofCall === undefined && { approve }) }),
      })),
      trust,
    }
    this.skills.emit('permission:decided', { request, decision })
    return approved === undefined ? decision : { ...decision, approved }
  }

  /** Asks about the folder if a person typed a name in an untrusted one; decides again after a yes. */
  async #trustedOrWeighed(
    question: Question,
    about: Omit<PermissionRequest, 'trust'>,
    signal: AbortSignal,
  ): Promise<Weighed> {
    const { onUntrusted } = this.options
    const weighed = await this.#weighed(question, signal)
    const { behavior, decisionReason, trust } = weighed.decided
    const isForPlace = behavior === 'deny' && decisionReason.type === 'trust' && trust === 'untrusted'
    if (onUntrusted === undefined || !isForPlace || question.caller !== 'user' || question.tool !== 'Skill')
      return weighed
    const isTrusted = await withDeadline(inner => onUntrusted({ request: { ...about, trust }, signal: inner }), {
      signals: [signal],
    })
    return isTrusted === true ? this.#weighed(question, signal) : weighed
  }

  /** Decides before anyone is asked, and says whether a yes would also approve the skill. */
  async #weighed(question: Question, signal: AbortSignal | undefined): Promise<Weighed> {
    const byRules = await this.decide(question, signal)
    // A hook that asks is about one call, so a yes to it approves nothing.
    if (byRules.behavior !== 'ask' || question.objection !== undefined) return { decided: byRules, isApproval: false }
    const { typing } = this.options
    const typed =
      typing === 'asks' || (typing === 'skill' && question.tool !== 'Skill')
        ? undefined
        : await typedConsent(this.skills.use('trust'), question, byRules, signal)
    const decided = typed ?? byRules
    if (decided.behavior === 'allow') return { decided, isApproval: false }
    const refusal = await this.#refusalOf(question.entry.command, signal)
    // A yes while the rules cannot be read counts once.
    if (refusal === undefined) return { decided, isApproval: decided.decisionReason.type !== 'unreadable' }
    if (await this.#isReading(question, decided, signal)) return { decided, isApproval: false }
    const message = `${decided.message}: no one was asked, because permission alone would not be enough. ${refusal}`
    return {
      decided: {
        behavior: 'deny',
        message,
        decisionReason: { ...decided.decisionReason, type: 'trust' },
        trust: decided.trust,
      },
      isApproval: false,
    }
  }

  /** True if invoking an untrusted skill would only read its text. That needs no trust: there is nothing to run. */
  async #isReading(
    { tool, entry: { command }, args }: Question,
    { trust }: Pick<Decided, 'trust'>,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    return (
      tool === 'Skill' &&
      trust === 'untrusted' &&
      command.type === 'prompt' &&
      (await this.#asksForNothing(command, args, signal))
    )
  }

  /**
   * True if invoking a skill only reads its text: it has no unsafe field and embeds no command. False if its text
   * cannot be read.
   */
  async #asksForNothing(command: PromptCommand, args: string, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return !(await doesMore(this.skills.use('executor'), command, args, signal))
    } catch (error) {
      if (isAbortError(error)) throw error
      return false
    }
  }

  async #refusalOf(command: Command, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (command.type !== 'prompt') return undefined
    const answer = await this.skills
      .use('trust')
      .first(async (one, call) => ({ refusal: await one.refuses?.(command, call) }), { signal })
    if (answer === undefined || 'refusal' in answer) return answer?.refusal
    // A failing provider is answered for by an object without `refusal`.
    return 'The trust provider failed; a diagnostic says why.'
  }

  /**
   * Approves the text that the skill has now. A text that was put there meanwhile needs an approval of its own.
   * Undefined if the approval failed.
   */
  async #approve(
    command: Command,
    signal: AbortSignal,
    once: boolean,
  ): Promise<{ readonly approved: string | undefined } | undefined> {
    const trust = this.skills.use('trust')
    if (command.type !== 'prompt' || trust.ids.length === 0) return { approved: undefined }
    const answer = await trust.first(
      async (one, call) => ({ approved: (await one.approve?.(command, { ...call, once })) || undefined }),
      { signal },
    )
    // A failing provider is answered for by an object without `approved`.
    return answer !== undefined && 'approved' in answer ? answer : undefined
  }

  /**
   * Returns the reason of the first gate that forbids an action for a command; undefined if none does. A gate that
   * fails forbids.
   */
  async forbids(action: 'shell', command: Command, signal: AbortSignal): Promise<string | undefined> {
    const answers = await this.skills
      .use('gate')
      .each(async (gate, call) => ({ reason: await gate.forbids?.(action, command, call) }), { signal })
    for (const { id, value } of answers) {
      // A failing gate is answered for by an object without `reason`.
      const reason = 'reason' in value ? value.reason : `The gate "${id}" failed.`
      if (reason !== undefined) return reason
    }
    return undefined
  }
}
