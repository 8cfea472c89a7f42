import { promptCommand } from '@skills/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tokenize } from '../expand.js'
import { findEmbeddedCommands } from './find-commands.js'
import { embeddedCommandClaims, lexEmbeddedCommand } from './lex-command.js'

it('finds the commands of a body with where they stand and how they are written', () => {
  const body = 'Now: !`date`\n\n```!\nid\n```\nA \\!`ls` and `` !`pwd` ``.'
  expect(findEmbeddedCommands(body)).toEqual([
    { script: 'date', start: 5, end: 12, scriptStart: 7, form: 'inline' },
    { script: 'id', start: 14, end: 25, scriptStart: 19, form: 'fenced' },
  ])
})

it('goes by the shell of the skill, and looks where it is told to', () => {
  expect(findEmbeddedCommands('!`dir C:\\` b `c`', { shell: 'powershell' }).map(({ script }) => script)).toEqual([
    'dir C:\\',
  ])
  expect(findEmbeddedCommands('```\n!`date`\n```\nx!`id`').map(({ script }) => script)).toEqual([])
  expect(
    findEmbeddedCommands('```\n!`date`\n```\nx!`id`', { fences: 'look', inline: 'anywhere' }).map(
      ({ script }) => script,
    ),
  ).toEqual(['date', 'id'])
})

it('finds what the engine would run, in any text', () => {
  const command = promptCommand({ name: 'a', source: 'user', load: () => ({ template: '' }) })
  const pieces = fc.constantFrom('!', '`', '!`', '```!\n', '```', '\n', ' ', '\\', 'a', '> ', '- ', '~~~\n')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), parts => {
      const body = parts.join('')
      const tokens = tokenize(
        body,
        [
          {
            id: 'shell',
            value: {
              claims: embeddedCommandClaims,
              lex: (...given) => lexEmbeddedCommand(...given),
              evaluate: () => undefined,
            },
          },
        ],
        command,
      )
      const scripts = tokens.flatMap(({ start, inner }) =>
        inner === undefined ? [] : [{ start, script: body.slice(inner.start, inner.end) }],
      )
      expect(findEmbeddedCommands(body).map(({ start, script }) => ({ start, script }))).toEqual(scripts)
    }),
    { numRuns: 500 },
  )
})
