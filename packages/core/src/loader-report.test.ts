import { describe, expect, test, vi } from 'vitest'
import { engine, listing, settled, skill, source } from '../test/engine.js'
import { loadResult, type Catalog, type Diagnostic, type LoadCounts, type Source } from './index.js'

/** Makes a source that returns the commands of `now.commands`. */
function changing(more: Partial<Source> = {}) {
  const now = { commands: [skill('a')] }
  return { now, plugin: listing('files', () => loadResult({ commands: now.commands }), more) }
}

describe('problems', () => {
  const problem: Diagnostic = { severity: 'error', type: 'parse', code: 'bad', message: 'Bad.', path: '/a' }

  test('of a source reach the catalog and onDiagnostic with its id', async () => {
    const parts = { errors: [problem], warnings: [{ ...problem, severity: 'warning' as const }] }
    const { skills, diagnostics } = engine({ plugins: [source('s', [], parts)] })
    const catalog = await skills.catalog()
    expect(catalog.errors).toEqual([{ ...problem, provider: 's' }])
    expect(catalog.warnings).toEqual([{ ...problem, severity: 'warning', provider: 's' }])
    expect(diagnostics).toHaveLength(2)
  })

  test('that differ in the name alone are all reported', async () => {
    const errors = ['a', 'b'].flatMap(name => [
      { type: 'parse', severity: 'error', code: 'bad', message: 'Bad.', name } as const,
      { type: 'parse', severity: 'error', code: 'bad', message: 'Bad.', name, field: 'x' } as const,
    ])
    const { skills, diagnostics } = engine({ plugins: [source('s', [], { errors })] })
    await skills.catalog()
    expect(diagnostics).toEqual(errors.map(error => ({ ...error, provider: 's' })))
  })

  test('that stay are reported once, and again when they come back', async () => {
    let errors = [problem]
    const { skills, codes } = engine({
      plugins: [listing('s', () => loadResult({ errors: errors.map(error => ({ ...error })) }))],
    })
    await skills.catalog()
    await skills.refresh()
    expect(codes()).toEqual(['bad'])
    errors = []
    await skills.refresh()
    errors = [problem]
    await skills.refresh()
    expect(codes()).toEqual(['bad', 'bad'])
  })

  test('that only the whole catalog shows are reported too', async () => {
    const { skills, codes } = engine({
      plugins: [source('s', [skill('a'), skill('A')])],
      overrides: { unknown: 'off' },
    })
    await skills.catalog()
    expect(codes()).toEqual(['case-collision', 'unknown-override'])
  })

  test('make no load fail when onDiagnostic throws: the host hears of it as of any uncaught error', async () => {
    const uncaught: (() => void)[] = []
    vi.stubGlobal('queueMicrotask', (task: () => void) => uncaught.push(task))
    try {
      const { skills } = engine({
        plugins: [source('s', [skill('a')], { errors: [problem] })],
        onDiagnostic: () => {
          throw new Error('host bug')
        },
      })
      expect((await skills.catalog()).size).toBe(1)
    } finally {
      vi.unstubAllGlobals()
    }
    expect(uncaught).toHaveLength(1)
    expect(uncaught[0]).toThrow('host bug')
  })
})

describe('events', () => {
  test('tell of a load: that it begins, how far it is, and its figures', async () => {
    const events: unknown[] = []
    const plugin = listing('s', ({ progress }) => {
      progress(10)
      return loadResult({ commands: [skill('a'), skill('b', { source: 'project' })] })
    })
    const { skills } = engine({ plugins: [plugin] })
    skills.hook('sources:loading', event => void events.push(event))
    skills.hook('sources:progress', event => void events.push(event))
    skills.hook('sources:loaded', event => void events.push(event))
    await skills.catalog()
    await settled()
    const counts: LoadCounts = {
      found: 2,
      duplicates: 0,
      unique: 2,
      errors: 0,
      bySource: { project: 1, user: 1 },
      incomplete: [],
    }
    expect(events).toEqual([{ providers: ['s'] }, { provider: 's', done: 10 }, counts])
  })

  test('tell once a load how many failed and where', async () => {
    const failed: unknown[] = []
    const problem = { severity: 'error', type: 'parse', code: 'bad', message: 'Bad.' } as const
    let errors: readonly Diagnostic[] = [
      { ...problem, path: '/a', line: 2, column: 3 },
      { ...problem, path: '/b' },
      problem,
    ]
    const { skills } = engine({
      plugins: [
        listing('files', () => loadResult({ errors })),
        listing('server', () => Promise.reject(new Error('down'))),
      ],
    })
    skills.hook('sources:failed', event => void failed.push(event))
    const event = { count: 4, places: ['/a', '/b', 'files', 'server'] }
    await skills.catalog()
    await settled()
    expect(failed).toEqual([event])
    await skills.refresh()
    await settled()
    expect(failed).toEqual([event, event])
    errors = []
    await skills.refresh()
    await settled()
    expect(failed.at(-1)).toEqual({ count: 1, places: ['server'] })
  })

  test('tell nothing of failures where there is none', async () => {
    const failed: unknown[] = []
    const { skills } = engine({
      plugins: [
        source('s', [skill('a')], { warnings: [{ severity: 'warning', type: 'parse', code: 'odd', message: 'Odd.' }] }),
      ],
    })
    skills.hook('sources:failed', event => void failed.push(event))
    await skills.catalog()
    await settled()
    expect(failed).toEqual([])
  })

  test('tell of a failed source', async () => {
    const errors: unknown[] = []
    const { skills, diagnostics } = engine({ plugins: [listing('s', () => Promise.reject(new Error('down')))] })
    skills.hook('sources:error', event => void errors.push(event))
    await skills.catalog()
    await settled()
    expect(errors).toEqual([{ provider: 's', diagnostic: diagnostics[0] }])
  })

  test('tell what a reload changed, with the catalog', async () => {
    const changes: unknown[] = []
    const kept = skill('kept')
    const { now, plugin } = changing()
    now.commands = [kept, skill('reread'), skill('dropped')]
    const { skills } = engine({ plugins: [plugin] })
    skills.hook('skills:changed', change => void changes.push(change))
    await skills.catalog()
    now.commands = [kept, skill('reread'), skill('new')]
    skills.invalidate()
    const catalog = await skills.catalog()
    await settled()
    expect(changes).toEqual([{ added: ['new'], removed: ['dropped'], reason: 'reload', changed: ['reread'], catalog }])
  })

  test.each([
    ['finds everything as it was', { refresh: () => undefined }],
    ['lists anew', {}],
  ])('tell that a command switched itself off, when the next load %s', async (_, more) => {
    const changes: unknown[] = []
    let isOn = true
    const { now, plugin } = changing(more)
    now.commands = [skill('a', { isEnabled: () => isOn })]
    const { skills } = engine({ plugins: [plugin] })
    skills.hook('skills:changed', ({ removed }) => changes.push(removed))
    await skills.catalog()
    isOn = false
    await skills.refresh()
    await settled()
    expect(changes).toEqual([['a']])
  })

  test.each(['sources:loading', 'sources:loaded', 'skills:changed'] as const)(
    'of %s may be answered by loading',
    async event => {
      const seen: Catalog[] = []
      const { now, plugin } = changing()
      const { skills } = engine({ plugins: [plugin] })
      skills.hook(event, async () => void seen.push(await skills.catalog()))
      await skills.catalog()
      now.commands = [skill('b')]
      skills.invalidate()
      const catalog = await skills.catalog()
      await settled()
      expect(seen.at(-1)).toBe(catalog)
    },
  )
})
