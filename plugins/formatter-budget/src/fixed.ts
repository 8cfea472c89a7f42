import { descriptionOf, draftWith, nameOf, shownEntry } from './plain-entry.js'
import { pinnedFirst } from './strategy.js'
import type { Escape } from '@skills/invocation/internal'
import type { Strategy } from '@skills/invocation/skill-tool'

export interface FixedOptions {
  readonly escape: Escape
  /** Code points of a description that are shown. A cut is not marked. */
  readonly maxDescription: number
}

const intro = 'These skills are available:'

/** Hints for the files of a skill. The last line says how to call one. */
const hints = [
  'When you use a skill:',
  '- Read its SKILL.md only as far as the task needs.',
  '- Load files of references/ when they are needed, one by one.',
  '- Run the scripts it brings along; do not type them again.',
  '- Use its assets as they are; do not make them anew.',
  '- Keep what you read into the conversation small.',
  'skill: "<skill-name>", args: "<arguments>"',
]

/**
 * Lists every skill, with each description cut to the same length and no limit for the whole. See
 * docs/reference/listing.md, "Listing".
 */
export function fixed({ escape, maxDescription }: FixedOptions): Strategy {
  return {
    order: pinnedFirst,
    lay(ordered) {
      const entries = ordered.map(entry => {
        const name = nameOf(entry, escape)
        const description = descriptionOf(entry, escape)
        const shown = firstPoints(description, maxDescription)
        return shownEntry(entry, shown === '' ? `- ${name}` : `- ${name}: ${shown}`, {
          description: shown,
          isCut: shown.length < description.length,
        })
      })
      return draftWith(
        entries.length === 0 ? '' : [intro, ...entries.map(({ text }) => text), ...hints].join('\n'),
        entries,
      )
    },
  }
}

const surrogates = /[\ud800-\udfff]/

/** Returns the beginning of a text, `count` code points long. */
function firstPoints(text: string, count: number): string {
  if (text.length <= count) return text
  const units = text.slice(0, count)
  // Code points of two code units are rare. Without any, a code point is a code unit.
  if (!surrogates.test(units)) return units
  return Array.from(text.slice(0, 2 * count))
    .slice(0, count)
    .join('')
}
