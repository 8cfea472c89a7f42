import { defineCommand } from '../../arguments/define-command.js'
import { queue, rules } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 3,
  text: 'Work on the runs of a queue with these skills',
  options: {
    ...queue,
    '--concurrency <count>': 'Runs at one time; 4 unless given',
    '--model-limit <name=count>...': 'Runs at one time of a model, over all workers: NAME=8; may be repeated',
    '--tenant-limit <name=count>...':
      'Runs at one time of a tenant, over all workers: NAME=2, or *=2 for each other one',
    '--lock <seconds>': 'Seconds after which a run of a worker that is not heard of goes to another; 30 unless given',
    '--drain <seconds>': 'Seconds that runs have to end in once it is told to end; 20 unless given',
    '--run-texts': 'Works also on skills that are not here, with the text that their runs bring',
    ...rules,
  },
  details: [
    'Until it is told to end.',
    'It needs a distribution with a runner, as --distribution ./agent.mjs, and the packages bullmq and pg or ioredis.',
    'What no rule decides parks a run until it is answered: skills runs answer ID allow --queue URL.',
  ],
})
