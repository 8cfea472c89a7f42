import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 4,
  args: 'QUERY…',
  text: 'Search skills by what they are called and what they are for',
  options: {
    '--body': 'Also in their bodies, which reads every file',
    '--limit <count>': 'How many to show at most',
    ...json,
  },
  details: [
    'Everything there is: also what is shadowed or disabled, each with its state and the words that were found.',
    'A word finds what begins with it too, and what resembles it where no one has the word itself.',
    'A terminal shows the best 20 unless --limit says otherwise.',
    'Exits with 1 when nothing is found.',
  ],
})
