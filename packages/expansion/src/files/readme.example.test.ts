// #region usage
import { createSkills, type Plugin } from '@skills/core'
import { filesExpander } from '@skills/expansion/files'
import { expanderKind } from '@skills/expansion'

function engineWith(plugins: readonly Plugin[]) {
  return createSkills({
    kinds: [expanderKind],
    plugins: [...plugins, filesExpander({ roots: ({ home }) => [`${home}/notes`], maxBytes: 65_536 })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

import { expect, it } from 'vitest'

it('is a plugin of an engine as the README shows', async () => {
  const skills = engineWith([])
  try {
    expect((await skills.catalog()).size).toBe(0)
  } finally {
    await skills.close()
  }
})
