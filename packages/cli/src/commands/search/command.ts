import { defineCommand } from '../../arguments/define-command.js'
import { contextWindow, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 4,
  args: 'QUERY…',
  synonyms: ['find'],
  text: 'Search skills by name and purpose',
  options: {
    '--body': 'Also search the bodies, which reads every file',
    '--limit <count>': 'Show at most this many',
    ...contextWindow,
    ...json,
  },
  details: [
    'It searches all skills, shadowed and disabled ones too, and shows each with its state and the words found.',
    'A word also finds words that begin with it, and similar words if no skill has the word itself.',
    'A terminal shows the best 20 without --limit.',
    'Exits with 1 if nothing is found.',
  ],
})
