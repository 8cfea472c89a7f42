import { describe, expect, it, test } from 'vitest'
import { startSession, type HookPayload, type HookVerdict, type SkillHookEvent } from '@skills/invocation'
import { engine, hooks, skill, type Bench, type Given } from '../test/engine.js'

const tool = { toolName: 'Bash' }
const json = (value: unknown): string => `cat <<'END'\n${JSON.stringify(value)}\nEND`
const own = (fields: Readonly<Record<string, unknown>>): unknown => ({ hookSpecificOutput: fields })

/** Returns the combined answer of hooks that each say something. */
async function answered(
  event: SkillHookEvent,
  said: readonly unknown[],
  given: Given & { readonly payload?: HookPayload } = {},
): Promise<{ readonly verdict: HookVerdict } & Bench> {
  const bench = engine(
    [skill('a', hooks(event, ...said.map(one => (typeof one === 'string' ? one : json(one)))))],
    given,
  )
  await bench.invoke('a')
  return { ...bench, verdict: await bench.ask(event, given.payload ?? tool) }
}

describe('a hook that says "continue": false', () => {
  it.each(['PreToolUse', 'UserPromptSubmit', 'PreCompact', 'SessionStart'] as const)(
    'stops the agent, and blocks what it was asked about: %s',
    async event => {
      const { verdict, told } = await answered(event, [{ continue: false, stopReason: 'Enough.', decision: 'approve' }])
      expect(verdict).toEqual({ block: true, stop: true, reason: 'Enough.' })
      expect(told).toEqual([])
    },
  )

  it.each(['Stop', 'SubagentStop'] as const)(
    'lets an agent stop that is about to, anything else it says: %s',
    async event => {
      expect(
        (await answered(event, [{ continue: false, stopReason: 'Enough.', decision: 'block', reason: 'Go on.' }]))
          .verdict,
      ).toEqual({ stop: true, reason: 'Enough.' })
      expect((await answered(event, [{ decision: 'block', reason: 'Go on.' }])).verdict).toEqual({
        block: true,
        reason: 'Go on.',
      })
    },
  )

  it('keeps the others from being asked, unless it has happened already', async () => {
    const { lines } = await answered('PreToolUse', [{ continue: false }, 'echo asked >> log'])
    expect(lines('log')).toEqual([])
    const after = await answered('PostToolUse', [
      'echo "Look again." >&2; exit 2',
      { continue: false, stopReason: 'Enough.' },
      'echo asked >> log',
    ])
    expect(after.lines('log')).toEqual(['asked'])
    expect(after.verdict).toEqual({ block: true, reason: 'Look again.', stop: true })
  })
})

describe('a hook that answers in JSON', () => {
  it('is heard however it ends, and a failure is told of', async () => {
    const { verdict, told } = await answered('PreToolUse', [
      `${json({ decision: 'block', reason: 'Not now.' })}\nexit 1`,
    ])
    expect(verdict).toEqual({ block: true, reason: 'Not now.' })
    expect(told.map(({ code }) => code)).toEqual(['hook-failed'])
  })

  it('adds text beside the name of another event only where that is not strict', async () => {
    const other = own({ hookEventName: 'PostToolUse', additionalContext: 'Read it.' })
    expect((await answered('PreToolUse', [other])).verdict).toEqual({ context: 'Read it.' })
    expect((await answered('PreToolUse', [other], { strict: true })).verdict.context).toBeUndefined()
    const same = own({ hookEventName: 'PreToolUse', additionalContext: 'Read it.' })
    expect((await answered('PreToolUse', [same], { strict: true })).verdict).toEqual({ context: 'Read it.' })
  })

  it('that is none adds it as text where a hook may add text', async () => {
    const { verdict, told } = await answered('UserPromptSubmit', ['echo "{ Read it."'])
    expect(verdict).toEqual({ context: '{ Read it.' })
    expect(told).toEqual([])
  })
})

describe('a hook that wants a person to be asked', () => {
  const asks = own({
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: 'It is pushed.',
  })

  it('blocks for code that asks no question, and says that a person may lift it', async () => {
    const { verdict, told } = await answered('PreToolUse', [asks])
    expect(verdict).toEqual({ block: true, ask: true, reason: 'It is pushed.' })
    expect(told).toEqual([])
    expect((await answered('PreToolUse', [own({ permissionDecision: 'ask' })])).verdict).toEqual({
      block: true,
      ask: true,
      reason: 'A hook wants a person to be asked.',
    })
  })

  it('gives way to one that is against it altogether, so that no person can lift that', async () => {
    const denies = own({ permissionDecision: 'deny', permissionDecisionReason: 'Never.' })
    expect((await answered('PreToolUse', [asks, denies])).verdict).toEqual({ block: true, reason: 'Never.' })
    expect(
      (
        await answered('PreToolUse', [
          asks,
          own({ permissionDecision: 'allow' }),
          own({ permissionDecision: 'ask', permissionDecisionReason: 'Later.' }),
        ])
      ).verdict,
    ).toEqual({ block: true, ask: true, reason: 'It is pushed.' })
  })
})

describe('what a hook adds for the model', () => {
  it.each(['UserPromptSubmit', 'SessionStart', 'PreToolUse', 'PostToolUse'] as const)(
    'is in the answer, of all hooks in their order: %s',
    async event => {
      const { verdict, told } = await answered(event, [
        own({ hookEventName: event, additionalContext: 'It is late.' }),
        'true',
        own({ additionalContext: ' Be brief.\n' }),
      ])
      expect(verdict).toEqual({ context: 'It is late.\nBe brief.' })
      expect(told).toEqual([])
    },
  )

  it.each(['UserPromptSubmit', 'SessionStart'] as const)(
    'may be plain text where something begins: %s',
    async event => {
      expect((await answered(event, ['echo "It is late."', '[ 1 = 1 ]', 'echo "[1, 2]"'])).verdict).toEqual({
        context: 'It is late.\n[1, 2]',
      })
    },
  )

  it('is not plain text elsewhere, which is for people who look on', async () => {
    for (const event of ['PreToolUse', 'PostToolUse', 'Stop'] as const)
      expect((await answered(event, ['echo "It is late."'])).verdict).toEqual({})
  })

  it('is not lost by a hook that blocks after it', async () => {
    expect((await answered('UserPromptSubmit', ['echo "It is late."', 'echo "Not now." >&2; exit 2'])).verdict).toEqual(
      { block: true, reason: 'Not now.', context: 'It is late.' },
    )
  })

  it('is what startSession gives', async () => {
    const { skills } = engine([], {
      fromStart: [skill('p', hooks('SessionStart', 'echo "The main branch is closed."'))],
    })
    expect(await startSession(skills)).toEqual({ context: 'The main branch is closed.' })
  })

  it('is cut off somewhere, and has nothing in it that a person does not see', async () => {
    const long = await answered('SessionStart', [
      own({ additionalContext: 'x'.repeat(10_001) }),
      `printf 'y%.0s' {1..10001}`,
    ])
    expect(long.verdict).toEqual({ context: `${'x'.repeat(10_000)} …\n${'y'.repeat(10_000)} …` })
    expect((await answered('SessionStart', ['echo 12345678'], { maxContextChars: 4 })).verdict).toEqual({
      context: '1234 …',
    })
    const hidden = 'a\u001b[31mb\u0000\u202ec\u{e0041}\u2066d'
    expect(
      (
        await answered('SessionStart', [
          own({ additionalContext: hidden }),
          { systemMessage: hidden, decision: 'block', reason: hidden },
        ])
      ).verdict,
    ).toEqual({ block: true, reason: 'abcd', context: 'abcd', messages: ['abcd'] })
  })
})

test('what a hook has for a person is in the answer, of any event', async () => {
  const { verdict, told } = await answered('Notification', [
    { systemMessage: 'The disk is full.', suppressOutput: true },
    { systemMessage: '  ' },
    { systemMessage: 'Still.' },
  ])
  expect(verdict).toEqual({ messages: ['The disk is full.', 'Still.'] })
  expect(told).toEqual([])
})

describe('what nothing heeds', () => {
  it('is told of once for each hook, is kept, and costs nothing else of the answer', async () => {
    const said = {
      mood: 'good',
      ...(own({ updatedInput: { command: 'true' }, additionalContext: 'It is late.' }) as object),
    }
    const { verdict, told, ask } = await answered('PreToolUse', [said, { mood: 'bad' }])
    expect(verdict).toEqual({
      context: 'It is late.',
      others: [{ mood: 'good', hookSpecificOutput: { updatedInput: { command: 'true' } } }, { mood: 'bad' }],
    })
    expect(await ask('PreToolUse', tool)).toEqual(verdict)
    expect(told.map(({ severity, code, name, field, message }) => [severity, code, name, field, message])).toEqual([
      [
        'warning',
        'unheeded-answer',
        'a',
        'hooks.PreToolUse[0].hooks[0]',
        'The hook "hooks.PreToolUse[0].hooks[0]" of the skill "a" says "mood", "hookSpecificOutput.updatedInput", which has no effect in this form.',
      ],
      [
        'warning',
        'unheeded-answer',
        'a',
        'hooks.PreToolUse[0].hooks[1]',
        expect.stringMatching(/"hooks\.PreToolUse\[0\]\.hooks\[1\]" .*"a" says "mood",/),
      ],
    ])
  })

  it.each([
    [{ decision: 'blok', reason: 'No.' }, 'decision'],
    [{ decision: 'block', reason: 5 }, 'reason'],
    [{ continue: 'no' }, 'continue'],
    [{ hookSpecificOutput: [] }, 'hookSpecificOutput'],
    [own({ permissionDecision: 'never' }), 'hookSpecificOutput.permissionDecision'],
    [{ systemMessage: {} }, 'systemMessage'],
    [JSON.parse('{"__proto__":{"decision":"block"}}'), '__proto__'],
  ])('is a value that its key cannot have, too: %j', async (said, key) => {
    const { verdict, told } = await answered('PreToolUse', [said])
    expect(verdict.block === true).toBe(key === 'reason')
    expect(told).toMatchObject([{ code: 'unheeded-answer', message: expect.stringContaining(`says "${key}", which`) }])
  })

  it('is the wish to have a person asked, of an event that is no use of a tool', async () => {
    const { verdict, told } = await answered('SubagentStop', [own({ permissionDecision: 'ask' })])
    expect(verdict).toEqual({ others: [{ hookSpecificOutput: { permissionDecision: 'ask' } }] })
    expect(told).toMatchObject([{ code: 'unheeded-answer' }])
  })

  it('is context for an event that has no place for it', async () => {
    const { verdict, told } = await answered('Stop', [own({ additionalContext: 'It is late.' })])
    expect(verdict).toEqual({ others: [{ hookSpecificOutput: { additionalContext: 'It is late.' } }] })
    expect(told).toMatchObject([{ code: 'unheeded-answer' }])
  })

  it('is named a few at a time, however much there is', async () => {
    const { told } = await answered('PreToolUse', [
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key\u0007${at}${'x'.repeat(200)}`, at])),
    ])
    expect(told).toHaveLength(1)
    expect(told[0]?.message).toMatch(/says (?:"key\dx{76} …", ){4}"key\dx{76} …" and 4 more, which/)
  })
})
