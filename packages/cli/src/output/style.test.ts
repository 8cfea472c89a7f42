import { expect, test } from 'vitest'
import { styleOf } from './style.js'

const terminal = { isTerminal: true, columns: 80, write: () => {} }
const pipe = { ...terminal, isTerminal: false }

test.each([
  ['a terminal', terminal, {}, false, true],
  ['a terminal that knows no colours', terminal, { TERM: 'dumb' }, false, false],
  ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false, false],
  ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, false, true],
  ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false, false],
  ['a terminal and --no-color', terminal, { FORCE_COLOR: '1' }, true, false],
  ['a pipe', pipe, {}, false, false],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, false, true],
  ['a pipe with FORCE_COLOR and NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false, false],
])('%s', (_what, output, env, isColorless, isColored) => {
  expect(styleOf(output, env, isColorless).red('x') !== 'x').toBe(isColored)
})
