import { defineCommand } from '../../arguments/define-command.js'
import { queue, rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 3,
  text: 'Work on queued runs with the skills found here',
  options: {
    ...queue,
    '--concurrency <count>': 'Work on this many runs at the same time (default: 4)',
    '--model-limit <name=count>...':
      'Most runs of one model at the same time in all workers together: NAME=8; repeatable',
    '--tenant-limit <name=count>...':
      'Most runs of one tenant at the same time in all workers together: NAME=2, or *=2 for all others; repeatable',
    '--lock <seconds>': 'Give a run to another worker if its worker sent no sign of life for this time (default: 30)',
    '--drain <seconds>': 'When stopped, wait this long for running runs to end (default: 20)',
    '--health-port <port>': 'Answer GET /live and /ready on this port of 127.0.0.1; 0 for any free port',
    '--health-file <path>': 'Keep this file while the worker is ready, and write it again every 10 s',
    '--json': 'Print the log as JSON on standard output, one object a line',
    '--run-texts': 'Also work on runs whose skill is not installed here, with the skill text stored in the run',
    ...rules,
  },
  details: [
    'The worker runs until it is stopped.',
    'The worker needs a distribution with a runner, such as --distribution ./agent.mjs, and the packages bullmq and pg or ioredis.',
    'If no rule decides, the run waits for an answer: skills runs answer ID allow --queue URL.',
  ],
})
