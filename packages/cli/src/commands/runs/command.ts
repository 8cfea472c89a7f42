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
    '--state <state>...': 'Only those in this state, such as waiting or failed; may be repeated',
    '--limit <count>': 'How many to show at most',
    ...ofRuns,
  },
  details: [
    'A terminal shows 20 unless --limit says otherwise.',
    'An ID may be shortened to a beginning that one run has.',
    'The other commands: skills runs show, follow, answer, cancel, retry and prune.',
  ],
})
