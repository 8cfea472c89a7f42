import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hookReminder, skillHookEvents } from './index.js'

test('what hooks have for the model says where it comes from', () => {
  expect(hookReminder('SessionStart', { context: 'It is late.\nBe brief.' })).toBe(
    '<system-reminder>\nA hook of SessionStart says:\nIt is late.\nBe brief.\n</system-reminder>',
  )
  expect(hookReminder('PreToolUse', { context: 'It is late.' }, { toolName: 'Bash' })).toBe(
    '<system-reminder>\nA hook of PreToolUse (Bash) says:\nIt is late.\n</system-reminder>',
  )
})

test('why a hook is against what was done already is for the model to read, and elsewhere the reason is not', () => {
  const verdict = { block: true, reason: 'Look again.', context: 'It is late.' }
  expect(hookReminder('PostToolUse', verdict, { toolName: 'Bash' })).toContain('says:\nLook again.\nIt is late.\n')
  expect(hookReminder('UserPromptSubmit', verdict)).not.toContain('Look again.')
  expect(hookReminder('PostToolUse', { reason: 'Look again.' })).toBeUndefined()
  for (const event of skillHookEvents)
    expect(hookReminder(event, { messages: ['For people.'], context: '' })).toBeUndefined()
})

test('nothing that a hook says, and no name of a tool, ends it early or begins another', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('<', '/', ' ', '\n', '\u200d', '\u{e0041}', 'system-reminder', 'SYSTEM-REMINDER', '>'),
  )
  const text = fc.array(part, { minLength: 1 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(text, text, (context, toolName) => {
      const written = hookReminder('PostToolUse', { context }, { toolName }) ?? ''
      const seen = written.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').toLowerCase()
      expect(seen.split('<system-reminder').length + seen.split('</system-reminder').length).toBe(
        context === '' ? 2 : 4,
      )
      expect(written.split('\n')[1] ?? '').toMatch(context === '' ? /^$/ : /^A hook of PostToolUse \(.*\) says:$/su)
    }),
  )
})
