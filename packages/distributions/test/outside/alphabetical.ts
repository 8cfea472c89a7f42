import { compareCodeUnits, defineProvider, type Provider } from '@skills/core'
import { oneLine, type ListingEntry, type Strategy } from '@skills/invocation/skill-tool'

declare module '@skills/invocation/skill-tool' {
  interface Strategies {
    alphabetical: true
  }
}

/** Strategy that lists only names, in alphabetical order, as many as there is room for. */
export const alphabetical: Provider<'strategy'> = defineProvider({
  kind: 'strategy',
  id: 'alphabetical',
  contract: 1,
  setup: (): Strategy => ({
    order: entries => entries.toSorted((one, other) => compareCodeUnits(one.name, other.name)),
    lay(ordered, budget) {
      const entries: ListingEntry[] = []
      const omitted: string[] = []
      let room = budget
      for (const { name } of ordered) {
        const text = `* ${oneLine(name)}`
        room -= text.length + 1
        if (room < -1) omitted.push(name)
        else entries.push({ name, text, shown: 'name' })
      }
      return {
        text: entries.map(({ text }) => text).join('\n'),
        entries,
        omitted,
        truncated: entries.map(({ name }) => name),
      }
    },
  }),
})
