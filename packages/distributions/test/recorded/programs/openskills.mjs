// @ts-check
import { output } from '../../../../../scripts/record/isolated.mjs'

/** @type {import('../../../../../scripts/record/programs.mjs').Program} */
export const program = {
  packageName: 'openskills',
  folders: { project: '.claude', home: '.claude' },
  bin: ['.bin/openskills'],
  list: async place => {
    const found = []
    const lines = (await output(place, ['list'])).split('\n')
    for (const [at, line] of lines.entries()) {
      const name = /^ {2}(\S.*?) +\((?:project|global)\)$/.exec(line)?.[1]
      if (name !== undefined) found.push({ name, description: (lines[at + 1] ?? '').trim() })
    }
    return found
  },
}
