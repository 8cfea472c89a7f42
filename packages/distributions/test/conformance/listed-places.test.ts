/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { describe, expect } from 'vitest'
import { row, skill } from './row.js'

describe('the listing of claude-code', () => {
  row(41, 'R', 'skills of one folder are listed by name as a person sorts, the user before the project', async open => {
    const opened = await open({
      'repo/.claude/skills/b/SKILL.md': skill('b'),
      'repo/.claude/skills/B2/SKILL.md': skill('B2'),
      'repo/.claude/skills/_a/SKILL.md': skill('_a'),
      'repo/.claude/skills/10/SKILL.md': skill('10'),
      'home/.claude/skills/z/SKILL.md': skill('z'),
      'repo/.claude/commands/x.md': 'X.',
      'home/.claude/commands/README.md': 'R.',
    })
    const { text } = await opened.port.listing({})
    expect(text.split('\n').map(line => /^- ([^:]+)/.exec(line)?.[1])).toEqual([
      'z',
      '_a',
      '10',
      'b',
      'B2',
      'README',
      'x',
    ])
  })
  row(41, 'R', 'models are told of skills whose names differ in case only', async open => {
    const opened = await open({
      'repo/.claude/skills/one/SKILL.md': skill('one'),
      'home/.claude/skills/ONE/SKILL.md': skill('ONE'),
    })
    expect((await opened.port.listing({})).entries.map(({ name }) => name)).toEqual(['ONE', 'one'])
    expect(opened.told).toEqual([])
  })
  row(41, 'R', 'a nested skill is told with the folder that it is for', async open => {
    const opened = await open({
      'repo/.claude/skills/s/SKILL.md': skill('s'),
      'repo/w/.claude/skills/s/SKILL.md': skill('s', '', 'Of w.'),
      'repo/w/.claude/skills/t/SKILL.md': skill('t'),
      'repo/w/a.txt': '',
    })
    await opened.catalog()
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/w/a.txt`] })
    const { text } = await opened.port.listing({})
    expect(text).toContain('(from w/.claude/skills — applies when working on files under w/)')
    expect(text).toMatch(/^- w:s.*\(scoped to w\/ — use this instead of the unscoped "s" skill/m)
  })
})
