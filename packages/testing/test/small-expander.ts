import { expand, type EvaluateContext, type Expander } from '@skills/expansion'
import type { Token } from '@skills/expansion/internal'
import { abortError } from '@skills/core'
import type { ExpanderFixture } from '@skills/testing/internal'

const pattern = /%(args|get:([a-z0-9-]+))%/y

/**
 * Expander that keeps every rule of its contract. `%args%` becomes the arguments, and `%get:key%` a value of a store,
 * if permission is given.
 */
export class SmallExpander implements Expander {
  readonly claims: string = '%'
  readonly store: Map<string, string>

  constructor(store: Map<string, string>) {
    this.store = store
  }

  lex(text: string, at: number): ReturnType<Expander['lex']> {
    pattern.lastIndex = at
    const [found, what, key] = pattern.exec(text) ?? []
    return found === undefined ? undefined : { end: at + found.length, data: key ?? what }
  }

  async evaluate({ data, text }: Token, context: EvaluateContext): Promise<string | undefined> {
    if (text === '%args%') return context.args
    return (await this.mayRead(String(data), context)) ? this.store.get(String(data)) : undefined
  }

  async mayRead(key: string, { trust, signal, authorize, forbids }: EvaluateContext): Promise<boolean> {
    if (trust === 'remote' || (await forbids('shell')) !== undefined) return false
    const { behavior } = await authorize({ tool: 'Get', content: key })
    if (signal.aborted) throw abortError(signal)
    return behavior === 'allow'
  }
}

export type ExpanderFault = (
  sound: SmallExpander,
  store: Map<string, string>,
) => Partial<Pick<SmallExpander, 'claims' | 'lex' | 'evaluate' | 'mayRead'>> & Pick<Expander, 'frame'>

/** Makes the fixture of an expander with one fault. */
export function smallExpander(fault: ExpanderFault = () => ({})): ExpanderFixture {
  const store = new Map([
    ['greeting', 'hello'],
    ['name', 'world'],
  ])
  return {
    provider: {
      kind: 'expander',
      id: 'small',
      setup: () => {
        const sound = new SmallExpander(store)
        return Object.assign(new SmallExpander(store), fault(sound, store))
      },
    },
    expand,
    samples: [
      { template: 'Say %get:greeting% to %get:name%.', becomes: 'Say hello to world.' },
      { template: 'With %args% now', args: 'a b', becomes: 'With a b now' },
    ],
    bring(value) {
      store.set(`key-${store.size}`, value)
      return { template: `%get:key-${store.size - 1}%` }
    },
  }
}
