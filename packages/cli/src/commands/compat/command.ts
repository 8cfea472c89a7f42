import { defineCommand } from '../../arguments/define-command.js'
import { agents, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 3,
  args: '[NAME…]',
  text: 'Compare agents: who finds a skill, and reads which fields',
  options: {
    ...agents,
    '--format <name>': 'sarif, github (annotations of a workflow) or markdown (a table for a pull request)',
    ...json,
  },
  details: [
    'For each agent: whether it finds a skill, tells its model of it and acts on each field, and what would change that.',
    'Without a NAME a table of all skills; with one, everything that is known of it.',
    'Nothing of a skill runs: the rules of each agent are applied to its file where it lies, and to the same file in a folder that the agent reads.',
    'Exits with 1 when an agent that --for or the configuration names loses a skill.',
  ],
})
