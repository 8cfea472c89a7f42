import { describe, expect, test } from 'vitest'
import { deferred, engine, listing, names, settled, skill, source } from '../test/engine.js'
import {
  defineProvider,
  loadResult,
  type CatalogChange,
  type LoadResult,
  type PromptCommand,
  type SourceCall,
} from './index.js'

const fileOf = (name: string, more: Partial<PromptCommand> = {}): PromptCommand =>
  skill(name, { filePath: `/u/${name}/SKILL.md`, ...more })

/** Makes a source that lists with `now.list`. */
function changing(list: (call: SourceCall) => LoadResult | Promise<LoadResult>) {
  const now = { list, asked: 0 }
  return {
    now,
    plugin: listing(
      'files',
      call => {
        now.asked++
        return now.list(call)
      },
      { limitMs: 1000 },
    ),
  }
}

const hanging = (): Promise<LoadResult> => new Promise(() => {})

describe('a source that stops', () => {
  /** Reports one skill after the other, each after its delay, and never ends. */
  const halting =
    (...found: readonly PromptCommand[]) =>
    ({ progress }: SourceCall): Promise<LoadResult> => {
      for (const [at] of found.entries())
        progress(at + 1, () =>
          loadResult({ commands: found.slice(0, at + 1), places: [{ path: '/u', state: 'read', found: at + 1 }] }),
        )
      return hanging()
    }

  test('keeps what it found by then, and is said to be incomplete', async () => {
    const { plugin } = changing(halting(fileOf('a'), fileOf('b')))
    const { skills, clock, diagnostics } = engine({ plugins: [plugin, source('whole', [skill('c')])] })
    const incomplete: unknown[] = []
    skills.hook('sources:loaded', event => incomplete.push(event.incomplete))
    const loading = skills.catalog()
    await clock.advance(1100)
    const catalog = await loading
    expect(names(catalog.entries)).toEqual(['a', 'b', 'c'])
    const reason =
      'The source provider "files" made no progress for 1000 ms. Raise limitMs, or look at what the provider waits for.'
    expect(catalog.incomplete).toEqual([{ provider: 'files', reason }])
    expect(JSON.parse(JSON.stringify(catalog))).toMatchObject({ incomplete: [{ provider: 'files', reason }] })
    expect(catalog.errors).toMatchObject([{ code: 'provider-timeout', message: reason }])
    expect(catalog.places).toEqual([{ path: '/u', state: 'read', found: 2, provider: 'files' }])
    expect(diagnostics).toEqual(catalog.errors)
    expect(incomplete).toEqual([catalog.incomplete])
  })

  test('is not given up while it gets on, however long it takes in all', async () => {
    const all = Array.from({ length: 30 }, (_, at) => fileOf(`s${at}`))
    const { plugin } = changing(async ({ progress }) => {
      for (let at = 0; at < all.length; at++) {
        const waited = deferred()
        clock.after(900, waited.resolve)
        await waited.promise
        progress(at + 1)
      }
      return loadResult({ commands: all })
    })
    const { skills, clock } = engine({ plugins: [plugin] })
    const loading = skills.catalog()
    await clock.advance(30_000)
    const catalog = await loading
    expect([catalog.size, catalog.incomplete]).toEqual([30, []])
  })

  test('is given up for the time it was awake alone: a process that was stopped for long goes on', async () => {
    const answer = deferred<LoadResult>()
    const { plugin } = changing(() => answer.promise)
    // After a process was suspended for a minute, each waiting timer fires once, late.
    const due: (() => void)[] = []
    const { clock } = engine({ plugins: [] })
    const stopped = {
      now: clock.now,
      after: (_ms: number, callback: () => void) => {
        due.push(callback)
        return () => {}
      },
    }
    const { skills } = engine({
      plugins: [plugin],
      host: { cwd: '/', home: '/', env: {}, platform: 'linux', sessionId: 's', clock: stopped },
    })
    const loading = skills.catalog()
    await settled()
    for (const callback of due.splice(0)) callback()
    await settled()
    answer.resolve(loadResult({ commands: [fileOf('a')] }))
    const catalog = await loading
    expect([names(catalog.entries), catalog.incomplete]).toEqual([['a'], []])
  })

  test('keeps what it gave before and did not see this time, in its order, and what it saw anew', async () => {
    const { now, plugin } = changing(() => loadResult({ commands: [fileOf('a'), fileOf('b'), fileOf('c')] }))
    const { skills, clock } = engine({ plugins: [plugin] })
    const changes: Omit<CatalogChange, 'catalog'>[] = []
    skills.hook('skills:changed', ({ added, removed, changed }) => changes.push({ added, removed, changed }))
    const before = await skills.catalog()
    now.list = halting(fileOf('a0'), fileOf('b', { description: 'New.' }))
    skills.invalidate()
    const loading = skills.catalog()
    await clock.advance(1100)
    const catalog = await loading
    expect(names(catalog.entries)).toEqual(['a0', 'b', 'a', 'c'])
    expect(catalog.get('b')?.command.description).toBe('New.')
    expect(catalog.get('c')?.command).toBe(before.get('c')?.command)
    expect(changes).toEqual([{ added: ['a0'], removed: [], changed: ['b'] }])
    now.list = () => loadResult({ commands: [fileOf('a0')] })
    await clock.advance(1000)
    expect(names((await skills.catalog()).entries)).toEqual(['a0'])
    await settled()
    expect(changes.at(-1)).toEqual({ added: [], removed: ['b', 'a', 'c'], changed: ['a0'] })
  })

  test('keeps everything when it fails, as it does when it is late', async () => {
    const { now, plugin } = changing(() => loadResult({ commands: [fileOf('a')] }))
    const { skills } = engine({ plugins: [plugin] })
    await skills.catalog()
    now.list = () => Promise.reject(new Error('EMFILE'))
    const catalog = await skills.refresh()
    expect(names(catalog.entries)).toEqual(['a'])
    expect(catalog.incomplete).toMatchObject([{ provider: 'files', reason: expect.stringContaining('EMFILE') }])
  })

  test('may say so itself', async () => {
    const { now, plugin } = changing(() => loadResult({ commands: [fileOf('a')] }))
    const { skills } = engine({ plugins: [plugin] })
    await skills.catalog()
    now.list = () => loadResult({ commands: [fileOf('b')], incomplete: 'One of two servers did not answer.' })
    const catalog = await skills.refresh()
    expect(names(catalog.entries)).toEqual(['b', 'a'])
    expect(catalog.incomplete).toEqual([{ provider: 'files', reason: 'One of two servers did not answer.' }])
    expect(catalog.errors).toMatchObject([{ code: 'source-incomplete', message: 'One of two servers did not answer.' }])
  })

  test('that cannot even say what it found costs no more than that', async () => {
    const { plugin } = changing(({ progress }) => {
      progress(1, () => {
        throw new Error('no')
      })
      return Promise.reject(new Error('down'))
    })
    const { skills } = engine({ plugins: [plugin, source('good', [skill('c')])] })
    expect(names((await skills.catalog()).entries)).toEqual(['c'])
  })
})

describe('a source that did not finish', () => {
  test('is asked again after a second, then after longer and longer rests, and at once when something is out of date', async () => {
    const { now, plugin } = changing(() => Promise.reject(new Error('down')))
    const { skills, clock } = engine({ plugins: [plugin] })
    const askedBy = async (): Promise<number> => {
      await skills.catalog()
      return now.asked
    }
    expect([await askedBy(), await askedBy()]).toEqual([1, 1])
    await clock.advance(1000)
    expect([await askedBy(), await askedBy()]).toEqual([2, 2])
    await clock.advance(10_000)
    expect([await askedBy(), await askedBy()]).toEqual([3, 3])
    await clock.advance(19_999)
    expect(await askedBy()).toBe(3)
    await clock.advance(1)
    expect(await askedBy()).toBe(4)
    skills.invalidate()
    expect(await askedBy()).toBe(5)
    now.list = () => loadResult({ commands: [fileOf('a')] })
    await clock.advance(300_000)
    const catalog = await skills.catalog()
    expect([names(catalog.entries), catalog.incomplete, catalog.errors]).toEqual([['a'], [], []])
    expect([await askedBy(), await askedBy()]).toEqual([6, 6])
  })

  test('is waited for once by who explains a name and looks at the catalog', async () => {
    let [asked, explained] = [0, 0]
    const files = defineProvider({
      kind: 'source',
      id: 'files',
      limitMs: 1000,
      setup: () => ({
        source: 'user',
        list: () => {
          asked++
          return hanging()
        },
        explain: () => {
          explained++
          return []
        },
      }),
    })
    const { skills, clock } = engine({ plugins: [files, source('whole', [skill('c')])] })
    const explaining = skills.explain('deploy')
    await clock.advance(1100)
    expect((await explaining).incomplete).toMatchObject([{ provider: 'files' }])
    expect([names((await skills.catalog()).entries), asked, explained]).toEqual([['c'], 1, 0])
  })

  test('is what a name that no command has may come from', async () => {
    const { plugin } = changing(() => Promise.reject(new Error('down')))
    const { skills } = engine({ plugins: [plugin] })
    const catalog = await skills.catalog()
    expect(() => catalog.require('deploy')).toThrow(
      expect.objectContaining({
        code: 'E_UNKNOWN_NAME',
        message: expect.stringMatching(/"deploy" .*"files" .*: down/),
      }),
    )
    expect((await skills.explain('deploy')).incomplete).toEqual(catalog.incomplete)
  })
})

test('the limit of sources can be set, and one of a source goes before it', async () => {
  const own = listing('own', hanging, { limitMs: 3000 })
  const other = { kind: 'source', id: 'other', setup: () => ({ source: 'user', list: hanging }) } as const
  const { skills, clock } = engine({ plugins: [own, other], sourceLimitMs: 200 })
  const loading = skills.catalog()
  await clock.advance(3000)
  expect((await loading).errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('than 200 ms'),
    expect.stringContaining('than 3000 ms'),
  ])
  expect(() => engine({ plugins: [], sourceLimitMs: 0 })).toThrow('The sourceLimitMs is 0.')
})
