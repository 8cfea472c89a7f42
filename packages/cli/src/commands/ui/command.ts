import { defineCommand } from '../../arguments/define-command.js'

export const command = defineCommand({
  group: 'serve',
  place: 2,
  text: 'Serve a page of these skills for your browser',
  options: {
    '--port <number>': 'Listen on this port (default: a free one)',
    '--export <file>': 'Write the page as one file that works from disk; serve nothing',
    '--dir <dir>': 'Folder where the host keeps its runs (default: in your state folder)',
    '--report <file>': 'Evaluation to show (default: evals/recordings/last-report.json)',
  },
  details: [
    'The page shows layers, budget, agents, audit, runs, and an editor.',
    'It prints an address on this machine that lets in one browser once, and serves until Ctrl-C.',
    'Nothing of a skill runs, and the page contacts no other machine.',
    'Changes on disk appear at once.',
  ],
})
