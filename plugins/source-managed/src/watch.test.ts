import { systemClock } from '@skills/core'
import { watchSkills } from '@skills/files/source'
import { fakeHost } from '@skills/testing'
import { expect, it } from 'vitest'
import { managing, shown, sourceOver, temporary } from '../test/engine.js'

it('a watched engine obeys a policy from the moment it is there', async () => {
  const tree = temporary({ 'user/a/SKILL.md': 'a', 'user/b/SKILL.md': 'b' })
  const running = managing(tree.path, [sourceOver(tree.path, 'user')], {}, { host: fakeHost({ clock: systemClock }) })
  const changed = () => new Promise(resolve => running.skills.hook('skills:changed', resolve))
  await watchSkills(running.skills, { onDiagnostic: () => {}, debounceMs: 20 })
  expect(await shown(running)).toEqual(['a from user', 'b from user'])
  let done = changed()
  tree.write({ 'managed/managed-settings.json': JSON.stringify({ skills: { disabledSkills: ['a'] } }) })
  await done
  expect(await shown(running)).toEqual(['b from user'])
  done = changed()
  tree.remove('managed')
  await done
  expect(await shown(running)).toEqual(['a from user', 'b from user'])
})
