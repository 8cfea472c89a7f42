import { defineCommand } from '../../arguments/define-command.js'
import { agents, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'agents',
  place: 3,
  args: '[NAME…]',
  text: 'Compare agents: who finds a skill, and reads which fields',
  options: {
    ...agents,
    '--format <name>': 'Print as sarif, github (annotations of a workflow) or markdown (a table for a pull request)',
    ...json,
  },
  details: [
    'For each agent you see whether it finds the skill, lists the skill for its model and obeys each field, and how to change that.',
    'Without a NAME you get a table of all skills; with a NAME, all results for that skill.',
    "No code of a skill runs. Each agent's rules are applied to the file where it is, and to the same file in a folder that the agent reads.",
    'Exits with 1 if an agent of --for or of the configuration does not find a skill or does not list it for its model.',
  ],
})
