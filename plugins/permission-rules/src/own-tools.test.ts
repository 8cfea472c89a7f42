import { askPermission, type AgentContext } from '@skills/invocation'
import type { OnAsk } from '@skills/rules'
import { expect, it } from 'vitest'
import { engine, trustProvider } from '../test/asking.js'
import { allowAll, permissionRules, type PermissionRulesOptions } from './index.js'

/** Decides about a tool of the host's own, and returns the behaviour and the message. */
async function decided(
  rules: PermissionRulesOptions,
  [tool, input]: readonly [string, unknown],
  options: { readonly onAsk?: OnAsk; readonly context?: AgentContext } = {},
): Promise<string> {
  const { skills } = engine([], [trustProvider(), permissionRules(rules)])
  const { behavior, message } = await askPermission(skills, { tool, input }, options)
  return `${behavior}: ${message}`
}

const push = ['Bash', { command: 'git push --tags' }] as const

it('the rules for skills hold for the tools of the host, and say which of them decided', async () => {
  expect(await decided({ allow: ['Bash(git push:*)'] }, push)).toMatch(/^allow: .*Bash\(git push:\*\) of options /)
  expect(await decided({ allow: ['Bash'], deny: ['Bash(git push:*)'] }, push)).toMatch(
    /^deny: .*Bash\(git push:\*\) of options /,
  )
  expect(await decided({ allow: ['Bash(git:*)'] }, ['Bash', { command: 'git log; rm -r x' }])).toMatch(
    /^deny: Use Bash "git log; rm -r x" \(.*"rm -r x"\): /,
  )
  expect(await decided({ allow: ['Read(notes.txt)'] }, ['Read', { path: 'notes.txt' }])).toMatch(/^allow/)
  expect(await decided({ wildcards: [{ source: 'config', map: { bash: { 'git *': 'allow' } } }] }, push)).toMatch(
    /^allow/,
  )
})

it('a request that no rule decides is asked about, with rules that would make the question unnecessary', async () => {
  const questions: unknown[] = []
  const onAsk: OnAsk = ({ decision: { message, suggestions = [] } }) => {
    questions.push([message, suggestions.flatMap(({ rules }) => rules.map(({ ruleContent }) => ruleContent))])
    return 'allow'
  }
  expect(await decided({}, push, { onAsk })).toMatch(/^allow: Use Bash "git push --tags": .* yes\.$/)
  expect(questions).toEqual([['Use Bash "git push --tags"', ['git push --tags']]])
})

it('a question quotes what would run on one line, cut, and with nothing that a terminal obeys or hides', async () => {
  const questionOf = async (command: string): Promise<string> =>
    (await decided({}, ['Bash', { command }])).replace(/: there was no one.*/, '')
  expect(await questionOf('echo a\n\u001b[2J\u202e "b"')).toBe('deny: Use Bash "echo a <U+001B>[2J<U+202E> \\"b\\""')
  expect(await questionOf(`echo ${'x'.repeat(300)}`)).toBe(`deny: Use Bash "echo ${'x'.repeat(195)}…"`)
})

it('what the skills at work allow themselves counts, unless a rule forbids it', async () => {
  const context: AgentContext = { toolPermissionContext: { alwaysAllowRules: { command: ['Bash(git push:*)'] } } }
  expect(await decided({}, push, { context })).toMatch(/^allow: .*Bash\(git push:\*\) of allowed-tools of .*\bat work /)
  expect(await decided({ deny: ['Bash(git push:*)'] }, push, { context })).toMatch(/^deny/)
})

it('where everything is allowed they are, too', async () => {
  const { skills } = engine([], [allowAll()])
  expect(await askPermission(skills, { tool: 'Bash', input: {} })).toMatchObject({
    behavior: 'allow',
    message: expect.stringContaining('allowAll()'),
  })
})
