import { defineCommand } from '../../arguments/define-command.js'
import { answer, json, rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 2,
  args: 'NAME',
  handsOn: true,
  text: 'Show the exact text that a model would get from a skill',
  options: { '--no-shell': 'Run no embedded commands; the text shows them as written', ...rules, ...answer, ...json },
  details: [
    'ARGS are joined with spaces and passed to the skill unchanged.',
    'Embedded commands need the same permission as in a run. If no rule decides, you are asked; without a terminal the command stays as written and the exit code is 1.',
    '--json says where each piece of the text comes from.',
  ],
})
