import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 10,
  refuses: lookingFlags,
  text: 'Remove runs that have ended',
  options: {
    '--older-than <age>': 'Only those that ended this long ago, as 12h or 30d; 7d unless given',
    '--state <state>...': 'Only those in this state: done, failed or cancelled; may be repeated',
    '--dry-run': 'Remove nothing, and say how many it would be',
    ...ofRuns,
  },
  details: ['What has not ended, and what cannot be read, stays.'],
})
