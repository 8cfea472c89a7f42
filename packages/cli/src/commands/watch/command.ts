import { defineCommand } from '../../arguments/define-command.js'

export const command = defineCommand({
  group: 'agents',
  place: 6,
  text: 'Print each skill that is added, changed or removed, live',
  options: { '--json': 'Print JSON, one object a line' },
  details: [
    'It prints the number of skills, then a line for each skill that is added (+), removed (−) or changed (~), and for each problem that appears (!) or is solved (✓).',
    'Ctrl-C ends it with exit code 130.',
  ],
})
