import { Invoker } from '../invoker.js'
import { descriptionOf } from './description-of.js'
import type { CatalogEntry, Command, Reason } from '@skills/core'
import type { ToldEngine, ToldSkill } from './told-skill.js'

/** Returns the reason why an entry is switched off. */
export function disabledBecause({ barred, override, name }: CatalogEntry): Reason {
  if (barred !== undefined) return { cause: 'gate', text: barred }
  return override === 'off'
    ? { cause: 'override', text: `The configuration switches "${name}" off.` }
    : { cause: 'disabled', text: `"${name}" is switched off in its own file or by its source.` }
}

/**
 * Returns the reasons why a distribution's listing does not show an entry to a model.
 * @param reasons reasons under the standard rules
 */
export async function reasonsUnder(
  { skills, distribution: { name, port } }: ToldEngine,
  entry: CatalogEntry,
  reasons: readonly Reason[],
  signal: AbortSignal | undefined,
): Promise<readonly Reason[]> {
  if (port.isListed?.(entry) === false)
    return reasons.length > 0
      ? reasons
      : [
          {
            cause: 'flag',
            text: `${name ?? 'This agent'} does not list this skill for its model, because the skill does not describe what it is for.`,
          },
        ]
  // This distribution ignores flags that would keep the entry from the model elsewhere.
  const others = reasons.filter(({ cause }) => cause !== 'flag')
  if (port.leavesOutDenied === false) return others
  const { behavior, message, decisionReason } = await new Invoker(skills).decide(
    { tool: 'Skill', content: entry.name, entry, args: '', caller: 'model' },
    signal,
  )
  return behavior === 'deny'
    ? [...others, { cause: 'permission', text: message, source: decisionReason.source }]
    : others
}

/** Remedies for skills that a setting, a rule or their own file keeps from the model. */
const remedies: Partial<Record<Reason['cause'], string>> = {
  override: 'Set it to "on" there.',
  permission: 'Change this rule.',
  shadowed: 'Rename one of the two skills.',
}

/** Returns why the model is told nothing of a skill. */
export function untold(
  { command, override, dormant, barred }: Pick<CatalogEntry, 'command' | 'override' | 'dormant' | 'barred'>,
  reasons: readonly Reason[],
): Pick<ToldSkill, 'told' | 'cause' | 'because' | 'remedy' | 'reasons'> {
  const waitsFor = dormant ?? barred
  const prompt = command.type === 'prompt' ? command : undefined
  if (prompt !== undefined && prompt.paths.length > 0 && waitsFor !== undefined)
    return {
      told: 'later',
      cause: 'gate',
      because: waitsFor,
      remedy: `The model is told of it once a file that matches ${prompt.paths.join(', ')} is used.`,
      reasons,
    }
  const [first] = reasons
  const isOfAuthor = prompt?.disableModelInvocation === true && first?.cause === 'flag'
  const remedy = isOfAuthor ? 'Remove disable-model-invocation from its file.' : first && remedies[first.cause]
  return {
    told: prompt?.disableModelInvocation === true || override === 'user-only' ? 'user' : 'no',
    cause: first?.cause,
    because: first?.text ?? waitsFor ?? 'The model is not told of the skill.',
    ...(remedy !== undefined && { remedy }),
    reasons,
  }
}

/** Returns what the model is told of a command that has no name of its own in the catalog: nothing. */
export function untoldCommand(command: Command | undefined, reasons: readonly Reason[]): ToldSkill {
  const [first] = reasons
  const remedy = first && remedies[first.cause]
  return {
    told: 'no',
    cause: first?.cause,
    chars: 0,
    of: command === undefined ? 0 : descriptionOf(command).length,
    because: first?.text,
    ...(remedy !== undefined && { remedy }),
    reasons,
  }
}
