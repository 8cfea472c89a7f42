import { descriptionOf, draftWith, nameOf } from './plain-entry.js'
import { pinnedFirst } from './strategy.js'
import type { CatalogEntry } from '@skills/core'
import type { Escape } from '@skills/invocation/internal'
import type { ListingEntry, Strategy } from '@skills/invocation/skill-tool'

export interface DealtOptions {
  readonly escape: Escape
  /** Most characters of a description, including the mark of a shortened one. */
  readonly maxDescription: number
  /**
   * Skills of the program itself, which come first and have their share: of each the name, and the characters of its
   * description.
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
/** Bytes of UTF-8 that count as one token. */
const perToken = 4

/**
 * Lists every name, and deals the room among the descriptions, one character to each in turn and in order. A line takes
 * a token for each four bytes that are begun. A description that found no room for its rest has no mark. See
 * docs/reference/listing.md, "Listing".
 */
export function dealt({ escape, maxDescription, own }: DealtOptions): Strategy {
  const partOf = (entry: CatalogEntry): Part => {
    const all = descriptionOf(entry, escape)
    const isCapped = all.length > maxDescription && Array.from(all).length > maxDescription
    return {
      entry,
      head: `- ${nameOf(entry, escape)}: `,
      description: isCapped ? `${cut(all, maxDescription - mark.length)}${mark}` : all,
      isCapped,
    }
  }
  const ownLines = own.map(([name, count]) => lineOf(`- ${name}: `, `/skills/${name}/SKILL.md`, 'x'.repeat(count)))
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      const parts = ordered.map(partOf)
      const lines = parts.map(({ entry: { command }, head, description }) =>
        lineOf(head, command.type === 'prompt' ? (command.filePath ?? '') : '', description),
      )
      const given = dealOut([...ownLines, ...lines], Math.floor(budget / perToken)).slice(own.length)
      const entries = parts.map((part, at) => shown(part, given[at] ?? 0, lines[at]?.length ?? 0))
      return draftWith(entries.map(({ text }) => text).join('\n'), entries)
    },
  }
}

/** Line that gets a share. */
export interface DealtLine {
  /** Bytes of the line without its description, with its line break. */
  readonly base: number
  /** Characters of the description. */
  readonly length: number
  /** Bytes of the first characters of the description, for each count of them; undefined if each has one byte. */
  readonly ends?: readonly number[] | undefined
}

function lineOf(head: string, path: string, description: string): DealtLine {
  const base = Buffer.byteLength(head) + Buffer.byteLength(shortFile(path)) + 1
  if (Buffer.byteLength(description) === description.length) return { base, length: description.length }
  const ends = [0]
  for (const char of description) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(char))
  return { base, length: ends.length - 1, ends }
}

/** Returns the short path that Codex puts behind each description. */
function shortFile(path: string): string {
  const root = path.lastIndexOf('/skills/')
  return ` (file: r1${root < 0 ? path : path.slice(root + '/skills'.length)})`
}

/** Returns the tokens of a line with the first characters of its description. */
function tokensOf({ base, length, ends }: DealtLine, count: number): number {
  const taken = Math.min(count, length)
  return Math.ceil((base + (ends?.[taken] ?? taken)) / perToken)
}

/** Returns how many characters of each description have room, if each gets one in turn until no more fits. */
export function dealOut(lines: readonly DealtLine[], room: number): readonly number[] {
  const after = (count: number): number => lines.reduce((sum, line) => sum + tokensOf(line, count), 0)
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  if (after(longest) <= room) return lines.map(({ length }) => length)
  // Full rounds in one step.
  let [most, tooMany] = [0, longest]
  while (most + 1 < tooMany) {
    const middle = Math.floor((most + tooMany) / 2)
    if (after(middle) <= room) most = middle
    else tooMany = middle
  }
  const given = lines.map(({ length }) => Math.min(length, most))
  let left = Math.max(0, room - after(most))
  for (let isDone = false; !isDone;) {
    isDone = true
    for (const [at, line] of lines.entries()) {
      const count = given[at] ?? 0
      if (count >= line.length) continue
      const cost = tokensOf(line, count + 1) - tokensOf(line, count)
      if (cost > left) continue
      left -= cost
      given[at] = count + 1
      isDone = false
    }
  }
  return given
}

function shown({ entry, head, description, isCapped }: Part, count: number, length: number): ListingEntry {
  const { name, command } = entry
  const text = `${head}${count >= length ? description : cut(description, count)}`
  if (count >= length)
    return description === '' && command.description !== ''
      ? { name, text, shown: 'name' }
      : { name, text, ...(isCapped ? { shown: 'cut', isCapped: true } : { shown: 'whole' }) }
  return { name, text, shown: count === 0 ? 'name' : 'cut' }
}

/** Returns the first characters of a text. */
function cut(text: string, count: number): string {
  let units = 0
  for (let left = Math.max(0, count); left > 0 && units < text.length; left--)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, units)
}
