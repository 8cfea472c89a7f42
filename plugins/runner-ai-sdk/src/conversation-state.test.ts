import { createSkills, defineProvider, loadResult, promptCommand } from '@skills/core'
import { invocationKinds, type HookPayload, type Invocation, type SkillHookEvent } from '@skills/invocation'
import { formatterKind } from '@skills/invocation/skill-tool'
import { fakeHost } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { conversing, sessionsOf, skill } from '../test/conversing.js'
import { says, scriptedModel, type Sent } from '../test/scripted-model.js'
import { converse, type Conversation } from './conversation.js'

const userTexts = ({ prompt }: Sent): string => JSON.stringify(prompt.filter(({ role }) => role === 'user'))
const wired = async (conversation: Conversation): Promise<unknown> =>
  JSON.parse(JSON.stringify(await conversation.suspend())) as unknown

describe('the state of a conversation', () => {
  it('goes on in another engine as if nothing had been: no hook of its ends, nothing told twice, skills still at work', async () => {
    const events: unknown[] = []
    const hooks = (event: SkillHookEvent, { reason }: HookPayload): undefined => void events.push([event, reason])
    const first = await conversing({
      model: scriptedModel([says('Yes.')]),
      commands: [skill('deploy')],
      hooks,
      id: 's-7',
      effort: 'low',
    })
    await first.conversation.say('/deploy')
    const state = await wired(first.conversation)

    const model = scriptedModel([says('Still.'), says('A summary.'), says('On.')])
    const again = await conversing({
      model,
      commands: [skill('deploy')],
      hooks,
      state,
      effortFor: effort => ({ test: { effort } }),
    })
    await again.conversation.say('And?')
    expect(again.conversation.session.id).toBe('s-7')
    expect(userTexts(model.sent[0] as Sent).match(/- deploy/g)).toHaveLength(1)
    expect(model.sent[0]).toMatchObject({ providerOptions: { test: { effort: 'low' } } })
    expect(await again.conversation.compact()).toEqual({ skills: ['deploy'] })
    await again.conversation.close()
    expect(events.filter(event => /Session/.test(JSON.stringify(event)))).toEqual([
      ['SessionStart', 'startup'],
      ['SessionEnd', 'other'],
    ])
    expect([first.diagnostics, again.diagnostics]).toEqual([[], []])
  })

  it('tells the hooks of a beginning where a reason is given', async () => {
    const first = await conversing({ model: scriptedModel([]) })
    const state = await wired(first.conversation)
    const { skills, host } = await conversing({ model: scriptedModel([]) })
    const reasons: unknown[] = []
    skills.hook('session:start', ({ reason }) => void reasons.push(reason))
    const conversation = await converse(host, {
      model: scriptedModel([]),
      state,
      id: 'other',
      reason: 'resume',
      progress: () => {},
      onDiagnostic: () => {},
    })
    await conversation.close()
    expect(reasons).toEqual(['resume'])
  })

  it.each([
    [
      'messages alone',
      { messages: [{ role: 'user' as const, content: 'Hi.' }] },
      /opened from its messages alone. The active skills, their hooks/,
    ],
    [
      'an older version',
      { state: { version: 0 } },
      /has version 0, but only version 1 is known here, so nothing of it was restored/,
    ],
    ['no object', { state: '' }, /not an object/],
    [
      'broken messages',
      {
        state: {
          version: 1,
          session: {
            version: 1,
            id: 'a',
            skills: [],
            hooks: { skills: [], done: [] },
            sent: [],
            lasting: { context: {}, by: [] },
            forks: [],
          },
          messages: 5,
        },
      },
      /messages of the kept conversation are broken/,
    ],
    [
      'a fork that was at work',
      {
        state: {
          version: 1,
          messages: [],
          session: {
            version: 1,
            id: 'a',
            skills: [],
            hooks: { skills: [], done: [] },
            sent: [],
            lasting: { context: {}, by: [] },
            forks: ['long'],
          },
        },
      },
      /"long" was running in a fork/,
    ],
  ])('says what is lost of %s', async (_what, options, message) => {
    const { diagnostics } = await conversing({ model: scriptedModel([]), ...options })
    expect(diagnostics).toEqual([
      expect.objectContaining({ severity: 'warning', code: 'session-lost', message: expect.stringMatching(message) }),
    ])
  })

  it('is all that is left once it was given up: nothing goes on without its hooks', async () => {
    const model = scriptedModel([says('Never.')])
    const { conversation } = await conversing({ model })
    await conversation.suspend()
    for (const call of [
      () => conversation.say('Go on.'),
      () => conversation.compact(),
      () => conversation.state(),
      () => conversation.suspend(),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'E_CLOSED' })
    }
    await conversation.close()
    expect(model.sent).toEqual([])
  })

  it('is there between two lines only', async () => {
    const { conversation } = await conversing({
      model: scriptedModel([() => new ReadableStream({ pull: () => new Promise(() => {}) })]),
    })
    const controller = new AbortController()
    const line = conversation.say('Wait.', { signal: controller.signal })
    await expect(conversation.state()).rejects.toMatchObject({ code: 'E_ALREADY_RUNNING' })
    controller.abort()
    await expect(line).rejects.toMatchObject({ name: 'AbortError' })
    await expect(conversation.state()).resolves.toMatchObject({ version: 1 })
  })
})

describe('conversations of one engine', () => {
  it('have their messages, sent names, forks and ends apart', async () => {
    const {
      skills,
      host,
      conversation: one,
    } = await conversing({ model: scriptedModel([says('One.'), says('Later.')]), commands: [skill('deploy')] })
    const model = scriptedModel([says('Two.'), says('Again.')])
    const other = await converse(host, { model, progress: () => {}, onDiagnostic: () => {} })
    await Promise.all([one.say('/deploy'), other.say('/deploy')])
    expect(userTexts(model.sent[0] as Sent)).toContain('- deploy')
    skills.emit('fork:ended', {
      agentId: 'f',
      commandName: 'long',
      isBackground: true,
      result: 'Ready.',
      sessionId: other.session.id,
    })
    await other.say('So?')
    expect(userTexts(model.sent[1] as Sent)).toContain('background: Ready.')
    await one.close()
    expect(JSON.stringify(one.messages)).not.toContain('long')
    expect((await other.state()).session).toMatchObject({
      id: other.session.id,
      sent: ['deploy'],
      skills: [{ name: 'deploy' }],
    })
    await other.close()
  })
})

describe('what a fork is refused', () => {
  it('is shown to the person of its conversation', async () => {
    const execute = ({ progress, command: { name } }: Invocation) => {
      progress({ type: 'refused', tool: 'Bash', content: 'ls', message: 'A rule denies it.', agentId: 'f' })
      progress({ type: 'text', text: 'Thinking.', agentId: 'f' })
      progress('anything')
      return {
        data: { success: true, commandName: name, status: 'forked' as const, agentId: 'f', result: 'Done.' },
        newMessages: [],
      }
    }
    const source = {
      source: 'user' as const,
      list: () =>
        loadResult({
          commands: [promptCommand({ name: 'look', source: 'user', context: 'fork', load: () => ({ template: '' }) })],
        }),
    }
    const allows = () => ({ behavior: 'allow' as const, message: 'Yes.', decisionReason: { type: 'host' as const } })
    const skills = createSkills({
      kinds: [...invocationKinds, formatterKind],
      host: fakeHost(),
      onDiagnostic: () => {},
      plugins: [
        defineProvider({ kind: 'source', id: 'test', setup: () => source }),
        defineProvider({ kind: 'permission', id: 'test', setup: () => ({ check: allows }) }),
        defineProvider({ kind: 'executor', id: 'fork', setup: () => ({ execute }) }),
      ],
    })
    const shown: unknown[] = []
    const conversation = await converse(sessionsOf(skills), {
      model: scriptedModel([]),
      progress: event => void shown.push(event),
      onDiagnostic: () => {},
    })
    await conversation.say('/look')
    await skills.close()
    expect(shown).toContainEqual({
      type: 'refused',
      tool: 'Bash',
      content: 'ls',
      message: 'A rule denies it.',
      agentId: 'f',
    })
    expect(shown).not.toContainEqual(expect.objectContaining({ text: 'Thinking.' }))
  })
})
