import { defineCommand } from '../../arguments/define-command.js'
import { json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 8,
  args: '[PATH]',
  text: 'Trust a folder, so that its skills may run commands and hooks',
  options: {
    '--dry-run': 'Show what you would agree to; trust nothing',
    '--list': 'List the trusted folders; takes no PATH',
    '--revoke': 'Stop trusting the folder and the folders in it; exits with 1 if it was not trusted',
    '--yes': 'Trust the folder without asking',
    ...json,
  },
  details: [
    'PATH is the folder (default: the project you are in).',
    'Before you decide, you see everything that becomes active when you trust the folder.',
    'If any of this changes later, you are asked again about the change.',
    'Your decision is saved in your own state folder and applies only to you.',
  ],
})
