import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 6,
  args: 'NAME',
  text: 'Write a new skill, or a plugin with one, to begin with',
  options: {
    '--description <text>': 'What it does and when to use it',
    '--fields': 'Every further field as a comment, with its default and what to write',
    '--evals': 'A first set of cases beside it, for skills eval',
    '--user': 'For yourself, in the first of the folders where your own skills are',
    '--dir <dir>': 'In this folder, which is made if it is missing',
    '--plugin': 'A plugin: a folder with a manifest and a first skill',
    ...json,
  },
  details: [
    'A skill goes into .claude/skills of the working folder, a plugin into the working folder itself, unless --user or --dir says otherwise.',
    'Nothing is ever overwritten.',
    'NAME has letters in lower case, digits and single hyphens.',
  ],
})
