// #region usage
import { createSkills, type Plugin } from '@skills/core'
import { textExpander } from '@skills/expansion/text'
import { expanderKind } from '@skills/expansion'

function engineWith(plugins: readonly Plugin[]) {
  return createSkills({
    kinds: [expanderKind],
    plugins: [...plugins, textExpander({ numbering: 'one', header: false })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

import { defineProvider, loadResult } from '@skills/core'
import { expandWith } from '@skills/expansion'
import { contextWith } from '../../test/expanding-text.js'
import { expect, it } from 'vitest'

it('expands in an engine as the README shows', async () => {
  const texts: string[] = []
  const asks = defineProvider({
    kind: 'source',
    id: 'asks',
    needs: ['expander'],
    setup: ctx => ({
      source: 'user',
      async list() {
        texts.push(
          (await expandWith(ctx.use('expander'), 'Fix $1 in $2', contextWith({ args: 'it "that file" now' }))).text,
        )
        return loadResult({})
      },
    }),
  })
  const skills = engineWith([asks])
  try {
    await skills.catalog()
  } finally {
    await skills.close()
  }
  expect(texts).toEqual(['Fix it in that file now'])
})
