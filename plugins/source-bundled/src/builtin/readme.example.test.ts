/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills, type Command } from '@skills/core'
import { builtinSource } from '@skills/source-bundled/builtin'
import { terminalRenderer } from '@skills/source-bundled/terminal'

function engineWith(own: readonly Command[]) {
  return createSkills({
    plugins: [
      builtinSource({ commands: own }),
      terminalRenderer({
        write: text => process.stdout.write(text),
        width: () => process.stdout.columns,
        colors: process.stdout.isTTY,
      }),
    ],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

import { expect, it, onTestFinished } from 'vitest'
import { local } from '../../test/commands.js'

it('has the commands of the host beside its own, as the README shows', async () => {
  const skills = engineWith([local('clear')])
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).entries.map(({ name }) => name)).toEqual(['help', 'skills', 'clear'])
})
