import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 5,
  text: 'Say what is wrong here, worst first, and mend it',
  options: {
    '--fix': 'Mend what is safe: rename, move and link places, close frontmatter, convert UTF-16; show the rest',
    '--user': 'With --fix, also mend your own skills in the home folder',
    ...json,
  },
  details: [
    'It looks for files that are nearly skills, folders that no agent reads, agents that do not see what is installed for them, links, skills that the model is not told of, and settings that cannot be read.',
    'Changes only files in the project, follows no link out of it, and overwrites nothing.',
    'Exits with 1 if a problem remains, and with 0 if there is none or all were mended.',
  ],
})
