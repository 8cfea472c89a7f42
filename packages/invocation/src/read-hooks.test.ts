import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeUnsupported, readHooks } from './read-hooks.js'

const command = { type: 'command', command: 'true' }

test('hooks are read in the order they are written in', () => {
  const { hooks, problems } = readHooks({
    PreToolUse: [{ matcher: 'Bash', hooks: [command, { command: 'false', timeout: 0.5, once: true }] }],
    Stop: [{ hooks: [command] }, command],
  })
  expect(problems).toEqual([])
  expect(hooks).toEqual([
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      command: 'true',
      timeoutMs: undefined,
      isOnce: false,
      field: 'hooks.PreToolUse[0].hooks[0]',
    },
    {
      event: 'PreToolUse',
      matcher: 'Bash',
      command: 'false',
      timeoutMs: 500,
      isOnce: true,
      field: 'hooks.PreToolUse[0].hooks[1]',
    },
    {
      event: 'Stop',
      matcher: '',
      command: 'true',
      timeoutMs: undefined,
      isOnce: false,
      field: 'hooks.Stop[0].hooks[0]',
    },
    { event: 'Stop', matcher: '', command: 'true', timeoutMs: undefined, isOnce: false, field: 'hooks.Stop[1]' },
  ])
})

test.each<
  readonly [what: unknown, keyPath: readonly (string | number)[], field: string, message: string, hint: string]
>([
  ['text', ['hooks'], 'hooks', 'is not a map from event to matchers', 'Write PreToolUse'],
  [
    { PreTooluse: [] },
    ['hooks', 'PreTooluse'],
    'hooks.PreTooluse',
    'names an unknown event',
    'Did you mean "PreToolUse"?',
  ],
  [{ Stop: {} }, ['hooks', 'Stop'], 'hooks.Stop', 'is not a list', 'Write a list'],
  [{ Stop: [5] }, ['hooks', 'Stop', 0], 'hooks.Stop[0]', 'is not an object', 'Write { matcher'],
  [
    { Stop: [{ matcher: 5 }] },
    ['hooks', 'Stop', 0],
    'hooks.Stop[0]',
    'has a matcher that is not a text',
    'Name one tool',
  ],
  [{ Stop: [{ hooks: 'true' }] }, ['hooks', 'Stop', 0], 'hooks.Stop[0]', 'has no list of hooks', 'Write hooks'],
  [
    { Stop: [{ hooks: ['true'] }] },
    ['hooks', 'Stop', 0, 'hooks', 0],
    'hooks.Stop[0].hooks[0]',
    'is not an object',
    'Write { type: command',
  ],
  [
    { Stop: [{ hooks: [{ type: 'poem', poem: 'x' }] }] },
    ['hooks', 'Stop', 0, 'hooks', 0],
    'hooks.Stop[0].hooks[0]',
    'has the unknown type "poem"',
    'only "command" is run here',
  ],
  [
    { Stop: [{ hooks: [{ type: 'command', command: ' ' }] }] },
    ['hooks', 'Stop', 0, 'hooks', 0],
    'hooks.Stop[0].hooks[0]',
    'has no command',
    'Give the hook a command',
  ],
])('what is wrong is said, and does nothing: %j', (what, keyPath, field, message, hint) => {
  expect(readHooks(what)).toEqual({
    hooks: [],
    problems: [
      {
        severity: message === 'names an unknown event' ? 'warning' : 'error',
        field,
        keyPath,
        message,
        hint: expect.stringContaining(hint),
      },
    ],
    unsupported: [],
  })
})

test('hooks that other agents run are no problems, and are told together', () => {
  const { hooks, problems, unsupported } = readHooks({
    SubagentStart: [{ matcher: 'Explore', hooks: [command] }],
    PermissionRequest: [{ hooks: [{ type: 'http', url: 'https://example.com' }, command] }],
    PostToolUseFailure: [command],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }, { type: 'agent', prompt: 'Check.' }, command] }],
    PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 'x', tool: 'y' }] }],
  })
  expect(problems).toEqual([])
  expect(hooks.map(({ event }) => event)).toEqual(['Stop'])
  expect(unsupported.map(({ event, type, command: text, field }) => [event, type, text, field])).toEqual([
    ['SubagentStart', 'command', 'true', 'hooks.SubagentStart[0].hooks[0]'],
    ['PermissionRequest', 'http', undefined, 'hooks.PermissionRequest[0].hooks[0]'],
    ['PermissionRequest', 'command', 'true', 'hooks.PermissionRequest[0].hooks[1]'],
    ['PostToolUseFailure', 'command', 'true', 'hooks.PostToolUseFailure[0]'],
    ['Stop', 'prompt', undefined, 'hooks.Stop[0].hooks[0]'],
    ['Stop', 'agent', undefined, 'hooks.Stop[0].hooks[1]'],
    ['PreToolUse', 'mcp_tool', undefined, 'hooks.PreToolUse[0].hooks[0]'],
  ])
  expect(describeUnsupported(unsupported)).toMatchObject({
    field: 'hooks.SubagentStart[0].hooks[0]',
    message:
      '7 hooks are not run here: SubagentStart, PermissionRequest (http), PermissionRequest, PostToolUseFailure, Stop (prompt) and 2 more',
  })
  expect(describeUnsupported([])).toBeUndefined()
  expect(readHooks({ Setup: 'x', TaskCreated: [{ hooks: [{ type: 'command' }] }] }).problems).toHaveLength(2)
})

test.each([
  ['30', 30_000],
  [' 0.5 ', 500],
  ['.25', 250],
  ['10.', 10_000],
  ['0.0001', 1],
  ['2147483', 2_147_483_000],
  [30, 30_000],
])('the timeout %j is a number of seconds, as frontmatter has it or as JSON has it', (timeout, timeoutMs) => {
  expect(readHooks({ Stop: [{ hooks: [{ ...command, timeout }] }] })).toMatchObject({
    hooks: [{ timeoutMs }],
    problems: [],
  })
})

test.each([
  ['true', true],
  ['Yes', true],
  [' ON ', true],
  ['1', true],
  [1, true],
  [true, true],
  ['false', false],
  ['no', false],
  ['Off', false],
  ['0', false],
  [0, false],
  [false, false],
  [null, false],
])('%j says for "once" what it says for any boolean of a skill', (once, isOnce) => {
  expect(readHooks({ Stop: [{ hooks: [{ ...command, once }] }] })).toMatchObject({ hooks: [{ isOnce }], problems: [] })
})

test.each([
  ['timeout', 0],
  ['timeout', -1],
  ['timeout', '0'],
  ['timeout', '-1'],
  ['timeout', '30s'],
  ['timeout', 'soon'],
  ['timeout', ''],
  ['timeout', '1e3'],
  ['timeout', '0x10'],
  ['timeout', '.'],
  ['timeout', 'Infinity'],
  ['timeout', '2147484'],
  ['timeout', true],
  ['timeout', Number.NaN],
  ['timeout', 1e9],
  ['once', 'maybe'],
  ['once', ''],
  ['once', 2],
])('a hook is kept without what is no value for %s: %s', (key, value) => {
  const { hooks, problems } = readHooks({ Stop: [{ hooks: [{ ...command, [key]: value }] }] })
  expect(hooks).toMatchObject([{ command: 'true', timeoutMs: undefined, isOnce: false }])
  expect(problems).toHaveLength(1)
})

test('one that is wrong costs no one else', () => {
  const { hooks, problems } = readHooks({
    Nothing: [],
    Stop: [{ matcher: '(', hooks: [command] }, { hooks: [{}, command] }],
  })
  expect(hooks.map(({ field }) => field)).toEqual(['hooks.Stop[1].hooks[1]'])
  expect(problems.map(({ field }) => field)).toEqual(['hooks.Nothing', 'hooks.Stop[0]', 'hooks.Stop[1].hooks[0]'])
})

test('a value that leads back to itself is said to be wrong too', () => {
  const loop: unknown[] = []
  loop.push(loop)
  expect(
    readHooks({ Stop: [{ hooks: [{ type: loop }, { command: 'true', timeout: loop, once: loop }, loop] }, loop] })
      .problems,
  ).toHaveLength(5)
})

test('anything at all is read without failing', () => {
  const inner = fc.oneof(
    fc.anything(),
    fc.record({ type: fc.anything(), command: fc.anything(), timeout: fc.anything() }, { requiredKeys: [] }),
  )
  const entry = fc.oneof(
    fc.anything(),
    fc.record({ matcher: fc.anything(), hooks: fc.oneof(fc.anything(), fc.array(inner)) }, { requiredKeys: [] }),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.dictionary(
          fc.constantFrom('Stop', 'PreToolUse', 'other', '__proto__'),
          fc.oneof(fc.anything(), fc.array(entry)),
        ),
      ),
      declared => {
        const { hooks, problems } = readHooks(declared)
        expect(
          [
            ...hooks.map(hook => `${typeof hook.command} ${typeof hook.matcher}`),
            ...problems.map(({ message, hint }) => `${typeof message} ${typeof hint}`),
          ].filter(types => types !== 'string string'),
        ).toEqual([])
      },
    ),
  )
})

test('a hook without a type, or whose once is no boolean, is left out where that is wanted', () => {
  const given = { Stop: [{ hooks: [{ command: 'a' }, { type: 'command', command: 'b', once: 'yes' }] }] }
  const more = { Stop: [{ hooks: [{ type: 'command', command: 'c', once: true }] }] }
  expect(readHooks(given).hooks.map(({ command: run, isOnce }) => [run, isOnce])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(readHooks(given, true)).toMatchObject({
    hooks: [],
    problems: [{ field: 'hooks.Stop[0].hooks[0]' }, { field: 'hooks.Stop[0].hooks[1]' }],
  })
  expect(readHooks(more, true).hooks).toMatchObject([{ command: 'c', isOnce: true }])
})
