import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 10,
  refuses: lookingFlags,
  text: 'Remove runs that have ended',
  options: {
    '--older-than <age>': 'Only remove runs that ended at least this long ago, such as 12h or 30d (default: 7d)',
    '--state <state>...': 'Only remove runs in this state: done, failed or cancelled; repeatable',
    '--dry-run': 'Only say how many runs would be removed',
    ...ofRuns,
  },
  details: ['Runs that have not ended and runs that cannot be read are kept.'],
})
