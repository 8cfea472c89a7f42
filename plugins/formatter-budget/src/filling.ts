import { widthOf } from '@skills/invocation/skill-tool/terminal-text'
import { draftOf, lengthOf } from './draft.js'
import { fullDisplayName, separator } from './line.js'
import { Lines } from './lines.js'
import { codeLast, isInCode, isPinned, pinnedFirst } from './strategy.js'
import type { CatalogEntry } from '@skills/core'
import type { Line, LineOptions } from './line.js'
import type { Strategy } from '@skills/invocation/skill-tool'

interface FillingOptions extends Omit<LineOptions, 'keeps' | 'maxDescription'> {
  /** Returns the most UTF-16 code units of a description now. */
  readonly mostDescribed: () => number
  readonly sorts: 'catalog' | 'places'
  readonly showsScope: boolean
}

/**
 * Lists every name, and skills that come with the program with their whole description. Then adds in order each whole
 * description that fits. See docs/reference/listing.md, "Listing".
 */
export function filling({ sorts, showsScope, mostDescribed, ...given }: FillingOptions): Strategy {
  const keeps = (entry: CatalogEntry): boolean => isPinned(entry) || isInCode(entry)
  let names: ReadonlySet<string> = new Set()
  let called: ReadonlySet<CatalogEntry> = new Set()
  const linesWith = (maxDescription: number): Lines =>
    new Lines({
      ...given,
      maxDescription,
      keeps,
      isWhole: isPinned,
      ...(showsScope && { scopeOf: (entry: CatalogEntry) => scopeOf(entry, names) }),
      ...(given.showsDisplayName === 'qualified' && {
        calledByDisplayName: (entry: CatalogEntry) => called.has(entry),
      }),
    })
  let most = mostDescribed()
  let all = linesWith(most)
  return {
    order(entries, commands = entries) {
      names = new Set(commands.map(({ name }) => name))
      if (given.showsDisplayName === 'qualified') called = calledByDisplayName(commands, names)
      return pinnedFirst(codeLast(sorts === 'places' ? sortedByPlace(entries) : entries))
    },
    lay(ordered, budget) {
      const now = mostDescribed()
      if (now !== most) [most, all] = [now, linesWith(now)]
      const kept = all.kept(ordered, Infinity)
      const lines = all.ofAll(ordered)
      let room = budget - lengthOf(lines, line => widthOf(line.head) + (kept.has(line.name) ? described(line) : 0))
      const hasRoom = (line: Line): boolean => {
        const cost = described(line)
        if (cost > room) return false
        room -= cost
        return true
      }
      return draftOf(lines, line => (kept.has(line.name) || hasRoom(line) ? line.showWhole() : line.show(0)))
    },
  }
}

/** Returns the columns that a description adds to a line. */
const described = ({ description }: Line): number => (description === '' ? 0 : widthOf(separator + description))

/** Returns the entries that their display name calls: of several with one name it calls the first. */
function calledByDisplayName(commands: readonly CatalogEntry[], names: ReadonlySet<string>): ReadonlySet<CatalogEntry> {
  const first = new Map<string, CatalogEntry>()
  for (const entry of commands) {
    const displayName = fullDisplayName(entry.command)
    // A qualified skill is called by its qualified name alone.
    if (entry.isQualified || names.has(displayName) || first.has(displayName)) continue
    first.set(displayName, entry)
  }
  return new Set(first.values())
}

const collator = new Intl.Collator('en')

/**
 * Sorts neighbours from the same folder, or of the same kind of source, by name as a person would. Skills that are
 * there because of a touched file follow all others, in one order.
 */
function sortedByPlace(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const groups: CatalogEntry[][] = []
  const touched: CatalogEntry[] = []
  let last: string | undefined
  for (const entry of entries) {
    if (isTouched(entry)) {
      touched.push(entry)
      continue
    }
    const place = placeOf(entry)
    if (place !== last) groups.push([])
    groups.at(-1)?.push(entry)
    last = place
  }
  const byName = (one: CatalogEntry, other: CatalogEntry): number => collator.compare(one.name, other.name)
  const byOwnName = (one: CatalogEntry, other: CatalogEntry): number =>
    collator.compare(one.command.name, other.command.name) ||
    Number(one.isQualified) - Number(other.isQualified) ||
    byName(one, other)
  return [...groups.flatMap(group => group.sort(byName)), ...touched.sort(byOwnName)]
}

/** True for nested skills, and for those whose `paths` a file matched. */
function isTouched({ command, provider }: CatalogEntry): boolean {
  return provider === 'nested' || (command.type === 'prompt' && command.paths.some(pattern => pattern !== '**'))
}

function placeOf({ command }: CatalogEntry): string {
  const { source, loadedFrom } = command
  if (command.type !== 'prompt') return source
  // Commands of the user and of the project are sorted together.
  if (loadedFrom === 'commands' && source !== 'plugin') return loadedFrom
  const { baseDir = '', pluginName = '' } = command
  const folder = baseDir.replace(/[^/\\]*$/, '')
  return [source, pluginName, loadedFrom, folder].join('\0')
}

/** Returns the folder that a nested skill is for, and whether it stands in for another skill there. */
function scopeOf({ name, command, provider }: CatalogEntry, names: ReadonlySet<string>): string {
  if (provider !== 'nested' || command.type !== 'prompt' || command.qualifier === undefined) return ''
  const { qualifier, name: own } = command
  return name !== own && names.has(own)
    ? `scoped to ${qualifier}/ — use this instead of the unscoped "${own}" skill when the files being changed are under ${qualifier}/`
    : `from ${qualifier}/.claude/skills — applies when working on files under ${qualifier}/`
}
