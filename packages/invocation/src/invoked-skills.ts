import * as s from '@skills/core/schema'
import { type CatalogEntry, type Skills } from '@skills/core'
import type { Message, Outcome } from './executor.js'

const invokedSkillsOptions = s.options('new InvokedSkills()', {
  /** Most tokens restored of one skill. */
  tokensEach: s.number().default(5000),
  /** Most tokens restored in all. */
  tokensInAll: s.number().default(25_000),
  /** Counts the tokens of a text. Default: one for four characters. */
  countTokens: s.fn<(text: string) => number>().default(text => Math.round(text.length / 4)),
})

export interface InvokedSkillsOptions extends s.OptionsOf<typeof invokedSkillsOptions> {}

/** Tokens that are kept free for the line that says that a text is cut. */
const tokensOfNote = 25

/** Invocation that has ended. */
interface Heard {
  readonly entry: CatalogEntry
  readonly agentId?: string | undefined
  readonly args?: string | undefined
  readonly outcome: Outcome
}

/** Skill whose text an agent has received. */
export interface InvokedSkill {
  readonly name: string
  /** Path of its file, if it has one. */
  readonly path?: string | undefined
  /** Arguments of that invocation. Absent if there were none. */
  readonly args?: string | undefined
  readonly content: string
  /** False if its author wants it not to be given again (`restore: false`). Default: true. */
  readonly restore?: boolean | undefined
}

/** Skill to give again. */
export interface RestoredSkill extends InvokedSkill {
  /** Characters of the whole text, if `content` is only its beginning. */
  readonly cutFrom?: number | undefined
}

/**
 * Remembers which skills each agent has received, so that a host can send the skills again after it shortened a
 * conversation. See docs/reference/sessions.md, "Restoring skills".
 */
export class InvokedSkills {
  readonly #options: ReturnType<typeof invokedSkillsOptions.read>
  /** Skills by agent, the last invoked last. */
  readonly #byAgent = new Map<string, Map<string, InvokedSkill>>()
  readonly #stops: readonly (() => void)[]

  /** @param skills engine whose own session is recorded by itself; undefined if `hear` is called instead */
  constructor(skills: Pick<Skills, 'hook'> | undefined, given?: InvokedSkillsOptions) {
    this.#options = invokedSkillsOptions.read(given)
    this.#stops =
      skills === undefined
        ? []
        : [
            skills.hook('invocation:end', event => {
              if (event.sessionId === undefined) this.hear(event)
            }),
            skills.hook('fork:ended', ({ agentId }) => this.forget(agentId)),
          ]
  }

  /** Records a skill whose text an agent was given, if it ran in the conversation of that agent. */
  hear({ entry: { name, command }, agentId = '', args = '', outcome }: Heard): void {
    if (outcome.data.status !== 'inline') return
    const before = this.#byAgent.get(agentId)?.get(name)
    // A repeated invocation only points to the text, which the agent has from before.
    const isRepeated = outcome.data['isRepeated'] === true && before !== undefined
    const path = command.type === 'prompt' ? command.filePath : undefined
    const content = isRepeated ? before.content : contentOf(outcome.newMessages)
    const isOnce = command.type === 'prompt' && command.restore === false
    this.add({ name, path, ...(args.trim() !== '' && { args }), content, ...(isOnce && { restore: false }) }, agentId)
  }

  /** Returns the full texts that an agent was given, the oldest first. */
  known(agentId = ''): readonly InvokedSkill[] {
    return [...(this.#byAgent.get(agentId)?.values() ?? [])]
  }

  /** Records that an agent was given a skill, as its newest. */
  add(skill: InvokedSkill, agentId = ''): void {
    const known = this.#byAgent.get(agentId) ?? new Map<string, InvokedSkill>()
    this.#byAgent.set(agentId, known)
    known.delete(skill.name)
    known.set(skill.name, skill)
  }

  /** Forgets a skill whose work is done, so that it is not given again. Returns true if it was known. */
  finish(name: string, agentId = ''): boolean {
    return this.#byAgent.get(agentId)?.delete(name) === true
  }

  /**
   * Returns the skills of an agent to give again, the newest first, each cut to its share. A skill that has no room
   * beside newer ones is left out and forgotten, and an older one that still has room is not. A skill with `restore:
   * false` is always left out.
   */
  restore(agentId = ''): readonly RestoredSkill[] {
    const { tokensEach, tokensInAll, countTokens } = this.#options
    const restored: RestoredSkill[] = []
    let room = tokensInAll
    for (const { restore = true, ...skill } of this.known(agentId).toReversed()) {
      if (!restore) continue
      const isCut = countTokens(skill.content) > tokensEach
      const content = isCut
        ? cutTo(skill.content, Math.max(tokensEach - tokensOfNote, tokensEach / 2), countTokens)
        : skill.content
      const tokens = isCut ? tokensEach : countTokens(content)
      if (tokens > room) {
        this.finish(skill.name, agentId)
        continue
      }
      room -= tokens
      restored.push({ ...skill, content, ...(isCut && { cutFrom: skill.content.length }) })
    }
    return restored
  }

  /** Forgets the skills of an agent that ended. */
  forget(agentId = ''): void {
    this.#byAgent.delete(agentId)
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }
}

function contentOf(messages: readonly Message[]): string {
  const forModel = messages.filter(({ isMeta }) => isMeta === true)
  // A plain conversation has no line for people that the text must be told apart from.
  const given = forModel.length > 0 ? forModel : messages.filter(({ type }) => type === 'user')
  return given
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map(block => (block.type === 'text' ? block.text : '')).join('\n'),
    )
    .join('\n')
}

/** Returns the longest beginning of a text with at most that many tokens. It never splits a surrogate pair. */
function cutTo(text: string, tokens: number, countTokens: (text: string) => number): string {
  let least = 0
  let most = text.length
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (countTokens(text.slice(0, middle)) <= tokens) least = middle
    else most = middle - 1
  }
  const isTorn = /[\ud800-\udbff]/.test(text.charAt(least - 1))
  return text.slice(0, isTorn ? least - 1 : least)
}
