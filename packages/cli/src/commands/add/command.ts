import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, planned } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'install',
  place: 1,
  args: 'SOURCE',
  refuses: lookingFlags,
  synonyms: ['install'],
  text: 'Install skills from git, npm, an archive, a site or a folder',
  options: {
    '--skill <name>...': 'This one of the source, by its name or its path; may be repeated',
    '--all': 'Every skill of the source',
    '--link': 'Link a local folder, which is then used as it is at any time',
    '--agent <name>...': 'Also for this agent, as codex or claude-code, from now on; may be repeated',
    ...planned,
    ...json,
  },
  details: [
    'SOURCE is owner/repo[/path][#ref], a git URL, npm:name@range, a path or URL of a .zip, .skill or .tgz, a site with an index of skills, ./folder, or plugin:NAME@MARKETPLACE.',
    'You see what the skills can do before you are asked; nothing of them runs.',
    'They go into .agents/skills, what is wanted into skills.json, what is there into skills.lock.json.',
  ],
})
