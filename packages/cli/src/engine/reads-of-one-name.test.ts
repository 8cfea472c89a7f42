import { realpathSync } from 'node:fs'
import { countFileReads, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runIn } from '../../test/console.js'

/** Larger than any head that is read. */
const body = 'A line of text that is long enough.\n'.repeat(4000)
/** Most bytes of such a file that are read for its head: a piece that could have been the whole file, then the head. */
const mostOfHead = 24 * 1024

const skill = (name: string): string => `---\nname: ${name}\ndescription: Does ${name} well.\n---\n${body}`
/**
 * Frontmatter names by folder. That of `other` is not in its path, so that its head has to be looked at. Names differ in
 * length, and so do the files: those of one size are compared, for which they are read whole.
 */
const skills = { deploy: 'deploy', changelog: 'changelog', translate: 'translate-it', other: 'something-else' }

/** Runs a command line, and returns the number of bytes that it read of each skill. */
async function bytesRead(argv: readonly string[]): Promise<readonly { folder: string; bytes: number }[]> {
  const tree = tempTree({
    'work/.git/HEAD': '',
    'home/.keep': '',
    ...Object.fromEntries(
      Object.entries(skills).map(([folder, name]) => [`work/.claude/skills/${folder}/SKILL.md`, skill(name)]),
    ),
  })
  onTestFinished(() => tree.dispose())
  const top = realpathSync(`${tree.path}/work/.claude/skills`)
  const counters = Object.keys(skills).map(folder => ({ folder, counter: countFileReads(`${top}/${folder}`) }))
  try {
    const { stdout } = await runIn(argv, { cwd: `${tree.path}/work`, home: `${tree.path}/home` })
    expect(stdout).toContain('deploy')
    return counters.map(({ folder, counter }) => ({ folder, bytes: counter.bytes }))
  } finally {
    for (const { counter } of counters) counter.stop()
  }
}

/** Runs a command line, and returns the skills of which it read more than the head. */
async function bodiesRead(argv: readonly string[]): Promise<readonly string[]> {
  return (await bytesRead(argv)).filter(({ bytes }) => bytes > mostOfHead).map(({ folder }) => folder)
}

test('an explanation, for which trust and permission ask for the same body, reads it once', async () => {
  const [deploy] = await bytesRead(['explain', 'deploy'])
  expect(deploy?.bytes).toBeGreaterThan(body.length)
  expect(deploy?.bytes).toBeLessThan(body.length + 2 * mostOfHead)
})

test.each([
  'show deploy',
  'show deploy --json',
  'explain deploy',
  'explain deploy --json',
  'render deploy --no-shell',
  'lint .claude/skills/deploy',
])('%s reads the body of that skill alone', async line => {
  expect(await bodiesRead(line.split(' '))).toEqual(['deploy'])
})

test('list reads no body, and lint without a path all of them', async () => {
  expect(await bodiesRead(['list'])).toEqual([])
  expect(await bodiesRead(['lint'])).toEqual(Object.keys(skills))
})
