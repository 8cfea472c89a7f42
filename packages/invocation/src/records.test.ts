import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSkills, defineProvider, promptCommand, type CatalogEntry, type Skills } from '@skills/core'
import type { Outcome } from './index.js'
import { fakeClock, fakeHost } from '@skills/testing'
import { countUse, InvokedSkills, readUsage, usageOf } from './index.js'
import type { UseCall } from './usage.js'
import { stateKind, type State } from '@skills/state'

function engine(): {
  readonly skills: Skills
  invoked(
    name: string,
    content: string,
    more?: { agentId?: string; data?: Partial<Outcome['data']>; newMessages?: Outcome['newMessages'] },
  ): Promise<void>
} {
  const skills = createSkills({ plugins: [], host: fakeHost({ clock: fakeClock(5000) }), onDiagnostic: () => {} })
  onTestFinished(() => skills.close())
  return {
    skills,
    async invoked(name, content, { agentId, data, newMessages } = {}) {
      const command = promptCommand({
        name,
        source: 'user',
        filePath: `/skills/${name}/SKILL.md`,
        load: () => ({ template: '' }),
      })
      const entry: CatalogEntry = { name, command, provider: 'user', override: 'on', isQualified: false }
      const outcome: Outcome = {
        data: { success: true, commandName: name, status: 'inline', ...data },
        newMessages: newMessages ?? [
          { type: 'user', content: 'loading' },
          { type: 'user', isMeta: true, content: [{ type: 'text', text: content }] },
        ],
      }
      skills.emit('invocation:end', {
        commandName: 'custom',
        executionContext: 'inline',
        invocationTrigger: 'model',
        entry,
        caller: 'model',
        args: '',
        agentId,
        outcome,
      })
      await new Promise(resolve => {
        setImmediate(resolve)
      })
    },
  }
}

describe('invoked skills', () => {
  test('are restored newest first, those of the agent alone', async () => {
    const { skills, invoked } = engine()
    const record = new InvokedSkills(skills)
    await invoked('a', 'A')
    await invoked('b', 'B')
    await invoked('c', 'C', { agentId: 'fork' })
    await invoked('a', 'A again')
    expect(record.restore()).toEqual([
      { name: 'a', path: '/skills/a/SKILL.md', content: 'A again' },
      { name: 'b', path: '/skills/b/SKILL.md', content: 'B' },
    ])
    expect(record.restore('fork').map(({ name }) => name)).toEqual(['c'])
    record.forget()
    expect(record.restore()).toEqual([])
  })

  test('keep their text where messages are plain', async () => {
    const { skills, invoked } = engine()
    const record = new InvokedSkills(skills)
    await invoked('a', '', {
      newMessages: [
        { type: 'user', content: 'Plainly.' },
        { type: 'progress', content: 'Half.' },
      ],
    })
    expect(record.restore().map(({ content }) => content)).toEqual(['Plainly.'])
  })

  test('that were only pointed to keep their text, and forks leave none', async () => {
    const { skills, invoked } = engine()
    const record = new InvokedSkills(skills)
    await invoked('a', 'A')
    await invoked('b', 'B')
    await invoked('a', 'already loaded', { data: { isRepeated: true } })
    await invoked('d', 'D', { data: { status: 'forked' } })
    expect(record.restore().map(({ content }) => content)).toEqual(['A', 'B'])
  })

  test('are cut to 5,000 tokens each and 25,000 in all', async () => {
    const { skills, invoked } = engine()
    const record = new InvokedSkills(skills)
    for (let at = 0; at < 8; at++) await invoked(`s${at}`, 'x'.repeat(40_000))
    expect(record.restore().map(({ name, content }) => [name, content.length])).toEqual([
      ['s7', 19_901],
      ['s6', 19_901],
      ['s5', 19_901],
      ['s4', 19_901],
      ['s3', 19_901],
    ])
  })

  test('are never more than they may be, and never torn', async () => {
    const { skills, invoked } = engine()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 6 }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 40 }),
        async (texts, tokensEach, tokensInAll) => {
          const record = new InvokedSkills(skills, { tokensEach, tokensInAll, countTokens: text => text.length })
          for (const [at, text] of texts.entries()) await invoked(`s${at}`, text)
          const restored = record.restore()
          record.stop()
          expect(restored.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(tokensInAll)
          for (const { name, content } of restored) {
            expect(content.length).toBeLessThanOrEqual(tokensEach)
            const whole = texts[Number(name.slice(1))] ?? ''
            expect(whole.startsWith(content)).toBe(true)
            expect(/[\ud800-\udbff]$/.test(content) && content !== whole).toBe(false)
          }
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('usage', () => {
  const signal = new AbortController().signal

  function stateOf(value: unknown, update?: State['update']) {
    const held = { value }
    const state: State = {
      read: () => held.value,
      update: update ?? ((_name, change) => (held.value = change(held.value))),
    }
    const plugins = [defineProvider({ kind: 'state', id: 'held', setup: () => state })]
    const skills = createSkills({ plugins, kinds: [stateKind], host: fakeHost(), onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    return { held, access: skills.use('state') }
  }

  function call(told: unknown[] = []): UseCall {
    return { clock: fakeClock(5000), signal, report: diagnostic => told.push(diagnostic) }
  }

  test('is counted with the time, and drops entries that are malformed', async () => {
    const { held, access } = stateOf({ a: { count: 2, lastUsed: 1 }, broken: 'x', b: { count: -1, lastUsed: 0 } })
    await countUse('a', access, call())
    await countUse('c', access, call())
    expect(held.value).toEqual({ a: { count: 3, lastUsed: 5000 }, c: { count: 1, lastUsed: 5000 } })
    expect([...(await readUsage(access, signal))]).toEqual([
      ['a', { count: 3, lastUsed: 5000 }],
      ['c', { count: 1, lastUsed: 5000 }],
    ])
  })

  test('is nothing where nothing is remembered', async () => {
    const skills = createSkills({ plugins: [], kinds: [stateKind], host: fakeHost(), onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    await countUse('a', skills.use('state'), call())
    expect((await readUsage(skills.use('state'), signal)).size).toBe(0)
  })

  test.each([undefined, null, 'text', 3, []])('of %j is none', value => {
    expect(usageOf(value).size).toBe(0)
  })

  test('that cannot be written is reported', async () => {
    const told: unknown[] = []
    await countUse(
      'a',
      stateOf({}, () => {
        throw new Error('The disk is full.')
      }).access,
      call(told),
    )
    expect(told).toMatchObject([
      {
        code: 'usage-not-written',
        severity: 'warning',
        message: expect.stringContaining('The disk is full.') as string,
      },
    ])
  })
})
