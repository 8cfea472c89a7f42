import { defineCommand } from '../../arguments/define-command.js'
import { contextWindow, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 1,
  text: 'Show the listing of skills that a model gets, and what is cut',
  options: {
    ...contextWindow,
    '--strategy <name>':
      'Divide the budget by this strategy: fair, filling, proportional, cutoff, fixed, xml, grouped, dealt, shortlist, or a plugin',
    '--message <text>': 'List what fits this last message of a conversation best, by the strategy shortlist',
    '--costs': 'Show how much of the budget each skill takes, the largest first, instead of the text',
    ...json,
  },
  details: [
    'A pipe gets exactly the text that the model gets.',
    'A terminal also shows how much of the budget each source takes.',
    'Skills that are cut or left out are named on standard error, with the reason and what to do.',
  ],
})
