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
    'For each agent it says whether the agent finds a skill, tells its model of it and obeys each field, and what would change that.',
    'Without a NAME it prints a table of all skills, with a NAME everything that is known about that skill.',
    "Nothing of a skill runs. Each agent's rules are applied to the file where it is, and to the same file in a folder that the agent reads.",
    'Exits with 1 if an agent named by --for or by the configuration loses a skill.',
  ],
})
