import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { userConfigurationPath, withLinkHint } from './link-hint.js'

test('the configuration of a person is where their variables say, and has the name that is there', () => {
  const tree = tempTree({ 'set/skills/skills.config.mjs': '' })
  onTestFinished(() => tree.dispose())
  const at = (env: Readonly<Record<string, string>>, home = '/home/ann') =>
    userConfigurationPath({ home, env, platform: 'linux' })
  expect(at({})).toBe('/home/ann/.config/skills/skills.config.json')
  expect(at({ XDG_CONFIG_HOME: '/etc/ann' })).toBe('/etc/ann/skills/skills.config.json')
  expect(at({ XDG_CONFIG_HOME: 'relative' })).toBe('/home/ann/.config/skills/skills.config.json')
  expect(at({ XDG_CONFIG_HOME: `${tree.path}/set` })).toBe(`${tree.path}/set/skills/skills.config.mjs`)
  expect(at({}, '')).toBeUndefined()
})

test('a link that leads too far is answered with the line and the file that allow it', () => {
  const tree = tempTree({ 'far/ship/SKILL.md': '', link: { link: 'far/ship' } })
  onTestFinished(() => tree.dispose())
  const { path } = tree
  const host = { home: `${path}/home`, env: { XDG_CONFIG_HOME: `${path}/set` }, platform: 'linux' } as const
  const problem = { severity: 'error', type: 'traversal', code: 'link-escapes', message: 'It leads out.' } as const
  expect(withLinkHint({ ...problem, path: `${path}/link` }, host).hint).toBe(
    `Copy the target into the project, or write "linksTo": ["${path}/far"] in ${path}/set/skills/skills.config.json.`,
  )
  expect(withLinkHint({ ...problem, code: 'other', path: `${path}/link` }, host).hint).toBeUndefined()
  expect(withLinkHint({ ...problem, path: `${path}/gone` }, host).hint).toBeUndefined()
})
