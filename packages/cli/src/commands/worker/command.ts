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
      'Work on at most this many runs of a model at the same time, over all workers: NAME=8; repeatable',
    '--tenant-limit <name=count>...':
      'Work on at most this many runs of a tenant at once, in all workers: NAME=2, or *=2 (others); repeatable',
    '--lock <seconds>': 'Give a run to another worker after this time without a sign of the first (default: 30)',
    '--drain <seconds>': 'Let runs end for this long after a stop (default: 20)',
    '--run-texts': 'Also work on runs of skills that are not installed here, with the text stored in the run',
    ...rules,
  },
  details: [
    'It works until it is stopped.',
    'It needs a distribution with a runner, such as --distribution ./agent.mjs, and the packages bullmq and pg or ioredis.',
    'If no rule decides, the run waits for an answer: skills runs answer ID allow --queue URL.',
  ],
})
