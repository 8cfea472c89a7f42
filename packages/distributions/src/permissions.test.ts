import { chownSync } from 'node:fs'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { settingsFiles } from './settings-files.js'

it.runIf(process.getuid?.() === 0)(
  'rules of a parent that belongs to another user are not read (given away by the superuser)',
  () => {
    const { path, dispose } = tempTree({
      'home/.keep': '',
      'theirs/.git/HEAD': '',
      'theirs/.claude/settings.json': '{"permissions":{"deny":["Skill"]}}',
      'theirs/mine/x': '',
    })
    onTestFinished(dispose)
    const projectSettings = (uid: number) =>
      settingsFiles(fakeHost({ cwd: `${path}/theirs/mine`, home: `${path}/home`, uid, env: {} }))
        .find(({ isProject }) => isProject === true)
        ?.path.replace(path, '')
    expect(projectSettings(0)).toBe('/theirs/.claude/settings.json')
    chownSync(`${path}/theirs`, 65534, 65534)
    expect(projectSettings(0)).toBe('/theirs/mine/.claude/settings.json')
  },
)
