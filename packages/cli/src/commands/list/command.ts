import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 1,
  synonyms: ['ls'],
  text: 'List every skill, where it comes from and what it is for',
  options: {
    '--all': 'Also list shadowed, renamed, duplicate, disabled and failed skills, each with its state',
    '--told': 'Also say what the model is told of each: whole, cut, name only, left out, later or nothing',
    '--source <name>': 'Only list this source: managed, user, project, additional (of --add-dir) or plugin',
    ...json,
  },
  details: [
    'A terminal shows a table, with descriptions cut to its width.',
    'A pipe or file gets one line for each skill: name, source, description (and state with --all), separated by tabs, never cut.',
  ],
})
