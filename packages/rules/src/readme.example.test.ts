import { expect, test } from 'vitest'
// #region usage
import { ToolRules } from '@skills/rules'

const only = new ToolRules('only', ['Read', 'Bash(git log:*, git status)'])

/** Returns the rule that a call falls under; undefined for a call that must not be made. */
const ruleFor = (tool: string, content: string) => only.ruleFor({ tool, content })
// #endregion usage

test('a list says which calls fall under it', async () => {
  expect(
    await Promise.all([ruleFor('Bash', 'git log -5'), ruleFor('Bash', 'git log; id'), ruleFor('Write', 'notes.md')]),
  ).toEqual(['Bash(git log:*)', undefined, undefined])
})
