import { SkillsError } from '@skills/core'
import { isJsonObject } from '@skills/files/internal'
import { isRefused } from './error.js'
import { isSkillName } from './file-name.js'
import { parseSource } from './source.js'

/** File in which other installers record what they installed, beside `skills.json`. */
export const commonLock = 'skills-lock.json'

/**
 * Returns the skills that a `skills-lock.json` asks for, in our format. Does not use the pins of that file, because it
 * has no commits and its digests can only be computed by its own program.
 * @throws SkillsError `E_INSTALL_LOCK`
 */
export function wantedIn(
  path: string,
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, { readonly source: string }>> {
  const wrong = (why: string): SkillsError =>
    new SkillsError('E_INSTALL_LOCK', `${path} cannot be imported: ${why}.`, {
      hint: 'Write {"skills":{}} into skills.json beside it, and add the skills: skills add.',
    })
  if (data['version'] !== 1 || !isJsonObject(data['skills'])) throw wrong('its version is not supported')
  const entries = Object.entries(data['skills']).map(([name, given]) => {
    if (!isSkillName(name) || !isJsonObject(given))
      throw wrong(`${JSON.stringify(name)} is not a valid name of a skill`)
    const source = sourceOf(given)
    if (source === undefined || !isOfKind(source, given['sourceType']))
      throw wrong(`the source of ${JSON.stringify(name)} is not understood`)
    return [name, { source }] as const
  })
  return Object.fromEntries(entries)
}

function sourceOf(entry: Readonly<Record<string, unknown>>): string | undefined {
  const { source, sourceUrl, sourceType, ref } = entry
  const address = typeof sourceUrl === 'string' ? sourceUrl : source
  if (typeof address !== 'string' || address === '') return undefined
  const tail = typeof ref === 'string' && ref !== '' ? `#${ref}` : ''
  switch (sourceType) {
    case 'github':
      return `${address}${tail}`
    case 'git':
    case 'gitlab':
      return `${/^https?:/.test(address) ? 'git+' : ''}${address}${tail}`
    case 'local':
      return /^(?:\.{0,2}\/|[a-z]:)/i.test(address) ? address : `./${address}`
    case 'well-known':
      return address
    case 'node_modules':
      return `npm:${address}`
    default:
      return undefined
  }
}

/**
 * Returns true if the text is a source of the kind that the entry names, and not another kind that its parts could
 * spell.
 */
function isOfKind(text: string, named: unknown): boolean {
  try {
    const source = parseSource(text, { cwd: '/', home: '/' })
    const { type } = source
    if (named === 'github') return source.type === 'git' && source.url.startsWith('https://github.com/')
    if (named === 'git' || named === 'gitlab') return type === 'git'
    if (named === 'local') return type === 'folder' || (source.type === 'archive' && !/^https?:/i.test(source.at))
    return type === (named === 'node_modules' ? 'npm' : 'site')
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
