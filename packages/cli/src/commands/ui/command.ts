import { defineCommand } from '../../arguments/define-command.js'

export const command = defineCommand({
  group: 'serve',
  place: 2,
  text: 'Serve a page of these skills for your browser',
  options: {
    '--port <number>': 'The port to listen at; a free one unless given',
    '--export <file>': 'Write the page as one file that works from disk, and serve nothing',
    '--dir <dir>': 'Where the host keeps its runs, if not in your state folder',
    '--report <file>': 'The evaluation that is shown; evals/recordings/last-report.json unless given',
  },
  details: [
    'The page shows layers, budget, agents, audit, runs, and an editor.',
    'It prints an address of this machine that lets in one browser, once, and serves until Ctrl-C.',
    'Nothing of a skill runs, and the page asks nothing of any other machine.',
    'What changes on disk appears by itself.',
  ],
})
