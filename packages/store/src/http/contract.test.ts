import { testStore } from '@skills/testing/vitest'
import { indexOf, makeSite } from '../../test/make-site.js'
import { httpStore } from '../http.js'

type Files = Readonly<Record<string, string | Uint8Array>>

testStore(
  'a site with an index',
  async (samples, { sizes } = {}) => {
    const site = await makeSite()
    let files: Files = {}
    const publish = (changed: Readonly<Record<string, unknown>>): void => {
      files = Object.fromEntries(
        Object.entries({ ...files, ...changed }).filter(
          (entry): entry is [string, string | Uint8Array] =>
            typeof entry[1] === 'string' || entry[1] instanceof Uint8Array,
        ),
      )
      for (const [path, content] of Object.entries(files)) site.files.set(`/skills/${path}`, content)
      site.files.set('/skills/index.json', indexOf(files, sizes))
    }
    publish(samples)
    return {
      store: httpStore({ url: `${site.origin}/skills/index.json` }),
      root: `${site.origin}/skills/index.json`,
      change: publish,
      asked: () => site.asked.length,
      dispose: () => site.close(),
    }
  },
  {
    without: {
      backslash: 'An index with such a path is refused.',
      held: 'Connections are counted in site.test.ts, where the server has seen them end.',
      links: 'An index has files alone.',
      watch: 'It is asked.',
    },
  },
)
