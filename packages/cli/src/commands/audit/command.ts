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
    'Without a NAME it lists every skill with its highest level, the highest first, also those of the repository that you are in.',
    'With a NAME it shows each finding with its place.',
    'Nothing is run and no link is followed.',
  ],
})
