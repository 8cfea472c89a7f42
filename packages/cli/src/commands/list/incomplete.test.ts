import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn, type Console } from '../../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** Configuration of a user with a source that reports a skill and then never finishes. */
const hanging = `
const command = {
  type: 'prompt', name: 'early', displayName: 'early', aliases: [], description: 'Found in time.', hasUserSpecifiedDescription: true, source: 'user', loadedFrom: 'skills',
  userInvocable: true, isHidden: false, isEnabled: () => true, argumentNames: [], contentLength: 0, allowedTools: [], disallowedTools: [], context: 'inline', paths: [], shell: 'bash',
  requires: [], disableModelInvocation: false, isSkill: true, progressMessage: 'loading', metadata: {}, load: () => ({ template: 'Body.' }),
}
const list = ({ progress }) => {
  progress(1, () => ({ commands: [command] }))
  return new Promise(() => {})
}
export default { providers: [{ kind: 'source', id: 'hung', setup: () => ({ source: 'user', list }) }] }
`

function project(configuration = hanging): Console {
  tree = tempTree({
    'home/.config/skills/skills.config.mjs': configuration,
    'work/.git': { dir: true },
    'work/.claude/skills/deploy/SKILL.md': '---\ndescription: Deploys.\n---\nBody.\n',
  })
  return { cwd: `${tree.path}/work`, home: `${tree.path}/home` }
}

const reason = /skills: Not every skill .*"hung" .* 50 ms\./

test.each([
  ['list'],
  ['list', '--json'],
  ['search', 'deploys'],
  ['audit'],
  ['lint'],
  ['explain', 'deploy'],
  ['show', 'deploy'],
  ['render', 'deploy'],
  ['run', 'deploy'],
  ['listing'],
  [],
])('skills %s %s gives what it found, ends with 1 and says why', async (...argv) => {
  const { code, stdout, stderr } = await runIn([...argv, '--source-limit', '0.05'], project())
  expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
  expect(stdout).not.toBe('')
})

test('what a source found until it stopped is listed beside what others found', async () => {
  const { stdout } = await runIn(['list', '--source-limit', '0.05'], project())
  expect(stdout.split('\n').map(line => line.split('\t')[0])).toEqual(['early', 'deploy', ''])
})

test.each(['run', 'render', 'show', 'explain', 'audit'])(
  'skills %s does not deny that there is a skill, where not all were found',
  async command => {
    const { code, stderr } = await runIn([command, 'elsewhere', '--source-limit', '0.05'], project())
    expect([code, stderr]).toEqual([1, expect.stringMatching(/"elsewhere" .* 50 ms/)])
    expect(stderr).not.toContain('There is no')
  },
)

test('trust asks about what it found, and ends with 1', async () => {
  const console = { ...project(), isTerminal: true, columns: 200, answer: () => 'yes' }
  expect(await runIn(['trust', '--source-limit', '0.05'], console)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(reason) as string,
  })
})

test('a limit is a number of seconds', async () => {
  for (const given of ['0', '-1', 'soon', '1e3']) {
    expect(await runIn(['list', `--source-limit=${given}`], project('export default {}'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('seconds') as string,
    })
  }
  expect(await runIn(['list', '--source-limit', '2.5'], project('export default {}'))).toMatchObject({
    code: 0,
    stderr: '',
  })
})
