import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 1,
  synonyms: ['ls'],
  text: 'List every skill, where it comes from and what it is for',
  options: {
    '--all': 'Also list skills that are shadowed, disabled or failed to load, each with its state',
    '--source <name>': 'Only list skills of this source, such as user or project',
    ...json,
  },
  details: [
    'A terminal shows a table, with descriptions cut to its width.',
    'Elsewhere each skill is one line: name, source, description (and state with --all), separated by tabs, never cut.',
  ],
})
