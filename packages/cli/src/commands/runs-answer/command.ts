import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { ofRuns } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 7,
  args: 'ID [QUESTION] ANSWER',
  refuses: lookingFlags,
  text: 'Answer the question of a run: allow or deny',
  options: { ...ofRuns },
  details: [
    'QUESTION is the id of a question. With it, the answer counts only if the run is still asking that question.',
  ],
})
