import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 7,
  args: 'ID [QUESTION] ANSWER',
  refuses: lookingFlags,
  text: 'Answer what a run asks: allow or deny',
  options: { ...ofRuns },
  details: ['With QUESTION, the id of a question, it answers only if the run still asks that one.'],
})
