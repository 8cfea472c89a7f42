import { defineCommand } from '../../arguments/define-command.js'
import { answer, json, rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 4,
  args: 'NAME',
  handsOn: true,
  text: 'Run a skill and print the messages that a model would get',
  options: { ...rules, ...answer, ...json },
  details: [
    'ARGS are joined with spaces and passed to the skill unchanged.',
    'You are asked if no rule decides and you have not trusted the current content of the skill.',
    'Without a terminal, --yes has to answer the questions; otherwise nothing is printed and the exit code is 1.',
  ],
})
