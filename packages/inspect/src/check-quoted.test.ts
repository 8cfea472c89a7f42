import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { lintFiles } from './index.js'

let tree: TempTree
afterEach(() => tree.dispose())

async function quoted(frontmatter: string, body: string): Promise<readonly string[]> {
  tree = tempTree({ 'a/SKILL.md': `---\ndescription: x\n${frontmatter}---\n${body}` })
  const { files } = await lintFiles([`${tree.path}/a/SKILL.md`])
  return files
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ code }) => code === 'quoted-argument')
    .map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message.split(' ', 1)[0]}`)
}

test.each([
  ['all arguments', '', "Now: !`grep '$ARGUMENTS' x`\n", ['warning 4:14 $ARGUMENTS']],
  ['one of them by its place', '', "!`echo '$ARGUMENTS[1]'`\n", ['warning 4:9 $ARGUMENTS[1]']],
  ['in braces', '', "!`echo '${ARGUMENTS}'`\n", ['warning 4:9 ${ARGUMENTS}']],
  ['one by a name that the skill declares', 'arguments: [file]\n', "!`cat '$file'`\n", ['warning 5:8 $file']],
  ['in a fence, on its own line', '', "```!\necho a\necho 'é $ARGUMENTS'\n```\n", ['warning 6:9 $ARGUMENTS']],
  [
    'in a here-document whose delimiter is quoted',
    '',
    "```!\ncat <<'E'\n$ARGUMENTS\nE\n```\n",
    ['warning 6:1 $ARGUMENTS'],
  ],
  ['to PowerShell', 'shell: powershell\n', "!`echo '$ARGUMENTS'`\n", ['warning 5:9 $ARGUMENTS']],
])('an argument that keeps its reference is warned of: %s', async (_, frontmatter, body, found) => {
  expect(await quoted(frontmatter, body)).toEqual(found)
})

test.each([
  ['a number, as a program has them', "!`awk '{ print $1 }' x`\n"],
  ['a name that no one declared', "!`echo '$file'`\n"],
  ['a variable', "!`echo '${CLAUDE_SKILL_DIR} {baseDir}'`\n"],
  ['an escape', "!`echo '\\$ARGUMENTS'`\n"],
  ['double quotes', '!`grep "$ARGUMENTS" x`\n'],
  ['what is not run', "```sh\necho '$ARGUMENTS'\n```\n'$ARGUMENTS'\n"],
])('no one is warned of %s', async (_, body) => {
  expect(await quoted('', body)).toEqual([])
})
