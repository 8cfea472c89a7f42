import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runIn } from '../test/console.js'

function temporary(entries: Parameters<typeof tempTree>[0] = {}) {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

describe('--plugin-dir', () => {
  it('adds the skills and commands of a plugin, from a new one to the list', async () => {
    const { path } = temporary()
    const made = await runIn(['new', 'house', '--plugin'], { cwd: path })
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('skills list --plugin-dir house') })
    expect(await runIn(['list', '--plugin-dir', 'house'], { cwd: path })).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^house:first-skill\tplugin\t/),
    })
    expect((await runIn(['list'], { cwd: path })).stdout).toBe('')
    expect(
      (await runIn(['show', 'house:first-skill', '--plugin-dir=house', '--json'], { cwd: path })).stdout,
    ).toContain('"pluginName": "house"')
  })

  it('may be given several times, and the first of two plugins of one name counts', async () => {
    const { path } = temporary({
      'a/.claude-plugin/plugin.json': '{"name":"one"}',
      'a/skills/x/SKILL.md': '---\ndescription: First.\n---\n',
      'a/commands/go.md': 'Go.',
      'b/.claude-plugin/plugin.json': '{"name":"one"}',
      'b/skills/y/SKILL.md': '---\ndescription: Second.\n---\n',
      'c/skills/z/SKILL.md': '---\ndescription: Third.\n---\n',
    })
    const { stdout } = await runIn(['list', '--plugin-dir', 'a', '--plugin-dir', 'b', '--plugin-dir', 'c'], {
      cwd: path,
    })
    expect(stdout.split('\n').map(line => line.split('\t')[0])).toEqual(['one:x', 'one:go', 'c:z', ''])
    const overview = await runIn(['--plugin-dir', 'a', '--plugin-dir', 'b'], { cwd: path })
    expect(overview.stdout).toMatch(/"one"/)
  })

  it('says which field of a broken manifest is wrong, and lists the others', async () => {
    const { path } = temporary({
      'a/.claude-plugin/plugin.json': '{"name": 3}',
      'a/skills/x/SKILL.md': 'x',
      '.claude/skills/own/SKILL.md': '---\ndescription: Own.\n---\n',
    })
    const { code, stdout, stderr } = await runIn(['lint', '--plugin-dir', 'a'], { cwd: path })
    expect([code, `${stdout}${stderr}`]).toEqual([1, expect.stringMatching(/plugin\.json.*`?name`?/s)])
    expect((await runIn(['list', '--plugin-dir', 'a'], { cwd: path })).stdout).toMatch(/^own\t/)
  })

  it('has to name a folder that is there', async () => {
    const { path } = temporary()
    expect(await runIn(['list', '--plugin-dir', 'nowhere'], { cwd: path })).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/ --plugin-dir .*exist/) as string,
    })
  })
})
