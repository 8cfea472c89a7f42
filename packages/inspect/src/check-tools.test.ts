import { expect, test } from 'vitest'
import { checkBytes } from './check-file.js'

test('rules of allowed-tools that allow nothing are told, with their line and what to write', async () => {
  const text =
    '---\ndescription: Does it.\nallowed-tools:\n  - Read\n  - Bash(git status*)\n  - Read(./*.{md,ts})\n---\nDo it.\n'
  const { diagnostics } = await checkBytes('/x/a/SKILL.md', Buffer.from(text), {})
  expect(diagnostics.filter(({ code }) => code === 'rule-allows-nothing')).toEqual([
    expect.objectContaining({
      line: 5,
      hint: 'Write Bash(git status:*).',
      message: expect.stringContaining('Claude Code'),
    }),
    expect.objectContaining({ line: 6, message: expect.stringContaining('braces') }),
  ])
})
