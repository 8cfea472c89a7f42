import { describe, expect, test } from 'vitest'
import { deferred, engine, listing, names, settled, skill, source } from '../test/engine.js'
import { defineProvider, loadResult, type LoadResult, type Source } from './index.js'

/** Makes a source that records each call and returns the commands of `now.commands`. */
function counting(id = 'files', more: Partial<Source> = {}) {
  const asked: string[] = []
  const now = { commands: [skill('a')] }
  const plugin = listing(
    id,
    () => {
      asked.push('list')
      return loadResult({ commands: now.commands })
    },
    more,
  )
  return { asked, now, plugin }
}

describe('the catalog', () => {
  test('is loaded once for all who ask at one time', async () => {
    const { asked, plugin } = counting()
    const { skills } = engine({ plugins: [plugin] })
    const [one, two] = await Promise.all([skills.catalog(), skills.catalog()])
    expect(one).toBe(two)
    expect(asked).toEqual(['list'])
  })

  test('is kept until it is invalidated', async () => {
    const { asked, plugin } = counting()
    const { skills } = engine({ plugins: [plugin] })
    const first = await skills.catalog()
    expect(await skills.catalog()).toBe(first)
    skills.invalidate()
    expect(await skills.catalog()).not.toBe(first)
    expect(asked).toEqual(['list', 'list'])
  })

  test('of no sources is empty', async () => {
    const catalog = await engine({ plugins: [] }).skills.catalog()
    expect(catalog.size).toBe(0)
  })

  test('is loaded again when it went out of date during the load, so that no one gets the old one', async () => {
    const gate = deferred()
    let version = 1
    const slow = listing('slow', async () => {
      const seen = version
      if (seen === 1) await gate.promise
      return loadResult({ commands: [skill(`v${seen}`)] })
    })
    const { skills } = engine({ plugins: [slow] })
    const loading = skills.catalog()
    await settled()
    version = 2
    skills.invalidate()
    gate.resolve()
    expect(names((await loading).entries)).toEqual(['v2'])
  })

  test('is loaded again for what a source said itself during its load', async () => {
    let loads = 0
    const plugin = defineProvider({
      kind: 'source',
      id: 'self',
      setup: ctx => ({
        source: 'user',
        list() {
          if (++loads === 1) ctx.invalidate()
          return loadResult({ commands: [skill(`v${loads}`)] })
        },
      }),
    })
    expect(names((await engine({ plugins: [plugin] }).skills.catalog()).entries)).toEqual(['v2'])
  })

  test('asks only the source that said it is out of date', async () => {
    const other = counting('other')
    let change = (): void => {}
    let loads = 0
    const plugin = defineProvider({
      kind: 'source',
      id: 'self',
      setup(ctx) {
        change = () => ctx.invalidate()
        return { source: 'user', list: () => loadResult({ commands: [skill(`v${++loads}`)] }) }
      },
    })
    const { skills } = engine({ plugins: [plugin, other.plugin] })
    await skills.catalog()
    change()
    expect(names((await skills.catalog()).entries)).toEqual(['a', 'v2'])
    expect(other.asked).toEqual(['list'])
  })
})

describe('refresh', () => {
  test('without paths asks for all, with paths for these, and invalidate with paths does the same', async () => {
    const asked: unknown[] = []
    const { plugin } = counting('files', { refresh: paths => void asked.push(paths) })
    const { skills } = engine({ plugins: [plugin] })
    await skills.catalog()
    await skills.refresh()
    await skills.refresh(['/a'])
    skills.invalidate(['/a'])
    skills.invalidate(['/b'])
    await skills.catalog()
    expect(asked).toEqual([undefined, ['/a'], ['/a', '/b']])
  })

  test('for all swallows what was asked for paths, and a full invalidation swallows both', async () => {
    const { asked, plugin } = counting('files', { refresh: paths => void asked.push(`refresh ${String(paths)}`) })
    const { skills } = engine({ plugins: [plugin] })
    await skills.catalog()
    skills.invalidate(['/a'])
    await skills.refresh()
    skills.invalidate()
    await skills.refresh(['/a'])
    expect(asked).toEqual(['list', 'refresh undefined', 'list'])
  })

  test('that changed nothing gives the very same catalog and tells no one of a change', async () => {
    const changes: unknown[] = []
    const { plugin } = counting('files', { refresh: () => undefined })
    const { skills } = engine({ plugins: [plugin] })
    skills.hook('skills:changed', change => void changes.push(change))
    const before = await skills.catalog()
    expect(await skills.refresh()).toBe(before)
    await settled()
    expect(changes).toEqual([])
  })

  test('that changed something gives a new catalog, and a reader keeps the old', async () => {
    const { plugin } = counting('files', { refresh: () => loadResult({ commands: [skill('b')] }) })
    const { skills } = engine({ plugins: [plugin] })
    const before = await skills.catalog()
    const after = await skills.refresh()
    expect(names(before.entries)).toEqual(['a'])
    expect(before.get('a')).toBeDefined()
    expect(names(after.entries)).toEqual(['b'])
  })

  test('lists anew where a source cannot refresh', async () => {
    const { asked, now, plugin } = counting()
    const { skills } = engine({ plugins: [plugin] })
    await skills.catalog()
    now.commands = [skill('b')]
    expect(names((await skills.refresh(['/x'])).entries)).toEqual(['b'])
    expect(asked).toEqual(['list', 'list'])
  })

  test('lists anew after a failure, since there is nothing to refresh', async () => {
    let isBroken = true
    const asked: string[] = []
    const plugin = listing(
      'flaky',
      () => {
        asked.push('list')
        if (isBroken) throw new Error('down')
        return loadResult({ commands: [skill('a')] })
      },
      { refresh: () => void asked.push('refresh') },
    )
    const { skills } = engine({ plugins: [plugin] })
    expect((await skills.catalog()).errors).toMatchObject([{ code: 'provider-failed', provider: 'flaky' }])
    isBroken = false
    const catalog = await skills.refresh()
    expect(catalog.errors).toEqual([])
    expect(names(catalog.entries)).toEqual(['a'])
    await skills.refresh()
    expect(asked).toEqual(['list', 'list', 'refresh'])
  })
})

describe('a source that', () => {
  const good = source('good', [skill('a')])

  async function beside(bad: Parameters<typeof listing>[1]) {
    const run = engine({ plugins: [good, listing('bad', bad)] })
    return { catalog: await run.skills.catalog(), ...run }
  }

  test('hangs is given up after its limit, and the rest is there', async () => {
    const { skills, clock, diagnostics } = engine({
      plugins: [good, listing('hung', () => new Promise(() => {}), { limitMs: 50 })],
    })
    const loading = skills.catalog()
    await clock.advance(49)
    expect(diagnostics).toEqual([])
    await clock.advance(1)
    const catalog = await loading
    expect(names(catalog.entries)).toEqual(['a'])
    expect(catalog.errors).toMatchObject([{ code: 'provider-timeout', provider: 'hung' }])
    expect(clock.pending).toBe(0)
  })

  test('throws costs its own commands only', async () => {
    const { catalog, diagnostics } = await beside(() => {
      throw new Error('boom')
    })
    expect(names(catalog.entries)).toEqual(['a'])
    expect(catalog.errors).toMatchObject([{ code: 'provider-failed', provider: 'bad', severity: 'error' }])
    expect(diagnostics).toEqual(catalog.errors)
  })

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'commands'],
    ['a list', []],
    ['commands that are no list', { commands: {} }],
    ['errors that are no list', { commands: [], errors: 'none' }],
  ])('gives %s instead of a result costs its own commands only', async (_, garbage) => {
    const { catalog } = await beside(() => JSON.parse(JSON.stringify(garbage ?? null)))
    expect(names(catalog.entries)).toEqual(['a'])
    expect(catalog.errors).toMatchObject([
      { code: 'provider-failed', message: expect.stringContaining('make one with loadResult(') },
    ])
  })

  test.each([
    ['null', null],
    ['text', 'b'],
    ['no name', { ...skill('b'), name: undefined }],
    ['an empty name', skill('')],
    ['no display name', { ...skill('b'), displayName: undefined }],
    ['no source', { ...skill('b'), source: undefined }],
    ['no aliases', { ...skill('b'), aliases: undefined }],
    ['aliases that are no text', { ...skill('b'), aliases: [1] }],
    ['aliases that are no list', { ...skill('b'), aliases: 'bee' }],
    ['no isEnabled', { ...skill('b'), isEnabled: true }],
  ])('gives a command that is malformed (%s) costs that command only', async (_, malformed) => {
    const given: unknown[] = [malformed, skill('c')]
    const { catalog, codes } = await beside(() => loadResult({ commands: given as LoadResult['commands'] }))
    expect(names(catalog.entries)).toEqual(['c', 'a'])
    expect(catalog.errors).toMatchObject([{ code: 'malformed-command', provider: 'bad' }])
    expect(codes()).toEqual(['malformed-command'])
    expect(catalog.lookup('C')?.name).toBe('c')
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'allowedTools as text',
      { allowedTools: 'Bash(*)' },
      'allowedTools is the text "Bash(*)" instead of a list of text',
    ],
    ['a number for a description', { description: 42 }, 'description is the number 42 instead of text'],
    ['paths with a number', { paths: [1] }, 'paths is a list instead of a list of text'],
    ['a context that is none', { context: 'spoon' }, 'context is the text "spoon" instead of inline or fork'],
    ['no load', { load: undefined }, 'load is missing instead of a function'],
    ['userInvocable as text', { userInvocable: 'no' }, 'userInvocable is the text "no" instead of true or false'],
    [
      'disableModelInvocation as null',
      { disableModelInvocation: null },
      'disableModelInvocation is null instead of true or false',
    ],
    ['a file without its times', { file: { realPath: '/x' } }, 'file is an object instead of what identifies a file'],
    ['a type that is none', { type: 'spoon' }, 'type is the text "spoon" instead of prompt or local or local-ui'],
    ['metadata as a function', { metadata: () => {} }, 'metadata is a function instead of an object'],
  ])(
    'gives a command with a field of another type (%s) costs that command only, and says which',
    async (_, fields, problem) => {
      const { skills, catalog } = await beside(() =>
        loadResult({ commands: [Object.assign(skill('b'), fields), skill('c')] }),
      )
      expect(names(catalog.entries)).toEqual(['c', 'a'])
      expect(catalog.errors).toMatchObject([
        {
          code: 'malformed-command',
          provider: 'bad',
          name: 'b',
          field: problem.split(' ')[0],
          message: expect.stringMatching(/^"bad" .*"b" /),
        },
      ])
      expect((await skills.explain('b')).answers).toMatchObject([{ status: 'failed', name: 'b' }])
    },
  )

  test('gives a command whose field throws costs that command only', async () => {
    const broken = Object.defineProperty(skill('b'), 'paths', {
      get: () => {
        throw new Error('who knows')
      },
    })
    const { catalog } = await beside(() => loadResult({ commands: [broken, skill('c')] }))
    expect(names(catalog.entries)).toEqual(['c', 'a'])
    expect(catalog.errors).toMatchObject([
      { code: 'malformed-command', name: 'b', message: expect.stringMatching(/^"bad" .*"b" .*\(who knows\)/) },
    ])
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'a place',
      { places: [{ path: 42, state: 'read', found: 1 }] },
      'a place whose path is the number 42 instead of text',
    ],
    ['a place that is none', { places: [null] }, 'a place whose value is null instead of an object'],
    [
      'an error',
      { errors: [{ severity: 'fatal', type: 'io', code: 'x', message: 'No.' }] },
      'an error whose severity is the text "fatal" instead of error or warning or info',
    ],
    [
      'a warning',
      { warnings: [{ severity: 'warning', type: 'io', code: 'x', message: 'No.', line: 'one' }] },
      'a warning whose line is the text "one" instead of a number',
    ],
    ['a disabled path', { disabledPaths: [7] }, 'a load result whose disabledPaths hold the number 7 instead of text'],
    ['a qualifier', { qualifiers: [{}] }, 'a load result whose qualifiers hold an object instead of text'],
  ])('gives %s of another type costs that alone, and says which', async (_, parts, problem) => {
    const { catalog } = await beside(() => loadResult({ commands: [skill('b')], ...parts }))
    expect(names(catalog.entries)).toEqual(['b', 'a'])
    expect(catalog.errors).toMatchObject([
      {
        code: 'malformed-result',
        provider: 'bad',
        message: expect.stringContaining(`"bad" returned ${problem};`) as string,
      },
    ])
    expect([...catalog.places, ...catalog.warnings]).toEqual([])
  })

  test('gives a command whose isEnabled throws costs that command only', async () => {
    const broken = skill('b', {
      isEnabled: () => {
        throw new Error('who knows')
      },
    })
    const { catalog } = await beside(() => loadResult({ commands: [broken, skill('c')] }))
    expect(names(catalog.entries)).toEqual(['c', 'a'])
    expect(catalog.errors).toMatchObject([
      { code: 'malformed-command', name: 'b', message: expect.stringContaining('who knows') },
    ])
  })

  test('gives only its commands, without the rest of a result, is understood', async () => {
    const given: unknown = { commands: [skill('b')] }
    const { catalog } = await beside(() => given as LoadResult)
    expect(names(catalog.entries)).toEqual(['b', 'a'])
  })
})

test('more than twenty sources give no warning about listeners', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on('warning', onWarning)
  try {
    const { skills } = engine({
      plugins: Array.from({ length: 25 }, (_, at) =>
        listing(`s${at}`, async () => {
          await settled()
          return loadResult({})
        }),
      ),
    })
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 25 }, () => skills.catalog({ signal })))
    await skills.explain('x', { signal })
    await settled()
  } finally {
    process.off('warning', onWarning)
  }
  expect(warnings).toEqual([])
})

test('no timer is left when a load is over', async () => {
  const { skills, clock } = engine({
    plugins: [counting().plugin, listing('bad', () => Promise.reject(new Error('no')))],
  })
  await skills.catalog()
  await skills.explain('a')
  expect(clock.pending).toBe(0)
  await skills.close()
  expect(clock.pending).toBe(0)
})
