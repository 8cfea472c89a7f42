import { defineCommand } from '../../arguments/define-command.js'
import { contextWindow, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 1,
  text: 'Show what a model is told of the skills, and what is cut',
  options: {
    ...contextWindow,
    '--strategy <name>':
      'Share the room by this strategy: fair, filling, proportional, cutoff, fixed, xml, grouped, or a plugin',
    '--costs': 'Show how much of the budget each skill takes, the largest first, instead of the text',
    ...json,
  },
  details: [
    'A pipe gets exactly the text.',
    'A terminal also shows how much of the budget each source takes.',
    'Skills that are cut or left out are named beside it, with the reason and what to do.',
  ],
})
