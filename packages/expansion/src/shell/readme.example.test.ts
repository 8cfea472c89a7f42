// #region usage
import { createSkills, type Plugin } from '@skills/core'
import { shellExpander } from '@skills/expansion/shell'
import { invocationKinds, Invoker } from '@skills/invocation'
import { expanderKind } from '@skills/expansion'

async function messagesOf(name: string, plugins: readonly Plugin[]) {
  const skills = createSkills({
    kinds: [...invocationKinds, expanderKind],
    plugins: [...plugins, shellExpander({ timeoutMs: 30_000, onError: 'abort' })],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
  try {
    return (await new Invoker(skills).invoke({ name, caller: 'user' })).newMessages
  } finally {
    await skills.close()
  }
}
// #endregion usage

import { expect, it } from 'vitest'
import { skillPlugins } from '../../test/engine.js'

// #region lint
import { quotedReferences } from '@skills/expansion'

const references = await quotedReferences(`grep '$ARGUMENTS' notes.txt`)
const warnings = references.map(({ text, start }) => `${text} at ${start} stays as it is written`)
// #endregion lint

it('puts what a command writes in its place as the README shows', async () => {
  expect(await messagesOf('hello', skillPlugins({ hello: 'Say !`echo hello`.' }))).toEqual([
    { type: 'user', content: 'Say hello.' },
  ])
})

it('warns of references between single quotes as the README shows', () => {
  expect(warnings).toEqual([expect.stringMatching(/^\$ARGUMENTS at 6 /)])
})
