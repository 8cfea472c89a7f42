import { defineCommand } from '../../arguments/define-command.js'
import { answer, json, rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 2,
  args: 'NAME',
  handsOn: true,
  text: 'Show the exact text that a model would get of a skill',
  options: { '--no-shell': 'Run no embedded command: each stays as it is written', ...rules, ...answer, ...json },
  details: [
    'ARGS are joined with spaces and handed to the skill as they are.',
    'Embedded commands need the permission that they need in a run: where no rule decides you are asked, and without a terminal the command stays as it is written and the exit code is 1.',
    '--json says of each piece of the text where it comes from.',
  ],
})
