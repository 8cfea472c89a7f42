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
    'All skills are searched, also shadowed and disabled ones. Each result has its state and the words that were found.',
    'A word also finds longer words that begin with it. If no skill has the word, similar words are found.',
    'A terminal shows the best 20 without --limit.',
    'Exits with 1 if nothing is found.',
  ],
})
