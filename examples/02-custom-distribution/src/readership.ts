import { defineKind, defineProvider, type Command, type MaybePromise, type Provider } from '@skills/core'

/** Provider that says whom a skill is for. Only this house has this kind of provider. */
export interface Readership {
  isFor(command: Command): MaybePromise<boolean>
}

declare module '@skills/core' {
  interface ProviderKinds {
    readership: Readership
  }
}

/** Kind of provider that hides a skill if it fails. */
export const readershipKind = defineKind('readership', {
  arity: 'many',
  limitMs: 1000,
  onFailure: { closed: () => false },
})

/** Provider that gives a skill to the team that its frontmatter or row names, and all others to everybody. */
export function teamReadership(team: string): Provider<'readership'> {
  return defineProvider({
    kind: 'readership',
    id: 'team',
    setup: () => ({
      isFor(command) {
        const named = command.type === 'prompt' ? command.metadata['team'] : undefined
        return named === undefined || named === team
      },
    }),
  })
}
