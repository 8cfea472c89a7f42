import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { expansionOf } from '../../test/expanding-text.js'
import { linksExpander, textExpander } from '../text.js'

async function linked(body: string): Promise<string> {
  const tree = tempTree({ 'skill/docs/guide.md': '', 'skill/run.sh': '', 'other.md': '' })
  onTestFinished(() => tree.dispose())
  const { text } = await expansionOf(body, [textExpander({ header: false }), linksExpander()], {
    command: { baseDir: `${tree.path}/skill` },
    args: 'x',
  })
  return text.replaceAll(tree.path, '/t').replace(/\n\nARGUMENTS: x$/, '')
}

it.each([
  ['see [the guide](docs/guide.md).', 'see [the guide](/t/skill/docs/guide.md).'],
  ['[a](./docs/guide.md#part "Title")', '[a](/t/skill/docs/guide.md#part "Title")'],
  ['[a](../other.md)', '[a](/t/other.md)'],
  ['run `run.sh` in `docs`', 'run `/t/skill/run.sh` in `/t/skill/docs`'],
  ['![image](run.sh)', '![image](/t/skill/run.sh)'],
])('makes %j absolute', async (body, expected) => {
  expect(await linked(body)).toBe(expected)
})

it.each([
  '[a](missing.md)',
  '[a](/run.sh)',
  '[a](https://example.org/run.sh)',
  '[a](#run.sh)',
  '[a](mailto:run.sh)',
  '[a]()',
  '(run.sh)',
  '`.`',
  '`..`',
  '`run.sh now`',
  '!`run.sh`',
  '```\n[a](run.sh) `run.sh`\n```',
  '``[a](run.sh)``',
  '[a](~/run.sh)',
  '`run.sh',
  '[a](run.sh\0)',
])('leaves %j as it is written', async body => {
  expect(await linked(body)).toBe(body)
})

it('leaves what others replace to them', async () => {
  expect(await linked('[a](docs/$0.md) `$0`')).toBe('[a](docs/x.md) `x`')
})

it('leaves everything as it is where there is no folder', async () => {
  expect((await expansionOf('`run.sh`', [linksExpander()])).text).toBe('`run.sh`')
})
