import { isAbortError, messageOf, type CatalogEntry, type PromptCommand } from '@skills/core'
import { hooksDigest, type SessionEngine, type SessionState } from './session-value.js'
import { refOf, type Lasting } from './lasting.js'
import type { HookedSkill, SkillRef } from './skill-ref.js'
import type { AgentContext } from '../executor.js'

/** Part of a session's value that could not be restored. */
export interface Lost {
  readonly what: 'value' | 'effort' | 'skills' | 'hooks' | 'sent' | 'lasting' | 'forks'
  /** One sentence that says which part was lost and why. */
  readonly message: string
}

interface Restoring {
  readonly value: unknown
  readonly lasting: Lasting
  readonly signal: AbortSignal | undefined
}

type Parts = (typeof import('./session-schema.js'))['parts']
type Part<K extends keyof Parts> = Parts[K] extends { readonly _zod: { readonly output: infer O } } ? O : never

/** Name of each part in messages for people. */
const meanings: Readonly<Record<keyof Parts, string>> = {
  effort: 'the effort',
  skills: 'which skills are in effect',
  hooks: 'the hooks of skills',
  sent: 'which skills the model was told of',
  lasting: 'the tools and limits that skills set',
  forks: 'which forks were running',
}

/**
 * Restores every valid part of a session's value and returns the parts that could not be restored. Rejects with an
 * `AbortError` and with errors of loading the catalog.
 */
export async function restoreSession(
  skills: SessionEngine,
  session: SessionState,
  { value, lasting, signal }: Restoring,
): Promise<readonly Lost[]> {
  if (typeof value !== 'object' || value === null)
    return [{ what: 'value', message: 'The saved session is not an object, so none of its parts were restored.' }]
  const version: unknown = Reflect.get(value, 'version')
  if (version !== 1) {
    const kept =
      version === undefined ? 'has no version' : `has version ${JSON.stringify(version)}, and only 1 is supported`
    return [
      {
        what: 'value',
        message: `The saved session ${kept}, so these parts were not restored: ${Object.values(meanings).join(', ')}.`,
      },
    ]
  }
  const { parts } = await import('./session-schema.js')
  const lost: Lost[] = []
  function part<K extends keyof Parts>(key: K): Part<K> | undefined {
    const read = parts[key].safeParse(Reflect.get(value as object, key))
    if (read.success) return read.data as Part<K>
    const [issue] = read.error.issues
    const where = [key, ...(issue?.path ?? [])].join('.')
    lost.push({
      what: key,
      message: `The saved session lost a part (${meanings[key]}): "${where}" is not valid (${issue?.message ?? 'no reason given'}).`,
    })
    return undefined
  }
  session.effort ??= part('effort')
  for (const { digest, ...skill } of part('skills') ?? []) {
    session.invoked.add(skill)
    if (digest !== undefined) session.texts.restore(skill.name, digest)
  }
  for (const name of part('sent') ?? []) session.sentTo().add(name)
  for (const name of part('forks') ?? []) {
    lost.push({
      what: 'forks',
      message: `The skill "${name}" was running in a fork when the session was saved, and its result is not known.`,
    })
  }
  const now = new Now(skills, signal)
  const hooks = part('hooks')
  if (hooks !== undefined) lost.push(...(await restoreHooks(skills, session, hooks, now, signal)))
  const asked = part('lasting')
  if (asked !== undefined) lost.push(...(await restoreLasting(lasting, asked, now)))
  session.endTurn()
  return lost
}

/** Finds skills as they are now, with their trust level. */
class Now {
  constructor(
    private readonly skills: SessionEngine,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Finds a skill that still exists and is trusted. Otherwise returns a clause that says why there is none. */
  async find(ref: SkillRef): Promise<PromptCommand | string> {
    const catalog = await this.skills.catalog({ signal: this.signal, names: [ref.name] })
    const isIt = ({ command }: Pick<CatalogEntry, 'command'>): boolean => {
      const { name, source, path } = refOf(command)
      return name === ref.name && source === ref.source && path === ref.path
    }
    const command = [...catalog.entries, ...catalog.found].find(isIt)?.command
    if (command?.type !== 'prompt') return 'the skill no longer exists'
    const verdict = await this.skills
      .use('trust')
      .first((trust, call) => trust.judge(command, true, call), { signal: this.signal })
    if (verdict?.level !== 'trusted') return 'the skill is not trusted'
    return verdict.item === 'changed' ? 'the skill changed since its folder was trusted' : command
  }
}

async function restoreHooks(
  skills: SessionEngine,
  { key }: SessionState,
  { skills: hooked, done }: { readonly skills: readonly HookedSkill[]; readonly done: readonly string[] },
  now: Now,
  signal: AbortSignal | undefined,
): Promise<readonly Lost[]> {
  const lost: Lost[] = []
  const access = skills.use('hooks')
  const failed = (name: string, why: string): void =>
    void lost.push({
      what: 'hooks',
      message: `The hooks of the skill "${name}" are no longer active: ${why}. Invoke the skill again.`,
    })
  if (done.length > 0) await access.first((provider, call) => provider.resume?.(key, done, call), { signal })
  for (const { digest, ...ref } of hooked) {
    const command = await now.find(ref)
    if (typeof command === 'string') failed(ref.name, command)
    else if (hooksDigest(command) !== digest) failed(ref.name, 'the hooks changed since the session was saved')
    else if (access.ids.length === 0) failed(ref.name, 'no provider of the kind "hooks" is registered')
    else {
      try {
        await access.first((provider, call) => provider.register({ command, trust: 'trusted', sessionId: key }, call), {
          signal,
        })
      } catch (error) {
        if (isAbortError(error)) throw error
        failed(ref.name, messageOf(error).replace(/\.$/, ''))
      }
    }
  }
  return lost
}

/** Restores grants only as far as their skills still allow them, since the value comes from outside. */
async function restoreLasting(
  lasting: Lasting,
  { context, by }: { readonly context: AgentContext; readonly by: readonly SkillRef[] },
  now: Now,
): Promise<readonly Lost[]> {
  const allowed = new Set<string>()
  for (const ref of by) {
    const command = await now.find(ref)
    if (typeof command === 'string') continue
    lasting.keep(ref)
    for (const rule of command.allowedTools) allowed.add(rule)
  }
  const { alwaysAllowRules, ...limits } = context.toolPermissionContext ?? {}
  const rules = alwaysAllowRules?.command ?? []
  const kept = rules.filter(rule => allowed.has(rule))
  lasting.context = {
    ...context,
    ...(context.toolPermissionContext && {
      toolPermissionContext: { ...limits, ...(alwaysAllowRules && { alwaysAllowRules: { command: kept } }) },
    }),
  }
  return rules
    .filter(rule => !kept.includes(rule))
    .map(rule => ({
      what: 'lasting',
      message: `${rule} is no longer allowed: no trusted skill of the saved session has this rule now.`,
    }))
}
