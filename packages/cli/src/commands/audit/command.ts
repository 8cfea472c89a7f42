import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 5,
  args: '[NAME]',
  text: 'Say what skills can do: commands, hooks, tools, links, size',
  options: { '--level <level>': 'Exit with 1 when a finding reaches it: info, low, medium or high (default)', ...json },
  details: [
    'Without a NAME: every skill with its highest level, the highest first.',
    'With one: each finding, its place and what was found there.',
    'Nothing is run and no link is followed.',
  ],
})
