import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAgent } from './read-agent.js'

test('any file is an agent with sound values or a clause that says what is wrong, and never a failure', async () => {
  const key = fc.constantFrom(
    'name',
    'description',
    'tools',
    'disallowedTools',
    'model',
    'effort',
    'skills',
    '__proto__',
    'other',
  )
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('[a, b]', '{ a: b }', '"x', '- a', 'high', '*', 'inherit', '', '|'),
    fc.jsonValue().map(one => JSON.stringify(one)),
  )
  const file = fc
    .tuple(fc.array(fc.tuple(key, value)), fc.string())
    .map(([lines, body]) => `---\n${lines.map(([one, text]) => `${one}: ${text}`).join('\n')}\n---\n${body}`)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        file.map(text => Buffer.from(text)),
        fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
      ),
      async bytes => {
        const reading = await readAgent(bytes, 'stem')
        const sound =
          'problem' in reading
            ? reading.problem !== ''
            : reading.agent.name !== '' &&
              [reading.agent.tools, reading.agent.disallowedTools, reading.agent.skills].every(
                list => list === undefined || list.every(one => typeof one === 'string'),
              )
        expect(sound).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})
