import { messageOf, SkillsError } from '@skills/core'
import type { Command, MaybePromise, Skills } from '@skills/core'
import type { Grants, PermissionDecision, PermissionRequest } from './index.js'

/** What the host is asked when no rule decides. Without an answer nothing is done. */
export type OnAsk = (question: { readonly request: PermissionRequest; readonly decision: PermissionDecision; readonly signal: AbortSignal }) => MaybePromise<'allow' | 'deny'>

/** A decision, and how far the command is trusted. */
export type Decided = PermissionDecision & Pick<PermissionRequest, 'trust'>

export type Question = Omit<PermissionRequest, 'trust' | 'granted'> & Grants

/** Who may do what: the rules, then the host, and above both the gates. */
export class Leave {
  readonly #skills: Skills
  readonly #onAsk: OnAsk | undefined

  constructor(skills: Skills, onAsk: OnAsk | undefined) {
    this.#skills = skills
    this.#onAsk = onAsk
  }

  /** What would be decided about an invocation, without asking anybody. Throws `E_NO_PERMISSION` where there is no permission provider. */
  async decide({ grants = true, ...question }: Question, signal?: AbortSignal): Promise<Decided> {
    const { entry, tool } = question
    const { command, name } = entry
    const permission = this.#skills.use('permission')
    if (permission.ids.length === 0) {
      throw new SkillsError('E_NO_PERMISSION', `"${name}" may not run: nobody decides about permissions.`, { hint: 'Register a permission provider, or allowAll() if that is meant.' })
    }
    const verdict = command.type === 'prompt' ? await this.#skills.use('trust').first((trust, call) => trust.judge(command, false, call), { signal }) : undefined
    const trust = verdict?.level ?? 'untrusted'
    // A skill's word counts for what it does itself, once somebody trusts it.
    const granted = grants && trust === 'trusted' && command.type === 'prompt' && tool !== 'Skill' ? command.allowedTools : undefined
    const decision = await permission.first((one, call) => one.check({ ...question, trust, granted }, call), { signal })
    return { behavior: 'deny', message: `Nobody decided about "${name}"`, decisionReason: { type: 'failure' }, ...decision, trust }
  }

  /** A decision that is no question any more: whatever the rules leave open, the host answers. */
  async settled(question: Question, signal: AbortSignal): Promise<Decided> {
    const asked = await this.decide(question, signal)
    const decision = asked.behavior === 'ask' ? { ...asked, ...await this.#ask({ ...question, trust: asked.trust }, asked, signal) } : asked
    this.#skills.emit('permission:decided', { request: { ...question, trust: asked.trust }, decision })
    return decision
  }

  async #ask(request: PermissionRequest, decision: PermissionDecision, signal: AbortSignal): Promise<Pick<PermissionDecision, 'behavior' | 'message' | 'decisionReason'>> {
    const { message } = decision
    const { command } = request.entry
    try {
      const answer = await this.#onAsk?.({ request, decision, signal })
      if (answer !== 'allow') {
        return { behavior: 'deny', message: `${message}: ${answer === undefined ? 'nobody was there to be asked' : 'the host said no'}.`, decisionReason: { type: 'host' } }
      }
      // What was approved is what stands there now: another text is another question, also one that was put there meanwhile.
      const trust = this.#skills.use('trust')
      if (command.type === 'prompt' && trust.ids.length > 0) {
        const isApproved = await trust.first(async (one, call) => {
          await one.approve?.(command, call)
          return true
        }, { signal })
        if (isApproved !== true) return { behavior: 'deny', message: `${message}: the host said yes, and that could not be remembered.`, decisionReason: { type: 'failure' } }
      }
      return { behavior: 'allow', message: `${message}: the host said yes.`, decisionReason: { type: 'host' } }
    } catch (error) {
      if (signal.aborted) throw error
      return { behavior: 'deny', message: `${message}: asking failed: ${messageOf(error)}`, decisionReason: { type: 'failure' } }
    }
  }

  /** Why something must not be done for a command: one gate's reason is enough, and one that fails forbids. */
  async forbids(action: 'shell', command: Command, signal: AbortSignal): Promise<string | undefined> {
    const answers = await this.#skills.use('gate').each(async (gate, call) => ({ reason: await gate.forbids?.(action, command, call) }), { signal })
    for (const { id, value } of answers) {
      // The answer that stands for a failing gate has another shape.
      const reason = 'reason' in value ? value.reason : `The gate "${id}" failed.`
      if (reason !== undefined) return reason
    }
    return undefined
  }
}
