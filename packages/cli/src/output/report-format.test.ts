import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { runIn } from '../../test/console.js'

let tree: TempTree
afterEach(() => tree.dispose())

// Foreign text with sequences that a terminal, a log or a reader would obey: a bell, a character that reverses text, an
// invisible one, and tags that only a model reads.
const hostile = 'a\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eb\u200bc\u{e0041}\rd'
const unseen = /[\p{Cc}\p{Cs}\u202e\u200b]|\u{e0041}/u

/** Removes what this program itself writes: colours, and the start of a rewritten line. */
// oxlint-disable-next-line no-control-regex -- they are what is taken out
const without = (screen: string): string => screen.replace(/\r?\u001b\[K|\u001b\[\d{1,2}m|[\n\t]/g, '')

const hostileTree = (): TempTree =>
  tempTree({
    'work/.git': { dir: true },
    'work/.claude/skills/a/SKILL.md': `---\nname: ${JSON.stringify(hostile)}\ndescription: ${JSON.stringify(hostile)}\nuser-invocable: ${JSON.stringify(hostile)}\n${JSON.stringify(hostile)}: 1\n---\n!\`echo ${hostile}\` ${hostile}`,
    [`work/.claude/skills/b\u202e\u001b[2J/SKILL.md`]: `---\ndescription: ${hostile}\n---\nx`,
  })

test.each([
  ['lint'],
  ['lint', '.'],
  ['lint', '--format', 'github'],
  ['lint', '--format', 'sarif'],
  ['lint', '--json'],
  ['compat', '--format', 'markdown'],
  ['compat', '--format', 'github'],
  ['compat', '--format', 'sarif'],
  ['compat'],
  ['list', '--all'],
  ['list', '--all', '--json'],
  ['audit'],
  ['audit', '--json'],
  ['explain', 'a'],
  ['show', 'a'],
  ['render', 'a'],
  ['listing'],
  ['search', hostile],
  ['show', hostile],
  ['explain', hostile, '--debug'],
  [hostile],
  ['trust', '--dry-run'],
])('no text of others reaches a terminal but to be read: %j %j %j', async (...argv) => {
  tree = hostileTree()
  const { stdout, stderr } = await runIn(
    argv.filter(one => one !== undefined),
    { cwd: `${tree.path}/work`, isTerminal: true },
  )
  expect(stdout + stderr).not.toBe('')
  expect(without(stdout)).not.toMatch(unseen)
  expect(without(stderr)).not.toMatch(unseen)
})

test.each([
  ['lint', 'github'],
  ['compat', 'github'],
  ['compat', 'markdown'],
])('nor does it reach a log: %s --format %s into a pipe', async (command, format) => {
  tree = hostileTree()
  const { stdout } = await runIn([command, '--format', format], { cwd: `${tree.path}/work` })
  expect(stdout.replaceAll('\n', '')).not.toMatch(unseen)
})
