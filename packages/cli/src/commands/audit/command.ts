import { defineCommand } from '../../arguments/define-command.js'
import { allowEmpty, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 5,
  args: '[NAME]',
  text: 'Say what skills can do: commands, hooks, tools, links, size',
  options: {
    '--level <level>':
      'Exit with 1 if a finding has this level or a higher one: info, low, medium or high (default: high)',
    ...allowEmpty,
    ...json,
  },
  details: [
    'Without a NAME, each skill is listed with the level of its most serious finding, the most serious first. Skills of the repository that you are in are included.',
    'With a NAME, each finding is shown with its file and line.',
    'No code is run and no link is followed.',
  ],
})
