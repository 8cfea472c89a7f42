import { draftWith, saidBy, shownEntry } from './plain-entry.js'
import { pinnedFirst, type Strategy } from './strategy.js'
import type { CatalogEntry } from '@skills/core'
import type { Escape } from '@skills/skill-tool'

/** Sources whose names stand behind a description. */
const named: readonly string[] = ['user', 'project', 'managed']

/** Whole entries in their order, until the first that finds no room; that one and all after it are left out. See docs/reference.md, "Listing". */
export function cutoff({ escape }: { readonly escape: Escape }): Strategy {
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      let room = budget
      const fitting = ordered.map(entry => lineOf(entry, escape))
      const end = fitting.findIndex(({ text }) => (room -= text.length + 1) < 0)
      const shown = end === -1 ? fitting : fitting.slice(0, end)
      return draftWith(shown.map(({ text }) => text).join('\n'), shown, ordered.slice(shown.length).map(({ name }) => name))
    },
  }
}

function lineOf(entry: CatalogEntry, escape: Escape) {
  const { name, description, whenToUse, argumentHint } = saidBy(entry, escape)
  const { source } = entry.command
  const from = description !== '' && named.includes(source) ? ` (${source})` : ''
  const said = [description + from, whenToUse].filter(part => part !== '').join(' - ')
  return shownEntry(entry, `- /${name} ${argumentHint}`.trim() + (said === '' ? '' : `: ${said}`), { description })
}
