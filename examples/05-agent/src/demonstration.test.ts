import { expect, it } from 'vitest'
import { demonstrate } from './demonstration.js'

it('does the task that it shows, and says that its model is a script', async () => {
  let shown = ''
  const requests = await demonstrate(text => {
    shown += text
  })
  expect(requests).toHaveLength(8)
  expect(shown).toMatch(/^No endpoint is configured.*the model is a script/)
  expect(shown).toContain('[Bash git push --tags] no: Release notes are written here; a person publishes them.')
})
