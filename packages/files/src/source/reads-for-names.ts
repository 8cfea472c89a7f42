import { selectedStore } from '../selected-reads.js'
import type { FileReads } from '../shared-reads.js'
import type { Catalog, Command } from '@skills/core'

/** Names that can be found by their letters. */
const plain = /^[\w.-]+$/
/** Two letters in a row: a name without them may be a number or a date, which YAML can write in several ways. */
const hasLetters = /[a-z]{2}/i
const yamlWords = new Set(['true', 'false', 'null', 'nan', 'infinity'])

/** Characters of a path that names hardly ever have. */
const unusual = /[^\w./-]/
/** Text that can spell a name in another way: an escape, a variable, or the kelvin sign, which is another form of K. */
const spelling = /\\|\$\{|\xe2\x84\xaa/
const beyondAscii = /[^\0-\x7f]/

/**
 * Limits reading to the files that can affect what some names mean: files with such a name or a look-alike, on disk or
 * in their frontmatter. For these names, a catalog that was loaded in this way gives the same answers as a full
 * catalog. Returns undefined if a name could be written in too many ways.
 * @param names the wanted name, followed by the names that {@link namesBeside} returned for it
 */
export function readsForNames(names: readonly string[]): FileReads | undefined {
  const [asked = ''] = names
  if (!names.every(name => plain.test(name) && hasLetters.test(name) && !yamlWords.has(name.toLowerCase())))
    return undefined
  const alike = new RegExp(names.map(patternOf).join('|'), 'i')
  // A command that looks like another one must also be found under names beyond ASCII.
  const isThorough = names.some(name => name.toLowerCase() !== asked.toLowerCase())
  const wanted = {
    isWantedAt: (path: string): boolean => {
      const name = path.slice(path.lastIndexOf('/', path.lastIndexOf('/') - 1) + 1)
      return unusual.test(name) || alike.test(name)
    },
    isWantedFor: (block: string): boolean =>
      alike.test(block) || spelling.test(block) || (isThorough && beyondAscii.test(block)),
  }
  return { over: store => selectedStore(store, wanted) }
}

/** Returns a pattern for all texts that contain a look-alike of a name. */
function patternOf(name: string): string {
  return name.replace(/rn|[^\w]|[mo0il1]/gi, one => {
    if (/^(?:rn|m)$/i.test(one)) return '(?:rn|m)'
    if (/^[o0]$/i.test(one)) return '[o0]'
    return /^[il1]$/i.test(one) ? '[il1|]' : `\\${one}`
  })
}

/**
 * Returns the other names of the commands that some names may mean, so that these other names are examined too. Returns
 * undefined if a catalog of {@link readsForNames} does not show all of them, because a source did not finish or a file
 * is named by a link.
 * @param paths real paths of further files, which are examined whatever their names are. Default: none
 */
export function namesBeside(
  catalog: Catalog,
  names: readonly string[],
  paths: ReadonlySet<string> = new Set(),
): readonly string[] | undefined {
  if (catalog.incomplete.length > 0) return undefined
  const commands = [
    ...catalog.entries,
    ...catalog.disabled,
    ...catalog.collisions.flatMap(({ winner, loser }) => [winner, loser]),
  ].map(({ command }) => command)
  // Counts even for a look-alike: its file may be read under another name, and this one is then missing.
  if (commands.some(isByLink)) return undefined
  const meant = [...new Set(commands)].filter(
    command => names.some(name => hasName(command, name)) || paths.has(realPathIn(command)),
  )
  const known = new Set(names.map(name => name.toLowerCase()))
  const others = [...new Set(meant.flatMap(namesOf).map(one => one.toLowerCase()))].filter(one => !known.has(one))
  // A name beyond ASCII cannot be searched for by its letters, so the full catalog is needed.
  return others.some(one => beyondAscii.test(one)) ? undefined : others.filter(one => plain.test(one))
}

function namesOf({ name, displayName, aliases }: Command): readonly string[] {
  return [name, displayName, ...aliases]
}

/** Returns true if one of a command's names equals a name, ignoring case. */
export function hasName(command: Command, name: string): boolean {
  return namesOf(command).some(one => one.toLowerCase() === name.toLowerCase())
}

function realPathIn(command: Command): string {
  return (command.type === 'prompt' && (command.file?.realPath ?? command.filePath)) || ''
}

function isByLink(command: Command): boolean {
  if (command.type !== 'prompt' || command.file === undefined || command.filePath === undefined) return false
  return tailOf(command.filePath) !== tailOf(command.file.realPath)
}

function tailOf(path: string): string | undefined {
  return path
    .replace(/\/SKILL\.md$/i, '')
    .split('/')
    .at(-1)
}
