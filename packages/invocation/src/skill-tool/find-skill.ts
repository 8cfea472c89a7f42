import {
  closestNames,
  locationOf,
  mayModelInvoke,
  nameKey,
  shownName,
  SkillsError,
  type AskOptions,
  type Catalog,
  type CatalogEntry,
  type Diagnostic,
} from '@skills/core'
import { isNamedExactly } from '../current-entry.js'
import { oneLine } from './one-line.js'
import type { EnginePort } from './engine-port.js'

/**
 * Reason why the Skill tool refuses a name. 1: the name is missing or malformed. 2: the skill is unknown. 3: the skill
 * could not be loaded. 4: the skill is not for models. 5: the command is not a prompt. 6: the remote skill is unknown.
 */
export type ValidationCode = 1 | 2 | 3 | 4 | 5 | 6

export interface Refusal {
  readonly result: false
  /** Message that names the skill. */
  readonly message: string
  readonly errorCode: ValidationCode
}

export interface FindOptions {
  /** True if the message about an unknown name lists the closest ones. */
  readonly suggests: boolean
  /** `any`: a name counts in letters of another case too. */
  readonly letters: 'any' | 'exact'
  /** True if the message tells a skill that could not be loaded from an unknown one. */
  readonly tellsLoadErrors: boolean
  readonly texts?: RefusalTexts | undefined
}

/** Messages in a distribution's own words. */
export interface RefusalTexts {
  /**
   * Message for a name that no skill has.
   * @param available names that the model could use
   */
  readonly unknown?: ((name: string, available: readonly string[]) => string) | undefined
  /**
   * Message for a command that is not a prompt.
   * @param type `local` or `local-ui`
   */
  readonly notPrompt?: ((name: string, type: string) => string) | undefined
  /** Message for a skill that an override switches off. Default: that of an unknown name. */
  readonly off?: ((name: string) => string) | undefined
}

export const remotePrefix = '_canonical_'

/**
 * Finds the skill that a model means, or returns the reason why the model cannot have the skill. See
 * docs/reference/listing.md, "The Skill tool".
 */
export async function findSkill(
  engine: EnginePort,
  name: string,
  { suggests, letters, tellsLoadErrors, texts = {} }: FindOptions,
  options: AskOptions,
): Promise<CatalogEntry | Refusal> {
  if (name === '') return refuse(1, 'Invalid skill name: it is empty.')
  // A control character, such as a line break, is a slip of the model, not the name of a missing skill.
  if (/\p{Cc}/u.test(name)) return refuse(1, `Invalid skill name: ${oneLine(name)}`)
  if (engine.remote !== undefined && name.startsWith(remotePrefix)) {
    const entry = await engine.remote(name.slice(remotePrefix.length), options)
    return entry === undefined
      ? refuse(6, `Remote skill ${oneLine(name)} not found.`)
      : (refusalOf(entry, texts) ?? entry)
  }
  const catalog = await engine.catalog({ ...options, names: [name] })
  const { entry: found, problem } = lookUp(catalog, name)
  const entry = found !== undefined && letters === 'exact' && !isNamedExactly(found, name) ? undefined : found
  if (entry === undefined) {
    const off = texts.off && catalog.disabled.find(one => one.override === 'off' && isNamedExactly(one, name))
    if (off !== undefined) return refuse(4, texts.off?.(oneLine(shownName(off.name))) ?? '')
    const error = tellsLoadErrors ? errorOf(catalog, name) : undefined
    if (error !== undefined)
      return refuse(3, `Skill ${oneLine(name)} could not be loaded: ${oneLine(whatHappened(error))}`)
    const [late] = catalog.incomplete
    const unseen = late && `Not every skill was found: ${oneLine(late.reason)}`
    if (texts.unknown !== undefined) {
      const available = usable(catalog).map(other => oneLine(shownName(other)))
      return refuse(2, [texts.unknown(oneLine(name), available), unseen ?? []].flat().join(' '))
    }
    return refuse(
      2,
      [`Unknown skill: ${oneLine(name)}`, problem ?? unseen ?? (suggests ? closeTo(catalog, name) : undefined)]
        .filter(part => part !== undefined)
        .join('. '),
    )
  }
  if (entry.dormant !== undefined)
    return refuse(2, `Unknown skill: ${oneLine(shownName(name))}. ${oneLine(entry.dormant)}`)
  if (engine.isUntold?.(entry) === true)
    return refuse(
      2,
      `Unknown skill: ${oneLine(shownName(name))}. The skill that you were told of no longer exists, and another skill has its name now. You can invoke that skill once it appears in your list of skills.`,
    )
  return refusalOf(entry, texts) ?? entry
}

function refuse(errorCode: ValidationCode, message: string): Refusal {
  return { result: false, message, errorCode }
}

function lookUp(
  catalog: Catalog,
  name: string,
): { readonly entry?: CatalogEntry | undefined; readonly problem?: string } {
  try {
    return { entry: catalog.lookup(name) }
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_AMBIGUOUS_NAME') return { problem: oneLine(error.message) }
    throw error
  }
}

function refusalOf({ name, command, override }: CatalogEntry, { notPrompt }: RefusalTexts): Refusal | undefined {
  const shown = oneLine(shownName(name))
  if (override === 'user-only')
    return refuse(4, `Skill ${shown} is not for models to invoke: the user keeps it to themselves.`)
  if (command.type === 'prompt' && command.disableModelInvocation)
    return refuse(4, `Skill ${shown} is not for models to invoke: it sets disable-model-invocation.`)
  if (command.type !== 'prompt')
    return refuse(
      5,
      notPrompt?.(shown, command.type) ??
        `Skill ${shown} is not a prompt: it runs in the host, and only a user can invoke it.`,
    )
  return undefined
}

function errorOf({ errors }: Catalog, name: string): Diagnostic | undefined {
  const key = nameKey(name)
  return (
    errors.find(error => error.name !== undefined && nameKey(error.name) === key) ??
    errors.find(error => error.name !== undefined && nameKey(error.name).toLowerCase() === key.toLowerCase())
  )
}

function whatHappened(error: Diagnostic): string {
  const place = locationOf(error)
  return [place === '' ? error.message : `${place}: ${error.message}`, error.hint]
    .filter(part => part !== undefined)
    .join(' ')
}

function usable({ entries }: Catalog): readonly string[] {
  return entries.filter(isForModels).map(entry => entry.name)
}

/** True if a model may invoke an entry, unless a rule denies it. */
export function isForModels({ command, override, dormant }: CatalogEntry): boolean {
  return mayModelInvoke(command) && override !== 'user-only' && dormant === undefined
}

/** Returns a question that names close names which the model may use. */
function closeTo(catalog: Catalog, name: string): string | undefined {
  const close = closestNames(name, usable(catalog)).map(other => oneLine(shownName(other)))
  return close.length === 0 ? undefined : `Did you mean ${close.join(' or ')}?`
}
