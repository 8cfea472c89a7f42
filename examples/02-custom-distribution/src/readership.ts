import { defineKind, defineProvider, type Command, type MaybePromise, type Provider } from '@skills/core'

/** Says whom a skill is for: a kind of provider that only this house has. */
export interface Readership {
  isFor(command: Command): MaybePromise<boolean>
}

declare module '@skills/core' {
  interface ProviderKinds {
    readership: Readership
  }
}

/** A provider that fails hides the skill. */
export const readershipKind = defineKind('readership', {
  arity: 'many',
  limitMs: 1000,
  onFailure: { closed: () => false },
})

/** Skills whose frontmatter or row names a team are for that team; all others are for everybody. */
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
