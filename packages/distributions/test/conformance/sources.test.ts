/* oxlint-disable vitest/no-standalone-expect -- row() makes a test of each */
import { linkSync, readdirSync, realpathSync } from 'node:fs'
import { countFileReads } from '@skills/testing'
import { describe, expect, onTestFinished } from 'vitest'
import { row, skill, type Open, type Opened } from './row.js'

/** Folders in which every distribution reads skills of a project and of its user. */
const project = 'repo/.claude/skills'
const user = 'home/.claude/skills'
const everywhere = {
  [`${project}/one/SKILL.md`]: skill('one', '', 'P'),
  [`${user}/one/SKILL.md`]: skill('one', '', 'U'),
}

describe('sources and names', () => {
  row(
    2,
    'C',
    'skills are looked for in every parent below the home folder, across the root of a repository',
    async open => {
      const opened = await open(
        {
          'home/work/.claude/skills/outer/SKILL.md': skill('outer'),
          'home/work/repo/.git/HEAD': '',
          'home/work/repo/.claude/skills/inner/SKILL.md': skill('inner'),
        },
        { cwd: 'home/work/repo' },
      )
      expect(await opened.names()).toEqual(['inner from project', 'outer from project'])
    },
  )
  row(2, 'SRNO', 'skills are looked for in every parent up to the root of the repository', async open => {
    const opened = await open(
      {
        'repo/.claude/skills/outer/SKILL.md': skill('outer'),
        'repo/sub/.claude/skills/inner/SKILL.md': skill('inner'),
        '.claude/skills/beyond/SKILL.md': skill('beyond'),
      },
      { cwd: 'repo/sub' },
    )
    expect([...(await opened.names())].sort()).toEqual(['inner from project', 'outer from project'])
  })
  row(2, 'KMX', 'skills are looked for in the working folder alone', async open => {
    const opened = await open(
      {
        'repo/.claude/skills/outer/SKILL.md': skill('outer'),
        'repo/sub/.claude/skills/inner/SKILL.md': skill('inner'),
      },
      { cwd: 'repo/sub' },
    )
    expect(await opened.names()).toEqual(['inner from project'])
  })
  row(3, 'S', 'skills are in .claude and .agents', async open => {
    const opened = await open({
      'repo/.claude/skills/a/SKILL.md': skill('a'),
      'repo/.agents/skills/b/SKILL.md': skill('b'),
    })
    expect(await opened.names()).toEqual(['a from project', 'b from project'])
  })
  row(3, 'RCKMX', 'skills are in .claude alone', async open => {
    const opened = await open({
      'repo/.claude/skills/a/SKILL.md': skill('a'),
      'repo/.agents/skills/b/SKILL.md': skill('b'),
      'home/.agents/skills/c/SKILL.md': skill('c'),
    })
    expect(await opened.names()).toEqual(['a from project'])
  })
  row(
    3,
    'O',
    'skills are in .claude, unless a variable says otherwise, in .opencode and in the global configuration folder',
    async open => {
      const entries = {
        'repo/.claude/skills/a/SKILL.md': skill('a'),
        'home/.claude/skills/b/SKILL.md': skill('b'),
        'repo/.opencode/skill/c/SKILL.md': skill('c'),
        'repo/.opencode/skills/d/SKILL.md': skill('d'),
        'home/.config/opencode/skills/e/SKILL.md': skill('e'),
        'repo/.agents/skills/f/SKILL.md': skill('f'),
      }
      const names = async (opened: Opened) =>
        [...(await opened.names())]
          .map(name => name.charAt(0))
          .sort()
          .join('')
      expect(await names(await open(entries))).toBe('abcde')
      expect(await names(await open(entries, { env: { OPENCODE_DISABLE_CLAUDE_CODE_SKILLS: '1' } }))).toBe('cde')
    },
  )
  row(4, 'RCKM', 'only direct children of a skills folder are skills', async open => {
    const opened = await open({
      'repo/.claude/skills/a/SKILL.md': skill('a'),
      'repo/.claude/skills/group/b/SKILL.md': skill('b'),
    })
    expect(await opened.names()).toEqual(['a from project'])
  })
  const deep = {
    'repo/.claude/skills/a/SKILL.md': skill('a'),
    'repo/.claude/skills/a/inner/SKILL.md': skill('inner'),
    'repo/.claude/skills/.hidden/h/SKILL.md': skill('h'),
    'repo/.claude/skills/1/2/3/4/5/six/SKILL.md': skill('six'),
    'repo/.claude/skills/1/2/3/4/5/6/seven/SKILL.md': skill('seven'),
    'repo/.claude/skills/node_modules/n/SKILL.md': skill('n'),
  }
  row(4, 'S', 'folders are searched six deep, and nothing below a skill, hidden or of packages is', async open => {
    expect([...(await (await open(deep)).names())].sort()).toEqual(['a from project', 'six from project'])
  })
  row(
    4,
    'NO',
    'folders are searched however deep, below a skill and where hidden too, and a cycle ends',
    async open => {
      const opened = await open({ ...deep, 'repo/.claude/skills/a/again': { link: '..' } })
      expect([...(await opened.names())].map(name => name.split(' ')[0]).sort()).toEqual([
        'a',
        'h',
        'inner',
        'n',
        'seven',
        'six',
      ])
    },
  )
  row(4, 'NO', 'there is no depth at which the search ends', async open => {
    const path = Array.from({ length: 40 }, (_, at) => at).join('/')
    const opened = await open({ [`repo/.claude/skills/${path}/far/SKILL.md`]: skill('far') })
    expect([await opened.names(), (await opened.catalog()).errors]).toEqual([['far from project'], []])
  })
  row(4, 'NO', 'below .opencode what is hidden is not searched', async open => {
    const opened = await open({
      'repo/.opencode/skill/.h/x/SKILL.md': skill('x'),
      'repo/.opencode/skill/y/SKILL.md': skill('y'),
    })
    expect(await opened.names()).toEqual(['y from configuration'])
  })
  row(4, 'X', 'folders are searched six deep, below a skill too, and what is hidden is not', async open => {
    expect([...(await (await open(deep)).names())].map(name => name.split(' ')[0]).sort()).toEqual([
      'a',
      'inner',
      'n',
      'six',
    ])
  })
  row(4, 'X', 'a file in the folder of skills is a skill, and those below it are found too', async open => {
    const opened = await open({ [`${project}/SKILL.md`]: skill('root'), [`${project}/a/SKILL.md`]: skill('a') })
    expect([...(await opened.names())].sort()).toEqual(['a from project', 'skills from project'])
  })
  row(4, 'X', 'of 2,000 folders the root is one, and a skill file is none', async open => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `repo/.claude/skills/s${String(at).padStart(4, '0')}/SKILL.md`,
          skill('s'),
        ]),
      )
    expect(await (await open(many(1999))).names()).toHaveLength(1999)
    const over = await open(many(2000))
    expect(await over.names()).toHaveLength(1999)
    expect((await over.catalog()).errors.map(({ type, code }) => [type, code])).toEqual([['traversal', 'folder-limit']])
  })
  row(5, 'SRCKX', 'a skill goes by the name of its folder', async open => {
    expect(await (await open({ 'repo/.claude/skills/folder/SKILL.md': skill('field') })).names()).toEqual([
      'folder from project',
    ])
  })
  row(5, 'NOM', 'a skill goes by the name in its frontmatter', async open => {
    expect(await (await open({ 'repo/.claude/skills/folder/SKILL.md': skill('field') })).names()).toEqual([
      'field from project',
    ])
  })
  row(5, 'M', 'without such a name it goes by that of its folder', async open => {
    expect(await (await open({ 'repo/.claude/skills/folder/SKILL.md': 'Text.' })).names()).toEqual([
      'folder from project',
    ])
  })
  row(5, 'O', 'without a name or a description it is an error', async open => {
    const opened = await open({
      'repo/.claude/skills/a/SKILL.md': '---\nname: a\n---\nText.',
      'repo/.claude/skills/b/SKILL.md': '---\ndescription: b\n---\nText.',
    })
    expect(await opened.names()).toEqual([])
    expect((await opened.catalog()).errors.map(({ code, field }) => `${code} ${field}`).sort()).toEqual([
      'missing-field description',
      'missing-field name',
    ])
  })
  const linked = { 'repo/.claude/skills/a/SKILL.md': skill('a'), 'repo/.claude/skills/b': { link: 'a' } }
  row(6, 'SRCX', 'a file that is reached twice is one skill', async open => {
    expect(await (await open(linked)).names()).toEqual(['a from project'])
  })
  const twice = async (open: Open) => {
    const opened = await open({ [`${project}/a/SKILL.md`]: skill('a'), [`${project}/b/.keep`]: '' })
    linkSync(`${opened.tree.path}/${project}/a/SKILL.md`, `${opened.tree.path}/${project}/b/SKILL.md`)
    return opened.names()
  }
  row(6, 'X', 'what tells that is the device and the inode: two hard links are one skill', async open => {
    expect(await twice(open)).toEqual(['a from project'])
  })
  row(6, 'SRC', 'what tells that is the real path: two hard links are two skills', async open => {
    expect(await twice(open)).toEqual(['a from project', 'b from project'])
  })
  row(6, 'K', 'a file that is reached under two names is two skills', async open => {
    expect(await (await open(linked)).names()).toEqual(['a from project', 'b from project'])
  })
  row(6, 'M', 'no one looks whether two files are one', async open => {
    const opened = await open({
      'home/.claude/skills/a/SKILL.md': '---\ndescription: A.\n---\nA',
      'home/.claude/skills/b': { link: 'a' },
    })
    expect(await opened.names()).toEqual(['a from user', 'b from user'])
  })
  row(6, 'NO', 'no one looks whether two files are one', async open => {
    const { collisions } = await (await open(linked)).catalog()
    expect(collisions.map(({ rule }) => rule)).toEqual(['same-text'])
  })
  row(7, 'S', 'the one that loses its name is reached by a qualified one', async open => {
    expect(await (await open(everywhere)).names()).toEqual(['one from user', 'project:one from project'])
  })
  row(7, 'RCKX', 'the first has the name and the other has none', async open => {
    expect(await (await open(everywhere)).names()).toEqual(['one from user'])
  })
  row(7, 'RCK', 'a skill has its name before a legacy command', async open => {
    const opened = await open({ 'repo/.claude/skills/one/SKILL.md': skill('one'), 'home/.claude/commands/one.md': 'C' })
    expect((await opened.catalog()).get('one')?.command.loadedFrom).toBe('skills')
  })
  row(7, 'RC', 'in a plugin the command has it before the skill', async open => {
    const opened = await open(
      {
        'plugin/.claude-plugin/plugin.json': '{"name":"acme"}',
        'plugin/skills/one/SKILL.md': skill('one'),
        'plugin/commands/one.md': 'C',
      },
      { published: { plugins: ['../plugin'] } },
    )
    const command = (await opened.catalog()).get('acme:one')?.command
    expect(command?.type === 'prompt' && command.isSkill).toBe(false)
  })
  row(7, 'NOM', 'in one folder the one found later has the name', async open => {
    const opened = await open({
      'repo/.claude/skills/a/SKILL.md': skill('one', '', 'A'),
      'repo/.claude/skills/b/SKILL.md': skill('one', '', 'B'),
    })
    expect(await opened.names()).toEqual(['one from project'])
    expect((await opened.text('one')).split('\n')).toContain('B')
    expect(opened.told.map(({ code }) => code)).toContain('overwritten')
  })
  const nested = {
    'repo/.claude/skills/one/SKILL.md': skill('one'),
    'repo/sub/.claude/skills/one/SKILL.md': skill('one', '', 'nested'),
  }
  row(8, 'S', "of a nested folder's skill and the project's both stay, the nested one qualified", async open => {
    const opened = await open(nested)
    await opened.catalog()
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/x`] })
    await opened.catalog()
    expect([...(await opened.names())].sort()).toEqual(['one from project', 'sub:one from project'])
    expect([await opened.text('one'), await opened.text('sub:one')]).toEqual([
      expect.stringMatching(/Does one\.$/),
      expect.stringMatching(/nested$/),
    ])
  })
  row(8, 'SR', 'of two nested folders each skill is qualified, and the plain name is refused with both', async open => {
    const opened = await open({
      'repo/v/.claude/skills/one/SKILL.md': skill('one', '', 'V'),
      'repo/w/.claude/skills/one/SKILL.md': skill('one', '', 'W'),
    })
    const touch = async (folder: string) => {
      opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/${folder}/x`] })
      return [...(await opened.names())].sort()
    }
    await opened.catalog()
    expect(await touch('w')).toEqual(['one from project'])
    expect(await touch('v')).toEqual(['v:one from project', 'w:one from project'])
    const tool = await opened.tool()
    const refusal = await tool.validateInput({ skill: 'one' })
    expect(refusal).toMatchObject({ result: false, errorCode: 2 })
    expect(refusal.result || refusal.message).toMatch(/"v:one" or "w:one"/)
    await expect(opened.invoker.invoke({ name: 'one', caller: 'user' })).rejects.toMatchObject({
      code: 'E_AMBIGUOUS_NAME',
    })
    expect([await opened.text('v:one'), await opened.text('w:one')]).toEqual([
      expect.stringMatching(/V$/),
      expect.stringMatching(/W$/),
    ])
  })
  row(8, 'C', 'the deepest has the name', async open => {
    const opened = await open(nested)
    await opened.catalog()
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/x`] })
    await opened.catalog()
    expect(await opened.names()).toEqual(['one from project'])
    expect(await opened.text('one')).toMatch(/nested$/)
    // Regardless of which was found first.
    opened.tree.write({ 'repo/sub/deep/.claude/skills/one/SKILL.md': skill('one', '', 'deepest') })
    opened.skills.emit('file:touched', { paths: [`${opened.tree.path}/repo/sub/deep/x`] })
    await opened.catalog()
    expect([await opened.names(), (await opened.text('one')).split('\n').at(-1)]).toEqual([
      ['one from project'],
      'deepest',
    ])
  })
  const legacy = { 'repo/.claude/commands/old.md': '---\ndescription: Old.\n---\nOld.' }
  row(
    4,
    'SRCKNOMX',
    'a file in another case than SKILL.md is told of, and read in the standard alone',
    async (open, letter) => {
      const opened = await open({ [`${project}/low/skill.md`]: skill('low') })
      const isRead = letter === 'S'
      expect(await opened.names()).toEqual(isRead ? ['low from project'] : [])
      expect((await opened.catalog()).warnings.map(({ code, name }) => `${code} ${name}`)).toEqual([
        isRead ? 'other-case low' : 'near-miss low',
      ])
    },
  )
  row(
    4,
    'SRCKNOMX',
    'a link of the project may lead to the skills of the user, and to nothing else of the home folder',
    async open => {
      const opened = await open({
        'home/.claude/skills/mine/SKILL.md': skill('mine'),
        'home/notes/SKILL.md': skill('notes'),
        [`${project}/mine`]: { link: '../../../home/.claude/skills/mine' },
        [`${project}/notes`]: { link: '../../../home/notes' },
        // Neither another file beside a skill nor a command is read through a link. As a skill it would be the
        // project's, which ranks above all commands.
        'home/.claude/skills/mine/.env': 'TOKEN=x',
        'home/.claude/commands/old.md': 'Old.',
        [`${project}/env/SKILL.md`]: { link: '../../../../home/.claude/skills/mine/.env' },
        [`${project}/taken/SKILL.md`]: { link: '../../../../home/.claude/commands/old.md' },
      })
      expect((await opened.names()).filter(name => name.startsWith('notes'))).toEqual([])
      expect((await opened.catalog()).get('mine')?.command.description).toBeDefined()
      expect((await opened.catalog()).errors.map(({ code, name }) => `${code} ${name}`).toSorted()).toEqual([
        'link-escapes env',
        'link-escapes notes',
        'link-escapes taken',
      ])
    },
  )
  row(9, 'SRCK', 'there are legacy commands', async open => {
    expect(await (await open(legacy)).names()).toEqual(['old from project'])
  })
  row(9, 'SRCK', 'legacy commands lie in folders too, and are named by their path', async open => {
    const opened = await open({
      'repo/.claude/commands/git/push.md': 'Push.',
      'repo/.claude/commands/ops/deploy/SKILL.md': 'Deploy.',
    })
    expect((await opened.names()).toSorted()).toEqual(['git:push from project', 'ops:deploy from project'])
  })
  row(9, 'NOMX', 'there are no legacy commands', async open => {
    expect(await (await open(legacy)).names()).toEqual([])
  })
  row(11, 'SRC', 'skills are registered in code, and their files extracted on first use', async open => {
    const opened = await open(
      {},
      { bundled: { skills: [{ name: 'code', description: 'In code.', body: 'Text.', files: { 'a.txt': 'A' } }] } },
    )
    expect(await opened.names()).toEqual(['code from bundled'])
    await opened.port.listing({})
    const folders = () =>
      readdirSync(opened.tree.path, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('a.txt'))
    expect(folders()).toEqual([])
    expect(await opened.text('code')).toMatch(
      /^Base directory for this skill: .*\/skills\/bundled\/[\da-f]{64}\n\nText\.$/,
    )
    expect(folders()).toHaveLength(1)
  })
  row(12, 'SRCKNOMX', 'no body is read for a list of the skills, and one for an invocation', async open => {
    const length = 14_000
    const names = Array.from({ length: 20 }, (_, at) => `s${at}`)
    const opened = await open(
      Object.fromEntries(names.map(name => [`${project}/${name}/SKILL.md`, skill(name, '', 'x'.repeat(length))])),
    )
    const counter = countFileReads(realpathSync(`${opened.tree.path}/${project}`))
    onTestFinished(() => counter.stop())
    await opened.catalog()
    await opened.port.listing({})
    const listed = counter.bytes
    expect(listed).toBeGreaterThan(0)
    // The part before a body has less than 100 bytes, and is read together with the bytes beside it on the disk.
    expect(listed).toBeLessThan((names.length * length) / 3)
    await opened.text('s0')
    expect(counter.bytes - listed).toBeGreaterThanOrEqual(length)
    expect(counter.bytes - listed).toBeLessThan(4 * length)
  })
  row(12, 'SRCKNOMX', 'a body is read when the skill is invoked, as it is then', async open => {
    const opened = await open({ [`${project}/one/SKILL.md`]: skill('one', '', 'Before.') })
    expect(await opened.text('one')).toContain('Before.')
    opened.tree.write({ [`${project}/one/SKILL.md`]: skill('one', '', 'After.') })
    expect(await opened.text('one')).toContain('After.')
  })
  row(13, 'SRCKNOMX', 'a scan is made once and kept until it is said to be out of date', async (open, letter) => {
    const opened = await open({ [`${project}/one/SKILL.md`]: skill('one') })
    const first = await opened.catalog()
    expect(await opened.catalog()).toBe(first)
    opened.tree.write({ [`${project}/two/SKILL.md`]: skill('two') })
    const counter = countFileReads(realpathSync(`${opened.tree.path}/${project}`))
    onTestFinished(() => counter.stop())
    await opened.catalog()
    await opened.port.listing({})
    expect([counter.reads, (await opened.catalog()).get('two')]).toEqual([0, undefined])
    opened.skills.invalidate()
    expect((await opened.catalog()).get('two'), letter).toBeDefined()
    expect(counter.reads).toBeGreaterThan(0)
  })
})
