/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { telemetry } from '@skills/telemetry'
import { createSkills, processHost, type Plugin } from '@skills/core'
import { invocationKinds } from '@skills/invocation'

function tracedSkills(plugins: readonly Plugin[]) {
  return createSkills({
    host: processHost(),
    kinds: invocationKinds,
    plugins: [...plugins, telemetry()],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

import { expect, test } from 'vitest'

test('an engine has a tracer, as the README shows', async () => {
  const skills = tracedSkills([])
  expect(skills.use('tracer').ids).toEqual(['opentelemetry'])
  const tracer = await skills.use('tracer').first(one => one)
  // No SDK is installed here.
  expect(tracer?.carrier()).toBeUndefined()
  expect(await tracer?.trace('chat', 'm', {}, async () => 7)).toBe(7)
  await skills.close()
})
