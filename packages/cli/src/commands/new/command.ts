import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 6,
  args: 'NAME',
  synonyms: ['init'],
  text: 'Write the first version of a new skill or plugin',
  options: {
    '--description <text>': 'Description: what the skill does and when to use it',
    '--fields': 'Add every other field as a comment, with its default and what to write',
    '--evals': 'Add first cases for skills eval',
    '--user': 'Write into the first folder of your own skills',
    '--dir <dir>': 'Write into this folder; the folder is created if it is missing',
    '--plugin': 'Write a plugin: a folder with a manifest and a first skill',
    ...json,
  },
  details: [
    'A skill goes into .claude/skills of the working folder and a plugin into the working folder, unless --user or --dir says otherwise.',
    'No file is overwritten.',
    'NAME consists of lower-case letters, digits and single hyphens.',
  ],
})
