import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 1,
  text: 'Show what a model is told of the skills, and what is cut',
  options: {
    '--context-window <tokens>': 'Tokens of the context window that the listing gets its part of',
    '--strategy <name>': 'How room is shared: fair, filling, proportional, cutoff, fixed, xml, grouped, or a plugin',
    '--costs': 'What each skill takes of the budget, the most first, in place of the text',
    ...json,
  },
  details: [
    'In a pipe the text alone, to the letter.',
    'On a terminal also how much of its budget each source takes.',
    'What is cut, left out or not told is said beside it with the reason and what to do.',
  ],
})
