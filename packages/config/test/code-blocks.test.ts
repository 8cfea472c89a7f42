import { expect, test } from 'vitest'
import { codeBlocks } from '../code-blocks.mjs'

const read = (page: string) => codeBlocks(page.split('\n'))

test('a block comes from what stands before it, blank lines aside', () => {
  expect(read('# A\n<!-- from a.ts#b -->\n\n  ```ts\n  x\n  ```\n\n```js\ny\n```')).toEqual({
    blocks: [
      { language: 'ts', start: 3, end: 5, indent: '  ', from: 'a.ts#b' },
      { language: 'js', start: 7, end: 9, indent: '' },
    ],
    strays: [],
  })
})

test('what is in a block of another language is text, its fences and comments too', () => {
  expect(read('````md\n<!-- from a.ts -->\n```ts\n```\n````\n```console\n<!-- from a.ts -->\n```')).toEqual({
    blocks: [],
    strays: [],
  })
})

test.each([
  ['text', '<!-- from a.ts -->\nText.\n```ts\nx\n```', 0],
  ['a block that is not compared', '\n<!-- from a.ts -->\n```console\n$ x\n```', 1],
  ['another', '<!-- from a.ts -->\n<!-- from b.ts -->\n```ts\n```', 0],
  ['the end', 'Text.\n\n<!-- from a.ts -->\n\n', 2],
])('where a block comes from is said for nothing before %s', (_title, page, line) => {
  expect(read(page).strays).toEqual([{ line, from: 'a.ts' }])
})

test('a block that is not closed goes to the end', () => {
  expect(read('<!-- from a.ts -->\n```ts\nx').blocks).toMatchObject([{ start: 1, end: 3, from: 'a.ts' }])
})
