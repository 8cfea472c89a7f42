import { expect, it } from 'vitest'
import { forModel } from '../skill-tool.js'
import type { Message } from '@skills/invocation'

const line: Message = {
  type: 'user',
  content: '<command-message>The "a" skill is loading</command-message>\n<command-name>a</command-name>',
}

it('leaves out what is for people, and no text that only speaks of it', () => {
  const told: readonly Message[] = [
    line,
    { type: 'user', isMeta: true, content: [{ type: 'text', text: line.content as string }] },
    { type: 'user', content: 'Write <command-message> first.' },
    { type: 'progress', content: 'Half.' },
    { type: 'attachment', content: '', attachment: { type: 'command_permissions' } },
  ]
  expect(forModel(told, undefined)).toEqual([told[1], told[2], told[4]])
})

it('tags what is left with the call that it answers', () => {
  expect(
    forModel(
      [
        { type: 'user', content: 'A' },
        { type: 'user', content: 'B', toolUseId: 'own' },
      ],
      'c1',
    ).map(({ toolUseId }) => toolUseId),
  ).toEqual(['c1', 'own'])
})
