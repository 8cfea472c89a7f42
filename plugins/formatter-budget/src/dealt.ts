import { descriptionOf, draftWith, nameOf } from './plain-entry.js'
import { pinnedFirst } from './strategy.js'
import type { CatalogEntry } from '@skills/core'
import type { Escape } from '@skills/invocation/internal'
import type { ListingEntry, Strategy } from '@skills/invocation/skill-tool'

export interface DealtOptions {
  readonly escape: Escape
  /** Most UTF-16 code units of a description, including the mark of a shortened one. */
  readonly maxDescription: number
  /**
   * Skills of the program itself, which come first and have their share: of each the name, and the UTF-16 code units of
   * its description.
   */
  readonly own: readonly (readonly [name: string, units: number])[]
}

/** Entry with its description, which is already cut to the most that any listing shows. */
interface Part {
  readonly entry: CatalogEntry
  readonly head: string
  readonly description: string
  readonly isCapped: boolean
}

const mark = '...'
/** UTF-16 code units that count as one token. */
const perToken = 4

/**
 * Lists every name, and deals the room among the descriptions, one token to each in turn and in order. A description
 * that found no room for its rest has no mark. See docs/reference/listing.md, "Listing".
 */
export function dealt({ escape, maxDescription, own }: DealtOptions): Strategy {
  const partOf = (entry: CatalogEntry): Part => {
    const all = descriptionOf(entry, escape)
    const isCapped = all.length > maxDescription
    return {
      entry,
      head: `- ${nameOf(entry, escape)}: `,
      description: isCapped ? `${cut(all, maxDescription - mark.length)}${mark}` : all,
      isCapped,
    }
  }
  const ownCosts = own.map(([name, units]) =>
    costOf(`- ${name}: `.length + fileLength(`/skills/${name}/SKILL.md`), units),
  )
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      const parts = ordered.map(partOf)
      const costs = parts.map(({ entry: { command }, head, description }) =>
        costOf(head.length + fileLength(command.type === 'prompt' ? (command.filePath ?? '') : ''), description.length),
      )
      const all = [...ownCosts, ...costs]
      const room = Math.floor(budget / perToken) - all.reduce((sum, { least }) => sum + least, 0)
      const given = shares(
        all.map(({ more }) => more),
        room,
      ).slice(own.length)
      const entries = parts.map((part, at) => {
        const { base, least, more } = costs[at] ?? costOf(0, 0)
        const tokens = given[at] ?? 0
        return shown(part, tokens === 0 ? 0 : tokens < more ? perToken * (least + tokens) - base : Infinity)
      })
      return draftWith(entries.map(({ text }) => text).join('\n'), entries)
    },
  }
}

interface Cost {
  /** UTF-16 code units of a line without its description, with its line break. */
  readonly base: number
  /** Tokens of that line. */
  readonly least: number
  /** Tokens that the whole description adds. */
  readonly more: number
}

function costOf(line: number, units: number): Cost {
  const base = line + 1
  const least = Math.ceil(base / perToken)
  return { base, least, more: Math.ceil((base + units) / perToken) - least }
}

/** Returns the length of the short path that Codex puts behind each description. */
function fileLength(path: string): number {
  const root = path.lastIndexOf('/skills/')
  return ` (file: r1${root < 0 ? path : path.slice(root + '/skills'.length)})`.length
}

function shown({ entry, head, description, isCapped }: Part, units: number): ListingEntry {
  const { name, command } = entry
  const text = `${head}${cut(description, units)}`
  if (units >= description.length)
    return description === '' && command.description !== ''
      ? { name, text, shown: 'name' }
      : { name, text, ...(isCapped ? { shown: 'cut', isCapped: true } : { shown: 'whole' }) }
  return { name, text, shown: units === 0 ? 'name' : 'cut' }
}

/** Returns how much of each number has room, if each gets 1 in turn until nothing is left. */
export function shares(wanted: readonly number[], room: number): readonly number[] {
  if (wanted.reduce((sum, one) => sum + one, 0) <= room) return wanted
  // Full rounds in one step.
  const after = (rounds: number): number => wanted.reduce((sum, one) => sum + Math.min(one, rounds), 0)
  let [most, tooMany] = [0, 1]
  while (after(tooMany) <= room) [most, tooMany] = [tooMany, tooMany * 2]
  while (most + 1 < tooMany) {
    const middle = Math.floor((most + tooMany) / 2)
    if (after(middle) <= room) most = middle
    else tooMany = middle
  }
  let left = Math.max(0, room) - after(most)
  return wanted.map(one => {
    if (one <= most || left <= 0) return Math.min(one, most)
    left--
    return most + 1
  })
}

/** Returns the beginning of a text, which does not end in the middle of a character. */
function cut(text: string, units: number): string {
  const end = units < text.length && /[\ud800-\udbff]/.test(text.charAt(units - 1)) ? units - 1 : units
  return text.slice(0, Math.max(0, end))
}
