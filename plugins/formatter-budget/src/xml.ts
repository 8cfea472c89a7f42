import { descriptionOf, draftWith, nameOf, shownEntry } from './plain-entry.js'
import { pinnedFirst } from './strategy.js'
import type { Strategy } from '@skills/invocation/skill-tool'

const intro = [
  'Loads a skill: instructions for one kind of task, which become part of this conversation.',
  'Use it when a task is what the description of one of these skills says.',
]
const none = 'Loads a skill: instructions for one kind of task. There are no skills at the moment.'

/**
 * Lists skills as XML. See docs/reference/listing.md, "Listing".
 * @param joiner text between all lines: a space or a line break
 */
export function xml({ joiner }: { readonly joiner: ' ' | '\n' }): Strategy {
  return {
    order: pinnedFirst,
    lay(ordered) {
      const entries = ordered.map(entry => {
        const description = descriptionOf(entry, 'none')
        const text = `  <skill>${joiner}    <name>${escaped(nameOf(entry, 'none'))}</name>${joiner}    <description>${escaped(description)}</description>${joiner}  </skill>`
        return shownEntry(entry, text, { description })
      })
      if (entries.length === 0) return draftWith(none, [])
      return draftWith(
        [...intro, '<available_skills>', ...entries.map(({ text }) => text), '</available_skills>'].join(joiner),
        entries,
      )
    },
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
}
