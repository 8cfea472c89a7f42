import { defineCommand } from '../../arguments/define-command.js'

export const command = defineCommand({
  group: 'serve',
  place: 2,
  text: 'Serve a page of these skills for your browser',
  options: {
    '--port <number>': 'Listen on this port (default: a free one)',
    '--export <file>': 'Write the page as one file that opens from disk; start no server',
    '--dir <dir>': 'Folder where the host keeps its runs (default: in your state folder)',
    '--report <file>': 'Evaluation to show (default: evals/recordings/last-report.json)',
  },
  details: [
    'The page shows all layers of skills, the listing budget, agents, the audit, runs and an editor.',
    'The printed address works once, in one browser on this machine. Ctrl-C stops the server.',
    'No code of a skill runs, and the page contacts no other machine.',
    'Changes on disk appear on the page at once.',
  ],
})
