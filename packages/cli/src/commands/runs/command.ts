import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 4,
  args: '[list]',
  refuses: lookingFlags,
  text: 'List runs of skills, those that wait for a person first',
  options: {
    '--state <state>...': 'Only list runs in this state, such as waiting or failed; repeatable',
    '--limit <count>': 'Show at most this many',
    ...ofRuns,
  },
  details: [
    'A terminal shows 20 without --limit.',
    'An ID may be shortened to its first characters if no other run begins with them.',
    'Other commands: skills runs show, follow, answer, cancel, retry and prune.',
  ],
})
