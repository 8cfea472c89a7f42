// @ts-check
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { processHost } from '@skills/core'
import { installContext } from '@skills/install'

/** The skills of the source, with the number of files that each has. */
export const skills = { one: 3, two: 2, three: 4 }

/** @param {string} folder */
export function contextOf(folder) {
  const host = processHost({ cwd: `${folder}/work`, home: `${folder}/home`, env: { PATH: process.env['PATH'] } })
  return installContext({ host, signal: new AbortController().signal })
}

/** @param {string} version @param {number} at */
export function textOf(version, at) {
  return at === 0 ? `---\ndescription: Version ${version}.\n---\nDo it.\n` : `${version} of file ${at}\n`.repeat(200)
}

/** @param {number} at */
export function nameOf(at) {
  return at === 0 ? 'SKILL.md' : `deep/${at}.md`
}

/** @param {string} folder @param {string} version of all files of the source */
export function writeSource(folder, version) {
  for (const [name, count] of Object.entries(skills))
    for (let at = 0; at < count; at++) {
      const path = `${folder}/work/shared/${name}/${nameOf(at)}`
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, textOf(version, at))
    }
}
