import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 1,
  synonyms: ['ls'],
  text: 'List every skill, where it comes from and what it is for',
  options: {
    '--all': 'Also those that are shadowed, disabled or failed to load, each with its state',
    '--source <name>': 'Only those of one source, such as user or project',
    ...json,
  },
  details: [
    'On a terminal: a table whose descriptions are cut to its width.',
    'Anywhere else: one line a skill, the columns name, source, description (and state with --all) separated by tabs and never cut.',
  ],
})
