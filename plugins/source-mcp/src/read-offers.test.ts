import { expect, it } from 'vitest'
import { reasonOf } from './read-offers.js'

it.each([
  ['It waits.', 'It waits'],
  ['It waits...', 'It waits'],
  ['It\nwaits. \u001b[2J', 'It waits. [2J'],
  ['', 'no reason was given'],
  ['Really?', 'Really?'],
  [
    'Invalid result for prompts/get: [\n  {\n    "code": "invalid_union"\n  }\n]',
    'its answer to prompts/get does not follow the protocol',
  ],
  [
    'Invalid result for prompts/get: missing required resultType',
    'Invalid result for prompts/get: missing required resultType',
  ],
])('says the reason %j as a part of a sentence', (message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason)
})
