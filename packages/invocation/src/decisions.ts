import { withDeadline, isAbortError, type Command, type Skills, type PromptCommand } from '@skills/core'
import { permissionOf, ruled, settled, type Decided, type OnUntrusted, type Question } from './decision.js'
import { typedConsent } from './typed-consent.js'
import type { OnAsk, PermissionRequest } from '@skills/rules'
import { firstUnsafeField, mayEmbedCommand } from './safe-properties.js'

export interface DecisionOptions {
  /** Asked when no rule decides. Without it, the call is denied. */
  readonly onAsk?: OnAsk | undefined
  /** Asked when a person typed the name of a skill in a place that is not trusted. Without it, the skill is denied. */
  readonly onUntrusted?: OnUntrusted | undefined
  /**
   * Whether typing the name of a trusted skill is a yes to it and to what it embeds (`consent`, the default), to the
   * skill alone (`skill`), or a person is asked all the same (`asks`).
   */
  readonly typing?: 'consent' | 'skill' | 'asks' | undefined
}

interface Weighed {
  readonly decided: Decided
  /** Whether a yes to the question that it may be approves the skill. */
  readonly isApproval: boolean
}

/** What a skill may do: the rules, then the host, and above both the gates. */
export class Decisions {
  constructor(
    private readonly skills: Skills,
    private readonly options: DecisionOptions,
  ) {}

  /** What the rules decide; no one is asked. Throws `E_NO_PERMISSION` without a permission provider. */
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
    // The allowed-tools of a skill permit what it does itself, once it is trusted.
    const granted =
      grants && trust === 'trusted' && command.type === 'prompt' && tool !== 'Skill' ? command.allowedTools : undefined
    const decision = await ruled(permission, { ...question, trust, granted }, { objection, signal })
    const isOpen = decision.behavior === 'ask' && decision.decisionReason.type === 'default'
    return question.isFree === true && isOpen
      ? { behavior: 'allow', message: 'No rule is about it.', decisionReason: { type: 'default' }, trust }
      : { ...decision, trust }
  }

  /** As {@link decide}, for callers that then ask a person: denies at once when a yes would not count. */
  async decideBeforeAsking(question: Question, signal?: AbortSignal): Promise<Decided> {
    return (await this.#weighed(question, signal)).decided
  }

  /**
   * The decision after the host answered what the rules leave open.
   * @param ofCall asked in its place about this call alone: its yes approves nothing for others
   */
  async settled(question: Question, signal: AbortSignal, ofCall?: OnAsk): Promise<Decided> {
    const { grants: _, objection: __, asking, ...about } = question
    const onAsk = ofCall ?? this.options.onAsk
    const {
      decided: { trust, ...asked },
      isApproval,
    } = await this.#trustedOrWeighed(question, about, signal)
    const request = { ...about, trust }
    const remember =
      isApproval && ofCall === undefined
        ? (inner: AbortSignal) => this.#approve(question.entry.command, inner)
        : undefined
    const decision = {
      ...(await settled(request, asked, {
        onAsk: asking === undefined ? onAsk : put => asking.ask(put, onAsk),
        signals: [signal, asking?.signal],
        remember,
      })),
      trust,
    }
    this.skills.emit('permission:decided', { request, decision })
    return decision
  }

  /** A person who typed a name in a place that is not trusted is asked about the place. */
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

  /** What would be decided, and whether a yes to the question that it may be approves the skill. */
  async #weighed(question: Question, signal: AbortSignal | undefined): Promise<Weighed> {
    const byRules = await this.decide(question, signal)
    // What a hook wants to have asked is about one call, and approves nothing.
    if (byRules.behavior !== 'ask' || question.objection !== undefined) return { decided: byRules, isApproval: false }
    const { typing } = this.options
    const typed =
      typing === 'asks' || (typing === 'skill' && question.tool !== 'Skill')
        ? undefined
        : await typedConsent(this.skills.use('trust'), question, byRules, signal)
    const decided = typed ?? byRules
    if (decided.behavior === 'allow') return { decided, isApproval: false }
    const refusal = await this.#refusalOf(question.entry.command, signal)
    // A yes although rules cannot be read is one for this once.
    if (refusal === undefined) return { decided, isApproval: decided.decisionReason.type !== 'unreadable' }
    if (await isReading(question, decided, signal)) return { decided, isApproval: false }
    const message = `${decided.message}: no one was asked, because a yes would not count. ${refusal}`
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

  async #refusalOf(command: Command, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (command.type !== 'prompt') return undefined
    const answer = await this.skills
      .use('trust')
      .first(async (one, call) => ({ refusal: await one.refuses?.(command, call) }), { signal })
    if (answer === undefined || 'refusal' in answer) return answer?.refusal
    // The answer that stands for a failing provider has another shape.
    return 'The trust provider failed, as a diagnostic says.'
  }

  /**
   * What was approved is what stands there now: another text is another question, also one that was put there
   * meanwhile.
   */
  async #approve(command: Command, signal: AbortSignal): Promise<boolean> {
    const trust = this.skills.use('trust')
    if (command.type !== 'prompt' || trust.ids.length === 0) return true
    const isApproved = await trust.first(
      async (one, call) => {
        await one.approve?.(command, call)
        return true
      },
      { signal },
    )
    return isApproved === true
  }

  /** Why something must not be done for a command: one gate's reason is enough, and one that fails forbids. */
  async forbids(action: 'shell', command: Command, signal: AbortSignal): Promise<string | undefined> {
    const answers = await this.skills
      .use('gate')
      .each(async (gate, call) => ({ reason: await gate.forbids?.(action, command, call) }), { signal })
    for (const { id, value } of answers) {
      // The answer that stands for a failing gate has another shape.
      const reason = 'reason' in value ? value.reason : `The gate "${id}" failed.`
      if (reason !== undefined) return reason
    }
    return undefined
  }
}

/**
 * Whether to invoke a skill is to read it and nothing else, which takes no trust: it has nothing to run, and what is
 * not trusted would not run.
 */
async function isReading(
  { tool, entry: { command }, args }: Question,
  { trust }: Pick<Decided, 'trust'>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  return (
    tool === 'Skill' &&
    trust === 'untrusted' &&
    command.type === 'prompt' &&
    (await asksForNothing(command, args, signal))
  )
}

/** Whether a skill is there to be read and nothing else. One whose text cannot be read is not. */
async function asksForNothing(command: PromptCommand, args: string, signal: AbortSignal | undefined): Promise<boolean> {
  if (firstUnsafeField(command) !== undefined) return false
  try {
    const body = await withDeadline(inner => command.load(args, { signal: inner }), { signals: [signal] })
    return 'blocks' in body || !mayEmbedCommand(body.template)
  } catch (error) {
    if (isAbortError(error)) throw error
    return false
  }
}
