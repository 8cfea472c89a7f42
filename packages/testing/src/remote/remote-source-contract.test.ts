import {
  loadResult,
  type Diagnostic,
  type LoadParts,
  type LoadResult,
  type PromptCommand,
  type Source,
} from '@skills/core'
import { remoteSourceContract } from '@skills/testing'
import type { MakeRemote } from '@skills/testing/internal'
import { testRemoteSource } from '@skills/testing/vitest'
import { expect, test } from 'vitest'
import { failuresOf } from '../../test/failures-of.js'
import { MemoryRemote, type MemoryConnection } from '../../test/memory-remote.js'
import { remoteSource, type Server } from '../../test/remote-source.js'

/** Fault in a source that is otherwise sound: in how it speaks to its server, in what it lists, or in its clock. */
interface Fault {
  readonly list?: (result: LoadResult) => LoadParts
  readonly connect?: (remote: MemoryRemote, connect: Server['connect']) => Promise<MemoryConnection>
  readonly command?: (command: PromptCommand) => Partial<PromptCommand>
  readonly after?: (ms: number) => number
  readonly setup?: (ctx: Parameters<ReturnType<typeof remoteSource>['setup']>[0]) => void
}

function made({ connect, command, after, setup, list }: Fault = {}): MakeRemote {
  return () => {
    const remote = new MemoryRemote()
    const plainly = (): Promise<MemoryConnection> => remote.connect()
    const sound = remoteSource({ connect: connect === undefined ? plainly : () => connect(remote, plainly) })
    return {
      remote,
      provider: {
        ...sound,
        async setup(ctx) {
          setup?.(ctx)
          const { clock } = ctx.host
          const source: Source = await sound.setup({
            ...ctx,
            host: {
              ...ctx.host,
              clock: { now: () => clock.now(), after: (ms, callback) => clock.after(after?.(ms) ?? ms, callback) },
            },
          })
          return {
            ...source,
            async list(call) {
              const result = await source.list(call)
              const commands = result.commands.map(one => (one.type === 'prompt' ? { ...one, ...command?.(one) } : one))
              return loadResult({ ...result, commands, ...list?.(result) })
            },
          }
        },
      },
    }
  }
}

testRemoteSource('a sound source of a server that can do everything', made())

const never = (): Promise<never> => new Promise(() => {})

const late = (message: string): Diagnostic => ({
  severity: 'error',
  type: 'source',
  code: 'late',
  provider: 'remote',
  message,
})

// At least one faulty source a case; each fails that case alone.
const mutants: readonly (readonly [caseName: string, fault: string, source: () => Fault, says: string])[] = [
  [
    'arrives',
    'does not say what skills are for',
    () => ({ command: () => ({ description: 'A skill.' }) }),
    'the description of "alpha" is "A skill." instead of',
  ],
  [
    'nothing-runs',
    'gives templates',
    () => ({
      command: ({ load }) => ({
        async load(args, call) {
          const body = await load(args, call)
          return {
            template:
              'blocks' in body
                ? body.blocks.map(block => (block.type === 'text' ? block.text : '')).join('')
                : body.template,
          }
        },
      }),
    }),
    'load() gave a template, in which expanders look for commands to run.',
  ],
  [
    'nothing-runs',
    'lets a server allow itself tools',
    () => ({ command: () => ({ allowedTools: ['Bash'] }) }),
    'a skill of a server allows itself Bash.',
  ],
  [
    'changes',
    'does not listen',
    () => ({
      connect: async (_remote, connect) =>
        Object.defineProperty(await connect(), 'onNews', { get: () => () => {}, set: () => {} }),
    }),
    'After the server told of "beta", alpha, beta, neighbour, omega are there by themselves, where there is alpha, neighbour, omega',
  ],
  [
    'close',
    'leaves a timer',
    () => ({ setup: ({ host }) => void host.clock.after(1e9, () => {}) }),
    "after close(), 1 timers of the host's clock still wait.",
  ],
  [
    'disconnects',
    'leaves its connection open',
    () => ({ connect: async (_remote, connect) => Object.assign(await connect(), { close() {} }) }),
    'after close(), 1 connections are still open.',
  ],
  ['slow', 'waits for its server', () => ({ after: ms => (ms === 150 ? 5000 : ms) }), 'the list waited'],
  [
    'slow',
    'waits until it is given up',
    () => ({ after: ms => (ms === 150 ? 60_000 : ms) }),
    'the list waited until the source was given up',
  ],
  [
    'slow',
    'does not say that it lists without its server',
    () => ({ list: () => ({ incomplete: undefined }) }),
    'the source gave a list and did not say that it had no answer',
  ],
  [
    'slow',
    'forgets what it knew',
    () => ({
      list: ({ incomplete }) =>
        incomplete === undefined ? {} : { commands: [], incomplete: undefined, errors: [late(incomplete)] },
    }),
    '"alpha", which was known, is gone',
  ],
  [
    'down',
    'tries once, and then only what was there before',
    () => {
      let [hasFailed, hasConnected] = [false, false]
      return {
        connect: (_remote, connect) =>
          hasFailed
            ? never()
            : connect()
                .catch((error: unknown) => {
                  hasFailed = String(error).includes('There is no server') && !hasConnected
                  throw error
                })
                .then(connection => {
                  hasConnected = true
                  return connection
                }),
      }
    },
    'Once the server ran, alpha, neighbour, omega are there by themselves, where there is neighbour',
  ],
  [
    'dies',
    'waits for ever for what died, and does not say so',
    () => {
      let hasDied = false
      return {
        connect: (remote, connect) => {
          const { isRunning } = remote
          return connect().catch((error: unknown) => {
            if (!isRunning) throw error
            hasDied = true
            return never()
          })
        },
        list: () => (hasDied ? { incomplete: undefined } : {}),
      }
    },
    'After the server died, it is told of',
  ],
  [
    'reconnects',
    'gets over one death alone',
    () => {
      let connections = 0
      return {
        connect: async (_remote, connect) => {
          const connection = await connect()
          return ++connections < 2
            ? connection
            : Object.defineProperty(connection, 'onEnd', { get: () => () => {}, set: () => {} })
        },
      }
    },
    'After the server had died and ran again, alpha, beta, gamma, neighbour, omega are there by themselves',
  ],
  [
    'garbage',
    'takes garbage for nothing',
    () => ({
      connect: async (_remote, connect) => {
        const connection = await connect()
        const { index } = connection
        return Object.assign(connection, {
          index: async () => index().then(heads => (Array.isArray(heads) ? heads : [])),
        })
      },
    }),
    'While the server answers with garbage, it is told of',
  ],
  [
    'load-dead',
    'fails without a code',
    () => ({
      command: ({ load }) => ({
        load: async (args, call) =>
          Promise.resolve(load(args, call)).catch((error: unknown) => {
            throw call.signal.aborted ? error : new Error('No one is there.')
          }),
      }),
    }),
    'load() whose server was dead failed with no SkillsError but: No one is there.',
  ],
  [
    'abort-load',
    'fails in its own way',
    () => ({
      command: ({ load }) => ({
        load: async (args, call) =>
          Promise.resolve(load(args, call)).catch((error: unknown) => {
            throw call.signal.aborted ? new Error('Stopped.') : error
          }),
      }),
    }),
    'load() that was aborted rejected with no AbortError but: Stopped.',
  ],
]
test.each(mutants)('%s fails for a source that %s', async (name, _fault, fault, says) => {
  // A source that is given up answers, on a busy machine after some seconds. Other faults never come to an end.
  const patienceMs = says.endsWith('given up') ? 60_000 : 2500
  const cases = remoteSourceContract(() => made(fault())(), { patienceMs, pace: 8 })
  expect(await failuresOf(cases)).toEqual({ [name]: expect.stringContaining(says) })
})

test('a server that is said to do without something, and does not, fails "without" alone', async () => {
  for (const lack of ['garble', 'connections'] as const) {
    expect(await failuresOf(remoteSourceContract(made(), { without: { [lack]: 'It cannot.' } }))).toEqual({
      without: expect.stringContaining(`there is a ${lack}(), although`),
    })
  }
})

test('what a server cannot do is not taken for checked: it fails until a reason is given', async () => {
  const make: MakeRemote = () => {
    const remote = new MemoryRemote()
    return {
      provider: remoteSource(remote),
      remote: {
        put: skills => remote.put(skills),
        remove: name => remote.remove(name),
        start: () => remote.start(),
        stop: () => remote.stop(),
        delay: () => remote.delay(),
      },
    }
  }
  const failed = await failuresOf(remoteSourceContract(make))
  expect(failed).toEqual({
    disconnects: expect.stringContaining('no connections()'),
    garbage: expect.stringContaining('no garble()'),
  })
  expect(
    await failuresOf(
      remoteSourceContract(make, { without: { connections: 'No one counts.', garble: 'It is sound.' } }),
    ),
  ).toEqual({})
})

test('there is a faulty source for every case', () => {
  expect(new Set([...mutants.map(([name]) => name), 'without'])).toEqual(
    new Set(remoteSourceContract(made()).map(({ name }) => name)),
  )
})
