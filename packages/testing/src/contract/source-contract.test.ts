import { readFileSync, watch, type FSWatcher } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import {
  loadResult,
  type Diagnostic,
  type LoadResult,
  type PromptCommand,
  type Provider,
  type SetupContext,
  type Source,
  type SourceCall,
} from '@skills/core'
import { ContractError, runContract, sourceContract, type Lack, type SourceFixture } from '@skills/testing'
import type { MakeFixture, SourceContractOptions } from '@skills/testing/internal'
import { testContract } from '@skills/testing/vitest'
import { afterEach, describe, expect, test } from 'vitest'
import { MemoryStore } from '../../test/memory-store.js'
import { memorySource } from '../../test/memory-source.js'

type SoundSource = Required<Pick<Source, 'source' | 'list' | 'refresh'>>
/** Fault in a source that is otherwise sound. */
type Fault = (sound: SoundSource, store: MemoryStore, ctx: SetupContext) => Partial<SoundSource>

function faulty(fault: Fault = () => ({})): MakeFixture {
  return () => {
    const store = new MemoryStore()
    const { setup, ...provider } = memorySource(store)
    return {
      store,
      provider: {
        ...provider,
        async setup(ctx) {
          const { source, list, refresh } = await setup(ctx)
          if (refresh === undefined) throw new TypeError('The sound source can look again.')
          const sound = { source, list, refresh }
          return { ...sound, ...fault(sound, store, ctx) }
        },
      },
    }
  }
}

/** Changes the results of list() and refresh(). */
function changing(change: (result: LoadResult, store: MemoryStore) => LoadResult | Promise<LoadResult>): Fault {
  return (sound, store) => ({
    list: async call => change(await sound.list(call), store),
    async refresh(paths, call) {
      const result = await sound.refresh(paths, call)
      return result === undefined ? undefined : change(result, store)
    },
  })
}

function changingCommands(change: (command: PromptCommand, store: MemoryStore) => Partial<PromptCommand>): Fault {
  return changing((result, store) =>
    loadResult({
      ...result,
      commands: result.commands.map(command =>
        command.type === 'prompt' ? { ...command, ...change(command, store) } : command,
      ),
    }),
  )
}

function changingErrors(change: (errors: readonly Diagnostic[]) => readonly Diagnostic[]): Fault {
  return changing(({ commands, errors }) => loadResult({ commands, errors: change(errors) }))
}

/** Copies a call with a signal that never aborts. */
function unabortable(call: SourceCall): SourceCall {
  return { ...call, signal: new AbortController().signal }
}

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise(setImmediate)
}

/** Runs the cases and returns the names of those that fail, with their messages. */
async function failures(
  make: MakeFixture,
  options: SourceContractOptions = {},
): Promise<Record<string, string | undefined>> {
  const outcomes = await runContract(sourceContract(make, { patienceMs: 5000, ...options }))
  return Object.fromEntries(
    outcomes.filter(({ outcome }) => outcome === 'failed').map(({ name, message }) => [name, message]),
  )
}

let digests = 0

const late: Diagnostic = { severity: 'error', type: 'source', code: 'slow', message: 'The store does not answer.' }

/** Returns what a source lists, or `instead` if its storage takes more than fifty turns. */
function withOwnLimit(sound: SoundSource, call: SourceCall, instead: () => LoadResult): Promise<LoadResult> {
  return Promise.race([
    (async () => sound.list(call))(),
    turns(50).then(() => {
      call.signal.throwIfAborted()
      return instead()
    }),
  ])
}

testContract('a sound source over a store that can do everything', sourceContract(faulty()))

test.each<[how: string, limitMs: number | undefined, instead: (last: LoadResult) => LoadResult]>([
  ['says that it is incomplete', undefined, () => loadResult({ errors: [late], incomplete: late.message })],
  [
    'says so in the note of a place',
    undefined,
    last => loadResult({ ...last, places: [{ path: '/memory', state: 'read', found: 0, note: late.message }] }),
  ],
  [
    'fails',
    undefined,
    () => {
      throw new Error(late.message)
    },
  ],
  ['is never given up by the engine', Infinity, () => loadResult({ incomplete: late.message })],
])(
  'a source with a time limit of its own keeps the rule about storage that hangs when it %s',
  async (_how, limitMs, instead) => {
    let last = loadResult({})
    const make = faulty(sound => ({
      async list(call) {
        const result = await withOwnLimit(sound, call, () => instead(last))
        return (last = result)
      },
    }))
    const cases = sourceContract(
      async () => {
        const fixture = await make()
        return { ...fixture, provider: { ...fixture.provider, ...(limitMs !== undefined && { limitMs }) } }
      },
      { patienceMs: 5000 },
    )
    await expect(cases.find(({ name }) => name === 'hung')?.run()).resolves.toBeUndefined()
  },
)

test('a source that no one ever gives up breaks that rule', async () => {
  const hanging = sourceContract(
    () => {
      const { store, provider } = made()
      return { store, provider: { ...provider, limitMs: Infinity } }
    },
    { patienceMs: 500 },
  )
  await expect(hanging.find(({ name }) => name === 'hung')?.run()).rejects.toThrow(/catalog\(\) .* 500 ms/)
})

const [leftTimers, leftWatchers, leftServers]: [NodeJS.Timeout[], FSWatcher[], Server[]] = [[], [], []]
afterEach(() => {
  for (const timer of leftTimers.splice(0)) clearInterval(timer)
  for (const open of [...leftWatchers.splice(0), ...leftServers.splice(0)]) open.close()
})

// At least one faulty source a case; each fails that case alone.
const mutants: readonly (readonly [caseName: string, fault: string, source: Fault, says: string])[] = [
  [
    'list',
    'says that no one wrote a description',
    changingCommands(() => ({ hasUserSpecifiedDescription: false })),
    'no one wrote its description',
  ],
  [
    'list',
    'counts what it did not find',
    changing(result => loadResult({ ...result, places: [{ path: '/memory', state: 'read', found: 42 }] })),
    'its places say that they found 42 commands, and it gave 3.',
  ],
  [
    'list',
    'counts what does not load',
    changing(result =>
      loadResult({
        ...result,
        places: [{ path: '/memory', state: 'read', found: result.commands.length + result.errorCount }],
      }),
    ),
    'its places say that they found 3 commands, and it gave 2.',
  ],
  [
    'list',
    'counts what it found the first time',
    sound => {
      let found: number | undefined
      return {
        async list(call) {
          const result = await sound.list(call)
          found ??= result.commands.length
          return loadResult({ ...result, places: [{ path: '/memory', state: 'read', found }] })
        },
      }
    },
    'its places say that they found 3 commands, and it gave 2.',
  ],
  [
    'close',
    'leaves a timer',
    () => {
      leftTimers.push(setInterval(() => {}, 1e9))
      return {}
    },
    'after close() the source has left a timer. Give what ends it to the effect() that setup() is given',
  ],
  [
    'close',
    'leaves a watch',
    () => {
      leftWatchers.push(watch(tmpdir(), { persistent: false }))
      return {}
    },
    'after close() the source has left a watch.',
  ],
  [
    'close',
    'leaves a server that listens',
    () => {
      leftServers.push(createServer().listen(0, '127.0.0.1'))
      return {}
    },
    'after close() the source has left a server.',
  ],
  [
    'close',
    'connects anew after close()',
    (_sound, _store, { signal }) =>
      changingCommands(({ load }) => ({
        async load(args, ctx) {
          if (signal.aborted) leftTimers.push(setInterval(() => {}, 1e9))
          return load(args, ctx)
        },
      }))(_sound, _store, {} as SetupContext),
    'after close() the source has left a timer.',
  ],
  [
    'content-length',
    'counts characters for bytes',
    changingCommands(({ contentLength }) => ({ contentLength: contentLength - 1 })),
    '"alpha" says 43 and its body has 44 bytes',
  ],
  [
    'empty',
    'takes an empty store for an error',
    changing(result =>
      result.commands.length > 0 || result.hasErrors
        ? result
        : loadResult({ errors: [{ severity: 'error', type: 'io', code: 'empty', message: 'There is nothing.' }] }),
    ),
    'Before anything was stored, there is an error: There is nothing.',
  ],
  [
    'determinism',
    'gives skills as they were stored',
    (sound, store) => ({
      async list(call) {
        const { commands, errors } = await sound.list(call)
        const names = await store.names()
        return loadResult({
          errors,
          commands: commands.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name)),
        })
      },
    }),
    'stored in reverse the skills came as "gamma", "Zeta", "skill-9", "alpha" and 2 more instead of "beta", "skill-10"',
  ],
  [
    'determinism',
    'gives another order each time',
    sound => {
      let isReversed = false
      return {
        async list(call) {
          const { commands, errors } = await sound.list(call)
          isReversed = !isReversed
          return loadResult({ errors, commands: isReversed ? commands.toReversed() : commands })
        },
      }
    },
    'asked again, the same source listed "Zeta", "alpha"',
  ],
  [
    'many',
    'stops after 1,500 skills',
    changing(({ commands, errors }) => loadResult({ errors, commands: commands.slice(0, 1500) })),
    '"skill-01500", "skill-01501", "skill-01502", "skill-01503" and 496 more are missing',
  ],
  [
    'fail-open',
    'stops at a bad skill',
    changing(({ commands, errors }) =>
      loadResult({
        errors,
        commands: commands.filter(({ name }) =>
          errors.every(error => error.code !== 'broken' || (error.name ?? '') > name),
        ),
      }),
    ),
    'Beside a skill "broken" that cannot be read, "omega" is missing: there is "alpha".',
  ],
  [
    'diagnostics',
    'does not tell of a bad skill',
    changingErrors(errors => errors.filter(({ code }) => code !== 'broken')),
    'no error with the name "broken"; there are 0 errors',
  ],
  [
    'diagnostics',
    'tells of it with another line',
    changingErrors(errors => errors.map(error => ({ ...error, line: 1 }))),
    'has the line 1 instead of 3',
  ],
  [
    'diagnostics',
    'tells of it without a path',
    changingErrors(errors => errors.map(({ path: _path, ...error }) => error)),
    'has the path undefined instead of /memory/broken',
  ],
  [
    'unreadable',
    'passes over what it may not read',
    changingErrors(errors => errors.filter(({ code }) => code !== 'denied')),
    'no error with the name or the path of "closed"',
  ],
  [
    'unreadable',
    'gives up before what it may not read',
    changing(({ commands, errors }) =>
      loadResult({ errors, commands: errors.some(({ code }) => code === 'denied') ? [] : commands }),
    ),
    '"alpha", "omega" are missing: there is nothing.',
  ],
  [
    'unavailable',
    'takes a store that fails for an empty one',
    sound => ({
      list: async call => {
        try {
          return await sound.list(call)
        } catch (error) {
          if (call.signal.aborted) throw error
          return loadResult({})
        }
      },
    }),
    'neither failed nor gave an error',
  ],
  [
    'unavailable',
    'never gets over a failure',
    sound => {
      let failure: unknown
      return {
        list: async call => {
          if (failure !== undefined) throw failure
          try {
            return await sound.list(call)
          } catch (error) {
            if (!call.signal.aborted) failure = error
            throw error
          }
        },
      }
    },
    'list() failed: The store may not be read.',
  ],
  [
    'endless',
    'waits for an end',
    (sound, store) => ({
      async list(call) {
        const result = await sound.list(call)
        if (result.errors.some(({ code }) => code === 'endless')) await store.body('endless')
        return result
      },
    }),
    'waited for "endless"',
  ],
  [
    'endless',
    'does not tell of it',
    changingErrors(errors => errors.filter(({ code }) => code !== 'endless')),
    'no error with the name or the path of "endless"',
  ],
  [
    'hung',
    'answers with what it knew when its storage hangs',
    sound => {
      let last: LoadResult | undefined
      return {
        async list(call) {
          const listing = sound.list(call)
          const instead = last
          const result = await (instead === undefined
            ? listing
            : Promise.race([listing, turns(50).then(() => instead)]))
          // The call may have been aborted in these turns, which another case checks.
          call.signal.throwIfAborted()
          return (last = result)
        },
      }
    },
    'While the storage hangs, the source gave a list and did not say that it had no answer',
  ],
  [
    'hung',
    'takes what did not come in its own time for gone',
    sound => ({ list: call => withOwnLimit(sound, call, () => loadResult({ errors: [late] })) }),
    'While the storage hangs, "alpha", which was known, is gone. Say that what you give is incomplete',
  ],
  [
    'identity',
    'gives another digest each time',
    changingCommands(() => ({ digest: () => String((digests += 1)) })),
    '"memory:alpha"',
  ],
  [
    'identity',
    'gives neither file nor digest',
    changing(({ commands, errors }) =>
      loadResult({
        errors,
        commands: commands.map(command => ({ ...command, digest: undefined }) as unknown as PromptCommand),
      }),
    ),
    'neither file nor digest',
  ],
  [
    'identity',
    'gives everything the same digest',
    changingCommands(() => ({ digest: () => 'same' })),
    'the second with another description and the same body, count as one (same-text)',
  ],
  [
    'identity',
    'leaves the description out of its digest',
    changingCommands(({ name }, store) => ({ digest: async () => String(await store.body(name)) })),
    'the second with another description and the same body, count as one (same-text)',
  ],
  [
    'identity',
    'leaves the body out of its digest',
    changingCommands(({ description, contentLength }) => ({ digest: () => `${contentLength} ${description}` })),
    'the second with the same description and another body of the same length, count as one (same-text)',
  ],
  [
    'identity',
    'names one file for all of one name',
    changingCommands(({ name, contentLength }) => ({
      file: { realPath: `/shelf/${name}`, dev: 1, ino: 1, size: contentLength, mtimeMs: 1, ctimeMs: 1 },
    })),
    'count as one (same-file), so that one of them is lost. Let file.realPath tell one file from every other.',
  ],
  [
    'identity',
    'gives no digest of a skill that stands alone',
    changingCommands(({ digest }, store) => ({
      async digest(ctx) {
        if (digest === undefined || (await store.names()).length === 1) throw new Error('There is nothing to compare.')
        return digest(ctx)
      },
    })),
    'There is nothing to compare.',
  ],
  [
    'not-kept',
    'keeps bodies',
    (sound, store) => ({
      async list(call) {
        const result = await sound.list(call)
        // Only for a small skill: reading large ones would be noticed without this rule.
        const commands = await Promise.all(
          result.commands.map(async command =>
            command.name === 'alpha'
              ? ({ ...command, metadata: { body: await store.body('alpha') } } as PromptCommand)
              : command,
          ),
        )
        return loadResult({ ...result, commands })
      },
    }),
    '"metadata" of "alpha" holds the body',
  ],
  [
    'not-kept',
    'keeps what it loaded behind its commands',
    sound => {
      const kept = new Map<string, Buffer>()
      return changingCommands(({ name, load }) => ({
        async load(args, ctx) {
          const body = await load(args, ctx)
          if ('template' in body) kept.set(name, Buffer.from(body.template))
          return body
        },
      }))(sound, {} as MemoryStore, {} as SetupContext)
    },
    'bytes more are in memory after the bodies of 64 skills were listed and loaded, which have 131072 each.',
  ],
  [
    'not-kept',
    'describes skills by a piece of the text in which their bodies stand',
    changingCommands(({ name, description, contentLength }) => ({
      description:
        contentLength < 100_000
          ? description
          : `${description}${name.repeat(contentLength)}`.slice(0, description.length),
    })),
    'bytes more are in memory',
  ],
  [
    'lazy-list',
    'reads bodies to list them',
    (sound, store) => ({
      async list(call) {
        const result = await sound.list(call)
        if (result.commands.length < 100) for (const { name } of result.commands) await store.body(name)
        return result
      },
    }),
    'list() read 2621',
  ],
  [
    'lazy-load',
    'reads every body for one',
    changingCommands(({ load }, store) => ({
      async load(args, ctx) {
        const body = await load(args, ctx)
        for (const name of await store.names()) await store.body(name)
        return body
      },
    })),
    'for a body of 131072',
  ],
  [
    'fresh-body',
    'keeps a body that was read',
    changingCommands(({ load }) => {
      let body: Awaited<ReturnType<typeof load>> | undefined
      return { load: async (args, ctx) => (ctx.signal.aborted ? load(args, ctx) : (body ??= await load(args, ctx))) }
    }),
    'still gave "Do what alpha says.',
  ],
  [
    'deleted',
    'does not say that a skill is gone',
    (sound, store) =>
      changingCommands(({ name }) => ({
        async load(_args, { signal }) {
          signal.throwIfAborted()
          const template = await store.body(name)
          signal.throwIfAborted()
          if (template === undefined) throw new Error('It is gone.')
          return { template }
        },
      }))(sound, store, {} as SetupContext),
    'failed with no SkillsError but: It is gone.',
  ],
  [
    'deleted',
    'gives an empty body',
    changingCommands(({ name }, store) => ({
      async load(_args, { signal }) {
        signal.throwIfAborted()
        const template = (await store.body(name)) ?? ''
        signal.throwIfAborted()
        return { template }
      },
    })),
    'gave {"template":""} all the same',
  ],
  [
    'abort-before',
    'rejects with an error of its own',
    sound => ({
      list: async call => {
        if (call.signal.aborted) throw new TypeError('It was aborted.')
        return sound.list(call)
      },
    }),
    'rejected with no AbortError but: It was aborted.',
  ],
  [
    'abort-before',
    'looks again although no one waits',
    sound => ({ refresh: async (paths, call) => sound.refresh(paths, unabortable(call)) }),
    'refresh() whose signal was aborted before gave an answer all the same',
  ],
  [
    'abort-list',
    'asks its signal only at the beginning of a long list',
    sound => ({
      async list(call) {
        const result = await sound.list(call.signal.aborted ? call : unabortable(call))
        if (result.commands.length < 100) call.signal.throwIfAborted()
        return result
      },
    }),
    'that was aborted in turn 1 of about',
  ],
  [
    'abort-list',
    'is half empty after an abort',
    sound => {
      let wasAborted = false
      return {
        async list(call) {
          const isHalf = wasAborted
          wasAborted = false
          try {
            const { commands, errors } = await sound.list(call)
            return loadResult({ errors, commands: isHalf ? commands.slice(0, 500) : commands })
          } catch (error) {
            wasAborted = true
            throw error
          }
        },
      }
    },
    'In the list() after an aborted one, "skill-00500"',
  ],
  [
    'abort-quiet',
    'goes on reading behind the back of a caller that gave up',
    sound => ({
      list: async call => {
        call.signal.throwIfAborted()
        const aborted = new Promise<never>((_, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason))
        })
        return Promise.race([sound.list(unabortable(call)), aborted])
      },
    }),
    'reads came after the aborted list() had ended',
  ],
  [
    'abort-quiet',
    'reads before it asks its signal',
    (sound, store) => ({
      list: async call => {
        await store.names()
        return sound.list(call)
      },
    }),
    'whose signal was aborted before read 1 times',
  ],
  [
    'abort-load',
    'reads a body that no one waits for',
    changingCommands(({ load }) => ({
      async load(args, { signal }) {
        const isLate = signal.aborted
        const body = await load(args, { signal: new AbortController().signal })
        if (!isLate) signal.throwIfAborted()
        return body
      },
    })),
    'load() whose signal was aborted before gave an answer all the same',
  ],
  [
    'abort-stalled',
    'does not ask its signal again when it has waited for a body',
    changingCommands(({ load }) => ({
      load: async (args, ctx) => load(args, ctx.signal.aborted ? ctx : { signal: new AbortController().signal }),
    })),
    'load() that was aborted while its storage hung gave an answer all the same. Call signal.throwIfAborted() first, and again after each wait.',
  ],
  [
    'changes',
    'does not notice changes when it looks at everything',
    sound => ({
      refresh: async (paths, call) => {
        const result = await sound.refresh(paths, call)
        return paths === undefined ? undefined : result
      },
    }),
    'After refresh(), "delta" is missing',
  ],
  [
    'refresh-nothing',
    'takes everything for changed',
    sound => ({
      refresh: async (paths, call) =>
        (await sound.refresh(paths, call)) ?? (paths === undefined ? sound.list(call) : undefined),
    }),
    'the first refresh() gave a result although nothing had changed',
  ],
  [
    'refresh-path',
    'looks everywhere',
    sound => ({ refresh: async (_paths, call) => sound.refresh(undefined, call) }),
    '"beta" was looked at too',
  ],
]

describe('a source that', () => {
  test.each(mutants)('breaks "%s", since it %s, fails that case alone', async (caseName, _fault, fault, says) => {
    const failed = await failures(faulty(fault))
    expect(Object.keys(failed)).toEqual([caseName])
    expect(failed[caseName]).toContain(says)
    expect(failed[caseName]).toMatch(/^ContractError: Rule "[^"].*": .*[.]$/s)
  })

  test('serves one engine only fails "again" alone', async () => {
    const failed = await failures(() => {
      let isClosed = false
      const { provider, store } = made()
      const setup = async (ctx: SetupContext): Promise<Source> => {
        const source = await provider.setup(ctx)
        await ctx.effect('memory', () => () => {
          isClosed = true
        })
        return {
          ...source,
          list(call) {
            if (isClosed) throw new Error('It was closed.')
            return source.list(call)
          },
        }
      }
      return { store, provider: { ...provider, setup } }
    })
    expect(Object.keys(failed)).toEqual(['again'])
    expect(failed['again']).toMatch(/in the second, .*"memory" .*: It was closed\./)
  })

  test('gives no turns fails "abort-list" alone, unless a reason is given', async () => {
    const make = (): SourceFixture => {
      const store = new MemoryStore()
      return { store, provider: memorySource(store, { turnAfter: Infinity }) }
    }
    expect(await failures(make)).toEqual({ 'abort-list': expect.stringMatching(/list\(\) of 1500 skills /) })
    expect(await failures(make, { without: { turns: 'It is in memory.' } })).toEqual({})
  })

  test('gives no turns, and does not ask its signal again after a wait, fails "abort-stalled" alone', async () => {
    const failed = await failures(
      () => {
        const store = new MemoryStore()
        const { setup, ...provider } = memorySource(store, { turnAfter: Infinity })
        return {
          store,
          provider: {
            ...provider,
            async setup(ctx) {
              const source = await setup(ctx)
              return { ...source, list: async call => source.list(call.signal.aborted ? call : unabortable(call)) }
            },
          },
        }
      },
      { without: { turns: 'It is in memory.' } },
    )
    expect(failed).toEqual({ 'abort-stalled': expect.stringContaining('list() that was aborted') })
  })

  test('gives nothing to one engine while it lists for another fails "again" alone', async () => {
    const busy = new WeakSet<MemoryStore>()
    const failed = await failures(
      faulty((sound, store) => ({
        async list(call) {
          if (busy.has(store)) return loadResult({})
          busy.add(store)
          try {
            return await sound.list(call)
          } finally {
            busy.delete(store)
          }
        },
      })),
    )
    expect(failed).toEqual({
      again: expect.stringContaining(
        'In the second of two engines that were asked at the same time, "alpha", "beta" are missing',
      ),
    })
  })

  test('tells one engine of what another one found fails "again" alone', async () => {
    const failed = await failures(() => {
      const { provider, store } = made()
      let invalidate: SetupContext['invalidate'] | undefined
      return {
        store,
        provider: {
          ...provider,
          setup: ctx => provider.setup({ ...ctx, invalidate: (invalidate ??= ctx.invalidate) }),
        },
      }
    })
    expect(failed).toEqual({ again: expect.stringContaining('still in the catalog') })
  })

  test('leaves a timer behind fails "again" alone', async () => {
    const failed = await failures(
      faulty((_sound, _store, ctx) => {
        ctx.host.clock.after(1000, () => {})
        return {}
      }),
    )
    expect(failed).toEqual({ again: expect.stringContaining('after close(), 1 timers') })
  })

  test('can do what it is said to do without fails "without" alone', async () => {
    expect(await failures(faulty(), { without: { stall: 'It never waits.' } })).toEqual({
      without: expect.stringContaining('there is a stall(), although'),
    })
    expect(await failures(faulty(), { without: { refresh: 'It lists anew.' } })).toEqual({
      without: expect.stringContaining('there is a refresh(), although'),
    })
    expect(await failures(faulty(), { without: { identity: 'It has none.' } })).toEqual({
      without: expect.stringContaining('a command has a digest,'),
    })
    expect(await failures(faulty(), { without: { turns: 'It is quick.' } })).toEqual({
      without: expect.stringMatching(/1500 skills .* \d+ times, .*\("It is quick\."\)/),
    })
  })
})

describe('the contract', () => {
  test('has a faulty source for every case', () => {
    const names = sourceContract(made).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set([...mutants.map(([name]) => name), 'again', 'without'])).toEqual(new Set(names))
  })

  test('is told in the README rule by rule, with what each needs', () => {
    const whole = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll('`', '')
    // Other contracts have tables of their own.
    const readme = /^## The rules$[^]*?(?=^## )/m.exec(whole)?.[0] ?? ''
    for (const { name, rule } of sourceContract(made)) expect(readme).toContain(`| ${name} | ${rule}`)
    const needs = (lack: Lack): readonly string[] =>
      sourceContract(made, { without: { [lack]: '…' } }).flatMap(({ name, skip }) => (skip === undefined ? [] : name))
    for (const lack of [
      ...Object.keys(abilitiesOf(new MemoryStore())).slice(2),
      'refresh',
      'identity',
      'turns',
    ] as Lack[]) {
      const rows = readme.split('\n').filter(
        line =>
          /^\| [a-z-]+ \|/.test(line) &&
          line
            .split('|')
            .at(-2)
            ?.split(',')
            .some(need => need.trim() === lack) === true,
      )
      expect([lack, rows.map(row => row.split('|')[1]?.trim())]).toEqual([lack, needs(lack)])
    }
  })

  test('does not take for passed what a store cannot do: it fails until a reason is given', async () => {
    const { put, remove, ...abilities } = abilitiesOf(new MemoryStore())
    const failed = await failures(() => ({ provider: memorySource(new MemoryStore()), store: { put, remove } }))
    const messages = Object.values(failed).join('\n')
    for (const ability of Object.keys(abilities)) expect(messages).toContain(`no ${ability}(). `)
  })

  test('fails a source that cannot look again until a reason is given', async () => {
    const make = faulty(() => ({ refresh: undefined }) as unknown as Partial<SoundSource>)
    expect(Object.keys(await failures(make))).toEqual(['refresh-nothing', 'refresh-path'])
    expect(await failures(make, { without: { refresh: 'It lists anew each time.' } })).toEqual({})
  })

  test('names the reason why a case does not apply, and running it all the same fails', async () => {
    const cases = sourceContract(faulty(), { without: { stall: 'It never waits.' } })
    const skipped = cases.filter(({ skip }) => skip !== undefined)
    expect(skipped.map(({ name, skip }) => [name, skip])).toEqual([
      ['hung', 'It never waits.'],
      ['abort-stalled', 'It never waits.'],
    ])
    await expect(skipped[0]?.run()).rejects.toThrow(/^Rule "storage that hangs.* does not apply: It never waits\.$/)
    expect(await runContract(skipped.slice(0, 1))).toEqual([
      { name: 'hung', outcome: 'skipped', message: 'It never waits.' },
    ])
  })

  test('is not told in vain to do without what it does not know', () => {
    const without = { deny: 'There are no permissions.', denny: 'Nor these.' }
    expect(() => sourceContract(made, { without })).toThrow(
      new ContractError(
        'The contract cannot be told to do without "denny", which it does not know. Correct its name in "without", ' +
          'or take it out; known are countReads, deny, identity, pathOf, putBroken, putEndless, refresh, shut, stall, turns.',
      ),
    )
  })

  test('notices that reads are not counted', async () => {
    const failed = await failures(() => {
      const { store, provider } = made()
      return { provider, store: Object.assign(store, { countReads: () => ({ reads: 0, bytes: 0, stop() {} }) }) }
    })
    expect(Object.keys(failed)).toEqual(['lazy-list', 'abort-quiet'])
    for (const message of Object.values(failed)) expect(message).toContain('because countReads() counted')
  })

  test('notices that a store does not hang when it should', async () => {
    const failed = await failures(() => {
      const { store, provider } = made()
      return { provider, store: Object.assign(store, { stall: () => () => {} }) }
    })
    expect(failed).toEqual({ hung: expect.stringContaining('while stall() should') })
  })

  test('gives up a source that never answers, and says so', async () => {
    const [first] = sourceContract(
      faulty(() => ({ list: () => new Promise(() => {}) })),
      { patienceMs: 50 },
    )
    await expect(first?.run()).rejects.toThrow(/catalog\(\) .* 50 ms/)
  })

  test.each<[what: string, fixture: () => Partial<SourceFixture>, says: string]>([
    [
      'cannot be made',
      () => {
        throw new Error('No disk.')
      },
      'it could not be checked, because make() failed: No disk.',
    ],
    [
      'cannot be filled',
      () => ({
        store: {
          put() {
            throw new Error('Disk full.')
          },
          remove() {},
        },
      }),
      'it could not be checked, because put() failed: Disk full.',
    ],
    [
      'cannot be cleaned up',
      () => ({
        dispose() {
          throw new Error('In use.')
        },
      }),
      'it could not be checked, because cleaning up failed: In use.',
    ],
  ])('says when a fixture %s', async (_what, fixture, says) => {
    const [first] = sourceContract(() => ({ ...made(), ...fixture() }))
    await expect(first?.run()).rejects.toThrow(says)
  })

  test('says when a source cannot be set up', async () => {
    const unfit: Provider<'source'> = {
      kind: 'source',
      id: 'unfit',
      setup() {
        throw new Error('There is no database.')
      },
    }
    const failed = await failures(() => ({ provider: unfit, store: new MemoryStore() }))
    expect(failed['empty']).toMatch(/"unfit" .*: There is no database\./)
  })

  test('disposes of every fixture, whether a case passes or fails', async () => {
    let [makes, disposals] = [0, 0]
    const make =
      (fault?: Fault): MakeFixture =>
      async () => {
        makes++
        return { ...(await faulty(fault)()), dispose: () => void disposals++ }
      }
    await runContract(sourceContract(make()))
    await runContract(sourceContract(make(() => ({ list: () => loadResult({}) }))))
    expect(makes).toBeGreaterThan(50)
    expect(disposals).toBe(makes)
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'allowedTools as text',
      { allowedTools: 'Bash(*)' },
      'allowedTools is the text "Bash(*)" instead of a list of text',
    ],
    ['a number for its version', { version: 1 }, 'version is the number 1 instead of text'],
  ])('finds %s', async (_what, fields, says) => {
    const failed = await failures(faulty(changingCommands(() => fields)))
    expect(failed['list']).toContain(says)
  })

  test('finds a place without a path', async () => {
    const failed = await failures(
      faulty(changing(result => loadResult({ ...result, places: [{ path: 42 as never, state: 'read', found: 3 }] }))),
    )
    expect(failed['list']).toMatch(/number 42 /)
  })

  test('proves a source whose skills are invoked by other names than they are stored by', async () => {
    const renamed = changingCommands(({ name }) => ({ name: `pack:${name}`, displayName: name, qualifier: 'pack' }))
    const failed = await failures(async () => ({ ...(await faulty(renamed)()), nameOf: name => `pack:${name}` }))
    expect(failed).toEqual({})
  })
})

function made(): { provider: Provider<'source'>; store: MemoryStore } {
  const store = new MemoryStore()
  return { provider: memorySource(store), store }
}

function abilitiesOf(
  store: MemoryStore,
): Pick<
  MemoryStore,
  'put' | 'remove' | 'putBroken' | 'deny' | 'shut' | 'putEndless' | 'stall' | 'countReads' | 'pathOf'
> {
  return {
    put: skills => store.put(skills),
    remove: name => store.remove(name),
    putBroken: name => store.putBroken(name),
    deny: name => store.deny(name),
    shut: () => store.shut(),
    putEndless: name => store.putEndless(name),
    stall: () => store.stall(),
    countReads: () => store.countReads(),
    pathOf: name => store.pathOf(name),
  }
}
