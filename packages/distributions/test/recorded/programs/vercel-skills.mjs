// @ts-check
import { output } from '../../../../../scripts/record/isolated.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: 'skills',
  folders: { project: '.agents', home: '.agents' },
  bin: ['.bin/skills'],
  list: async place => {
    const found = []
    for (const scope of [[], ['-g']]) {
      /** @type {readonly { name: string, path: string }[]} */
      const skills = JSON.parse(await output(place, ['list', ...scope, '--json']))
      found.push(...skills.map(({ name, path: folder }) => ({ name, path: `${folder}/SKILL.md` })))
    }
    return found
  },
}
