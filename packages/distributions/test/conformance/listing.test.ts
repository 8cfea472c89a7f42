/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { ListingRecord, skillReminder } from '@skills/invocation/skill-tool'
import { describe, expect } from 'vitest'
import { row, skill } from './row.js'

const one = {
  'repo/.claude/skills/one/SKILL.md':
    '---\nname: one\ndescription: About one.\nwhen_to_use: Asked.\nargument-hint: "[what]"\n---\nB',
}
const two = { ...one, 'repo/.claude/skills/two/SKILL.md': skill('two') }
/** Returns a skill with a description of this length, so that a budget has room for everything but one description. */
const long = (name: string, length: number) => `---\nname: ${name}\ndescription: ${'x'.repeat(length)}\n---\nB`

describe('the listing', () => {
  row(
    40,
    'SRC',
    'it is a reminder with the names that an agent was not sent yet, and begins anew after compaction',
    async open => {
      const { port, skills, tree, distribution, tool } = await open(one)
      const record = new ListingRecord(skills)
      expect(record.next(await port.listing({}))).toMatchObject({
        type: 'skill_listing',
        skillCount: 1,
        isInitial: true,
      })
      tree.write({ 'repo/.claude/skills/two/SKILL.md': skill('two') })
      skills.invalidate()
      const news = record.next(await port.listing({}))
      expect(news).toMatchObject({ skillCount: 1, isInitial: false, content: expect.stringContaining('two') })
      expect(news && skillReminder(news)).toMatchObject({ isMeta: true, attachment: { type: 'skill_listing' } })
      expect(record.next(await port.listing({}))).toBeUndefined()
      // A long session: each step lists only what is new, until the conversation is compacted.
      for (let step = 0; step < 20; step++) {
        tree.write({ [`repo/.claude/skills/more-${step}/SKILL.md`]: skill(`more-${step}`) })
        skills.invalidate()
        expect(record.next(await port.listing({}))).toMatchObject({ skillCount: 1, isInitial: false })
      }
      skills.emit('compact:after', {})
      await skills.catalog()
      expect(record.next(await port.listing({}))).toMatchObject({ isInitial: true, skillCount: 22 })
      expect(distribution.tool.listingIn ?? 'reminder').toBe('reminder')
      // The description of the tool does not list them.
      expect(await (await tool()).describe({})).not.toContain('About one')
    },
  )
  row(40, 'SRC', 'each agent is sent all of it once, and what goes away is told too', async open => {
    const { port, skills, tree } = await open(two)
    const record = new ListingRecord(skills)
    const { text } = await port.listing({})
    expect(record.next(await port.listing({}))?.content).toBe(text)
    expect(record.next(await port.listing({}), 'helper')).toEqual({
      type: 'skill_listing',
      content: text,
      skillCount: 2,
      isInitial: true,
      removed: [],
    })
    tree.remove('repo/.claude/skills/two')
    skills.invalidate()
    expect(record.next(await port.listing({}), 'helper')).toEqual({
      type: 'skill_listing',
      content: 'No longer available:\n- two',
      skillCount: 0,
      isInitial: false,
      removed: ['two'],
    })
    skills.emit('compact:after', { agentId: 'helper' })
    await skills.catalog()
    expect([
      record.next(await port.listing({}), 'helper')?.isInitial,
      record.next(await port.listing({}))?.isInitial,
    ]).toEqual([true, false])
  })
  row(40, 'KNOX', 'it stands in the text of the tool', async open => {
    const opened = await open(one)
    const { text } = await opened.port.listing({})
    expect(text).toContain('About one.')
    expect((await (await opened.tool()).describe({})).endsWith(text)).toBe(true)
    opened.tree.write({ 'repo/.claude/skills/two/SKILL.md': skill('two') })
    opened.skills.invalidate()
    expect(await (await opened.tool()).describe({})).toContain('About two.')
  })
  row(40, 'M', 'it is for the system prompt, and the tool says nothing of it', async open => {
    const opened = await open(one)
    const tool = await opened.tool()
    expect([await tool.describe({}), opened.distribution.tool.listingIn]).toEqual([tool.description, 'system'])
    expect((await opened.port.listing({})).text).toMatch(/^# Available Skills/)
  })
  row(41, 'S', 'the strategy is fair', async open => {
    const { port } = await open(
      { 'home/.claude/skills/a/SKILL.md': long('a', 30), 'home/.claude/skills/b/SKILL.md': long('b', 3000) },
      { listing: { budget: 200 } },
    )
    const { text } = await port.listing({})
    expect(text.split('\n')[0]).toBe(`- a: ${'x'.repeat(30)}`)
    expect(text.length).toBe(200)
  })
  row(41, 'C', 'the strategy is proportional', async open => {
    const { port } = await open(
      { 'home/.claude/skills/a/SKILL.md': long('a', 30), 'home/.claude/skills/b/SKILL.md': long('b', 200) },
      { listing: { budget: 100 } },
    )
    // 100 minus two names, two colons and a line end leaves 89, which is 44 for each.
    expect((await port.listing({})).text).toBe(`- a: ${'x'.repeat(30)}\n- b: ${'x'.repeat(43)}…`)
  })
  row(41, 'K', 'the strategy is cutoff', async open => {
    const { port } = await open(two, { listing: { budget: 60 } })
    expect((await port.listing({})).omitted).toEqual(['two'])
  })
  row(41, 'NO', 'the strategy is xml', async open => {
    expect((await (await open(one)).port.listing({})).text).toContain('<available_skills>')
  })
  row(41, 'M', 'the strategy is grouped', async open => {
    expect((await (await open(one)).port.listing({})).text).toContain('- **/one**: About one.')
  })
  row(41, 'X', 'the strategy is fixed', async open => {
    const { port } = await open({ 'repo/.claude/skills/a/SKILL.md': long('a', 300) })
    expect((await port.listing({})).text).toContain(`\n- a: ${'x'.repeat(100)}\n`)
  })
  row(
    42,
    'SRC',
    'the budget is a hundredth of the window at four characters a token, or 8,000, or what a variable says',
    async open => {
      const { port } = await open(one)
      expect([
        (await port.listing({ contextWindow: 100_070 })).budgetChars,
        (await port.listing({})).budgetChars,
      ]).toEqual([4002, 8000])
      const told = async (text: string) =>
        (
          await (
            await open(one, { env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: text } })
          ).port.listing({ contextWindow: 100_070 })
        ).budgetChars
      expect([await told('77'), await told('0'), await told('-5'), await told('many'), await told('')]).toEqual([
        77, 4002, 4002, 4002, 4002,
      ])
    },
  )
  row(42, 'SRC', 'an entry costs its length, and one for the line break but after the last', async open => {
    const exact = '- one: About one. - Asked.\n- two: About two.'.length
    expect(await (await open(two, { listing: { budget: exact } })).port.listing({})).toMatchObject({
      text: '- one: About one. - Asked.\n- two: About two.',
      usedChars: exact,
      truncated: [],
    })
    expect((await (await open(two, { listing: { budget: exact - 1 } })).port.listing({})).truncated).not.toEqual([])
  })
  row(
    42,
    'C',
    'a description and its when-to-use have 250 characters together, at any budget, but for a skill in code',
    async open => {
      const { port } = await open(
        {
          'repo/.claude/skills/a/SKILL.md': long('a', 250),
          'repo/.claude/skills/b/SKILL.md': long('b', 251),
          'repo/.claude/skills/c/SKILL.md': `---\nname: c\ndescription: ${'x'.repeat(200)}\nwhen_to_use: ${'y'.repeat(200)}\n---\nB`,
        },
        { bundled: { skills: [{ name: 'code', description: 'z'.repeat(300), body: 'B' }] } },
      )
      expect((await port.listing({})).text.split('\n').sort()).toEqual([
        `- a: ${'x'.repeat(250)}`,
        `- b: ${'x'.repeat(249)}…`,
        `- c: ${'x'.repeat(200)} - ${'y'.repeat(46)}…`,
        `- code: ${'z'.repeat(300)}`,
      ])
    },
  )
  row(42, 'SR', 'a description and its when-to-use have 1,536 characters together', async open => {
    const { port } = await open({
      'repo/.claude/skills/a/SKILL.md': long('a', 1600),
      'repo/.claude/skills/b/SKILL.md': long('b', 1536),
    })
    expect((await port.listing({})).text).toBe(`- a: ${'x'.repeat(1535)}…\n- b: ${'x'.repeat(1536)}`)
  })
  row(
    42,
    'C',
    'the share is what skills in code and every name leave, divided by the others and rounded down',
    async open => {
      const { port } = await open(
        {
          'repo/.claude/skills/a/SKILL.md': long('a', 200),
          'repo/.claude/skills/bb/SKILL.md': long('bb', 200),
          'repo/.claude/skills/c/SKILL.md': long('c', 10),
        },
        {
          bundled: { skills: [{ name: 'code', description: 'In code.', body: 'B' }] },
          listing: { budget: '- code: In code.\n- a: \n- bb: \n- c: '.length + 3 * 40 + 2 },
        },
      )
      // 122 for three is 40 each, with two left over.
      expect((await port.listing({})).text.split('\n').sort()).toEqual([
        `- a: ${'x'.repeat(39)}…`,
        `- bb: ${'x'.repeat(39)}…`,
        `- c: ${'x'.repeat(10)}`,
        '- code: In code.',
      ])
    },
  )
  row(42, 'C', 'with a share below twenty there are names alone', async open => {
    const files = { 'repo/.claude/skills/a/SKILL.md': long('a', 200), 'repo/.claude/skills/b/SKILL.md': long('b', 200) }
    const text = async (budget: number) => (await (await open(files, { listing: { budget } })).port.listing({})).text
    expect([await text(11 + 40), await text(11 + 39)]).toEqual([
      `- a: ${'x'.repeat(19)}…\n- b: ${'x'.repeat(19)}…`,
      '- a\n- b',
    ])
  })
  row(
    42,
    'S',
    'skills in code come last, go without descriptions and lines first, and the listing is never over its budget',
    async open => {
      const files = Object.fromEntries(
        Array.from({ length: 30 }, (_none, at) => [`repo/.claude/skills/own-${at}/SKILL.md`, long(`own-${at}`, 300)]),
      )
      const { port } = await open(files, {
        bundled: {
          skills: [
            { name: 'code', description: 'z'.repeat(500), body: 'B' },
            { name: 'other', description: 'z'.repeat(500), body: 'B' },
          ],
        },
      })
      expect((await port.listing({ contextWindow: 1_000_000 })).entries.slice(-2)).toMatchObject([
        { name: 'code', shown: 'whole' },
        { name: 'other', shown: 'whole' },
      ])
      expect((await port.listing({ contextWindow: 10_000 })).entries.slice(-2).map(({ text }) => text)).toEqual([
        '- code',
        '- other',
      ])
      for (const contextWindow of [2000, 5000, 6000, 8000, 20_000]) {
        const { usedChars, budgetChars, omitted } = await port.listing({ contextWindow })
        expect(usedChars).toBeLessThanOrEqual(budgetChars)
        expect(omitted.slice(-2)).toEqual(omitted.length === 0 ? [] : ['code', 'other'])
      }
    },
  )
  row(42, 'C', 'skills in code keep their whole entries also where these alone are over the budget', async open => {
    const { port } = await open(
      { 'repo/.claude/skills/one/SKILL.md': long('one', 300) },
      { bundled: { skills: [{ name: 'code', description: 'z'.repeat(500), body: 'B' }] } },
    )
    expect(await port.listing({ contextWindow: 5000 })).toMatchObject({
      text: `- code: ${'z'.repeat(500)}`,
      budgetChars: 200,
      omitted: ['one'],
    })
  })
  row(
    42,
    'RC',
    'with no room for descriptions there are names alone, and a skill in code keeps its whole entry',
    async open => {
      const { port } = await open(
        { 'repo/.claude/skills/one/SKILL.md': long('one', 300), 'repo/.claude/skills/two/SKILL.md': long('two', 300) },
        { bundled: { skills: [{ name: 'code', description: 'In code, whole.', body: 'B' }] }, listing: { budget: 45 } },
      )
      expect((await port.listing({})).text.split('\n').sort()).toEqual(['- code: In code, whole.', '- one', '- two'])
    },
  )
  row(
    42,
    'C',
    'a display name stands behind the key, white space is collapsed and angle brackets are escaped',
    async open => {
      const { port } = await open({
        'repo/.claude/skills/key/SKILL.md': '---\nname: Shown\ndescription: "Uses <b>  and\\tmore"\n---\nB',
      })
      expect((await port.listing({})).text).toBe('- key (Shown): Uses &lt;b&gt; and more')
      const without = await open(
        {
          'repo/.claude/skills/key/SKILL.md':
            '---\nname: Shown\ndescription: "Uses more than there is room for"\n---\nB',
        },
        { listing: { budget: 30 } },
      )
      expect(await without.port.listing({})).toMatchObject({ text: '- key', usedChars: 5, truncated: ['key'] })
    },
  )
  row(
    43,
    'K',
    'an entry has hint, description, source and when to use; the first over 15,000 characters ends it',
    async open => {
      const { port } = await open(one)
      expect(await port.listing({})).toMatchObject({
        text: '- /one [what]: About one. (project) - Asked.',
        budgetChars: 15_000,
      })
      expect((await (await open(one, { env: { SLASH_COMMAND_TOOL_CHAR_BUDGET: '10' } })).port.listing({})).text).toBe(
        '',
      )
      const entry = '- /two: About two. (project)'
      const exact = await open(two, {
        env: {
          SLASH_COMMAND_TOOL_CHAR_BUDGET: String(
            '- /one [what]: About one. (project) - Asked.'.length + entry.length + 2,
          ),
        },
      })
      expect((await exact.port.listing({})).entries).toHaveLength(2)
      const less = await open(two, {
        env: {
          SLASH_COMMAND_TOOL_CHAR_BUDGET: String(
            '- /one [what]: About one. (project) - Asked.'.length + entry.length + 1,
          ),
        },
      })
      expect((await less.port.listing({})).entries).toHaveLength(1)
    },
  )
  row(43, 'K', 'a later one that would have room is left out too, and each source is named', async open => {
    const { port } = await open(
      {
        'managed/.claude/skills/a/SKILL.md': skill('a'),
        'home/.claude/skills/b/SKILL.md': skill('b'),
        'repo/.claude/skills/c/SKILL.md': skill('c'),
        'plugin/.claude-plugin/plugin.json': '{"name":"acme"}',
        'plugin/skills/d/SKILL.md': skill('d'),
      },
      { published: { plugins: ['../plugin'] } },
    )
    expect((await port.listing({})).text.split('\n')).toEqual([
      '- /a: About a. (managed)',
      '- /b: About b. (user)',
      '- /c: About c. (project)',
      '- /acme:d: About d.',
    ])
    const cut = await open(
      { ...one, 'repo/.claude/skills/p/SKILL.md': long('p', 200), 'repo/.claude/skills/q/SKILL.md': skill('q') },
      { listing: { budget: 120 } },
    )
    expect(await cut.port.listing({})).toMatchObject({
      text: '- /one [what]: About one. (project) - Asked.',
      omitted: ['p', 'q'],
    })
  })
  row(
    44,
    'X',
    'each description is cut at 100 code points without a mark, between a line above and five hints and the usage below',
    async open => {
      const { port } = await open({
        'repo/.claude/skills/a/SKILL.md': `---\nname: a\ndescription: ${'😀'.repeat(120)}\nwhen_to_use: W.\n---\nB`,
      })
      const lines = (await port.listing({})).text.split('\n')
      expect(lines[1]).toBe(`- a: ${'😀'.repeat(100)}`)
      expect(lines.filter(line => line.startsWith('- ')).length).toBe(6)
      expect(lines.at(-1)).toBe('skill: "<skill-name>", args: "<arguments>"')
    },
  )
  row(45, 'NO', 'values are escaped, and all parts joined by one space', async open => {
    const { port } = await open({ 'repo/.claude/skills/a/SKILL.md': '---\nname: a\ndescription: "A <b> & c"\n---\nB' })
    expect((await port.listing({})).text).toMatch(
      / <available_skills>   <skill>     <name>a<\/name>     <description>A &lt;b&gt; &amp; c<\/description>   <\/skill> <\/available_skills>$/,
    )
  })
  row(
    45,
    'NO',
    'without skills there is a single sentence part, and what an agent is denied is left out of its listing',
    async open => {
      expect((await (await open({})).port.listing({})).text).not.toContain('<')
      const { port } = await open(two, {
        rules: { files: [], wildcards: [{ source: 'host', map: { skill: { '*': 'allow', one: 'deny' } } }] },
      })
      expect((await port.listing({ agentId: 'helper' })).entries.map(({ name }) => name)).toEqual(['two'])
      expect((await port.listing({})).entries.map(({ name }) => name)).toEqual(['one', 'two'])
    },
  )
  row(46, 'M', 'skills stand in two groups, an empty one is left out, and without any there is no text', async open => {
    expect((await (await open({})).port.listing({})).text).toBe('')
    const quiet = {
      'repo/.claude/skills/quiet/SKILL.md': '---\nname: quiet\ndescription: Q.\nuser-invocable: false\n---\nB',
    }
    const lines = (await (await open({ ...one, ...quiet })).port.listing({})).text.split('\n')
    expect(lines).toHaveLength(8)
    expect([lines[0], lines[1], lines[3], lines[4], lines[6]]).toEqual([
      '# Available Skills',
      '',
      '- **/one**: About one.',
      '  When to use: Asked.',
      '- **quiet**: Q.',
    ])
    expect((await (await open(quiet)).port.listing({})).text.split('\n')).toHaveLength(5)
  })
})
