import { selectedStore } from '../selected-reads.js'
import type { FileReads } from '../shared-reads.js'
import type { Catalog, Command } from '@skills/core'

/** What names consist of that are found by their letters. */
const plain = /^[\w.-]+$/
/** In numbers and dates, which YAML may write in another way, no two letters stand side by side. */
const hasLetters = /[a-z]{2}/i
const yamlWords = new Set(['true', 'false', 'null', 'nan', 'infinity'])

/** Of a path everything but what names are nearly always made of. */
const unusual = /[^\w./-]/
/** What may spell a name in another way: an escape, a variable, the sign of kelvin, which is a K in another form. */
const spelling = /\\|\$\{|\xe2\x84\xaa/
const beyondAscii = /[^\0-\x7f]/

/**
 * Reads for a catalog that answers what some names mean as the full one does, without the files that nothing of it can
 * depend on: by their own names, by what their frontmatter calls them, and by what looks like either. Undefined where a
 * name could be written in too many ways.
 * @param names the one that is asked about first, then those that {@link namesBeside} gave for it
 */
export function readsForNames(names: readonly string[]): FileReads | undefined {
  const [asked = ''] = names
  if (!names.every(name => plain.test(name) && hasLetters.test(name) && !yamlWords.has(name.toLowerCase())))
    return undefined
  const alike = new RegExp(names.map(patternOf).join('|'), 'i')
  // Who looks like another name than its own is asked for beyond ASCII too.
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

/** A pattern for all texts that contain a look-alike of a name. */
function patternOf(name: string): string {
  return name.replace(/rn|[^\w]|[mo0il1]/gi, one => {
    if (/^(?:rn|m)$/i.test(one)) return '(?:rn|m)'
    if (/^[o0]$/i.test(one)) return '[o0]'
    return /^[il1]$/i.test(one) ? '[il1|]' : `\\${one}`
  })
}

/**
 * What else those are called that a name may mean, so that they are judged by these names too. Undefined where a
 * catalog of {@link readsForNames} does not show it: nothing has the name, a source did not finish, or a file goes by
 * the name of a link.
 */
export function namesBeside(catalog: Catalog, name: string): readonly string[] | undefined {
  if (catalog.incomplete.length > 0 || !catalog.entries.some(one => one.name === name || hasName(one.command, name)))
    return undefined
  const commands = [
    ...catalog.entries,
    ...catalog.disabled,
    ...catalog.collisions.flatMap(({ winner, loser }) => [winner, loser]),
  ].map(({ command }) => command)
  // Also one that only looks like the name: its file may be read under another name, and this one is not there then.
  if (commands.some(isByLink)) return undefined
  const meant = [...new Set(commands)].filter(command => hasName(command, name))
  const others = [...new Set(meant.flatMap(namesOf).map(one => one.toLowerCase()))].filter(
    one => one !== name.toLowerCase(),
  )
  // What stands in no name of ASCII letters stands in one of those that are all read.
  return others.some(one => beyondAscii.test(one)) ? undefined : others.filter(one => plain.test(one))
}

function namesOf({ name, displayName, aliases }: Command): readonly string[] {
  return [name, displayName, ...aliases]
}

function hasName(command: Command, name: string): boolean {
  return namesOf(command).some(one => one.toLowerCase() === name.toLowerCase())
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
