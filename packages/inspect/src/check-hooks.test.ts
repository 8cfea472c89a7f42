import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { lintFiles } from './lint-files.js'

async function linted(hooks: string): Promise<readonly string[]> {
  const tree = tempTree({
    'skills/guard/SKILL.md': `---\ndescription: Guards. Use when asked to.\n${hooks}\n---\nGuard.\n`,
  })
  onTestFinished(() => tree.dispose())
  const { files } = await lintFiles([`${tree.path}/skills/guard/SKILL.md`])
  return files.flatMap(({ diagnostics }) =>
    diagnostics.map(
      ({ line, column, severity, code, message, hint }) => `${line}:${column} ${severity} ${code} ${message} ${hint}`,
    ),
  )
}

const hook = '- { type: command, command: ./check.sh }'

test.each([
  [
    'an event that there is not',
    `hooks:\n  PreToolUze:\n    - hooks:\n      ${hook}`,
    ['4:3 warning invalid-hook `hooks.PreToolUze` names an unknown event. Did you mean "PreToolUse"?'],
  ],
  [
    'a matcher that is none',
    `hooks:\n  Stop: []\n  PreToolUse:\n    - hooks:\n      ${hook}\n    - matcher: "(["\n      hooks:\n      ${hook}`,
    [
      expect.stringMatching(
        /^8:\d+ warning invalid-hook `hooks\.PreToolUse\[1\]` has a matcher that is not a regular expression: /,
      ),
    ],
  ],
  [
    'a type that only other agents run',
    'hooks:\n  Stop:\n    - hooks:\n        - type: prompt\n          prompt: Is it done?',
    [
      expect.stringMatching(
        /^6:\d+ info unsupported-hook One hook is not run here: Stop \(prompt\)\. Other agents, such as Claude Code, run them\./,
      ),
    ],
  ],
  [
    'text in the place of a list',
    'hooks:\n  Stop: text',
    ['4:9 warning invalid-hook `hooks.Stop` is not a list. Write a list of { matcher, hooks: [ … ] }.'],
  ],
  [
    'a time and a word that say nothing',
    'hooks:\n  Stop: [{ hooks: [{ command: ./check.sh, timeout: soon, once: maybe }] }]',
    [
      expect.stringMatching(/^4:9 warning invalid-hook .* has the invalid timeout "soon", which is ignored\./),
      expect.stringMatching(
        /^4:9 warning invalid-hook .* has the invalid value "maybe" for "once", which is ignored\./,
      ),
    ],
  ],
] as const)('lint says that %s does nothing, and where it stands', async (_what, hooks, found) => {
  expect(await linted(hooks)).toEqual(found)
})

test('lint has nothing to say about hooks that take effect, and says once what is no map', async () => {
  expect(
    await linted(
      'hooks:\n  PreToolUse:\n    - matcher: Bash|Write\n      hooks: [{ type: command, command: ./check.sh, timeout: 10, once: false }]',
    ),
  ).toEqual([])
  expect(await linted('hooks: text')).toEqual([expect.stringContaining('invalid-map')])
})

test('thousands of findings are counted from the fifty-first on, since each takes going through the file', async () => {
  const events = (count: number): string =>
    `hooks:\n${Array.from({ length: count }, (_, at) => `  Event${at}: []`).join('\n')}`
  const start = process.cpuUsage().user / 1000
  const found = await linted(events(3_500))
  expect(process.cpuUsage().user / 1000 - start).toBeLessThan(3_000)
  expect(found).toHaveLength(51)
  // The finding is placed at the field.
  expect(found[0]).toMatch(/^3:1 warning invalid-hook `hooks` .* 3450 .* 50 /)
  expect(found.at(-1)).toMatch(/^53:12 warning invalid-hook `hooks\.Event49` /)
  expect((await linted(events(51)))[0]).toMatch(/`hooks` .* 1 /)
  expect(await linted(events(50))).toHaveLength(50)
})
