import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, planned } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 3,
  args: 'SOURCE',
  refuses: lookingFlags,
  synonyms: ['install', 'i'],
  text: 'Install skills from git, npm, an archive, a site or a folder',
  options: {
    '--skill <name>...': 'Install this skill of the source, by name or path; repeatable',
    '--all': 'Install every skill of the source',
    '--list': 'Only list the skills of the source, with their descriptions and powers; install nothing',
    '--link': 'Link a local folder instead of copying it, so that later edits apply',
    '--agent <name>...':
      'Give this agent, such as codex, every installed skill, instead of the agents that are found here; repeatable',
    ...planned,
    ...json,
  },
  details: [
    'SOURCE is owner/repo[/path][#ref], owner/repo@skill, the URL of a page on GitHub or a similar site, a git URL, npm:name@range, a path or URL of a .zip, .skill or .tgz, a site with an index of skills, ./folder, or plugin:NAME@MARKETPLACE.',
    'Before you are asked, you see what the skills can do. None of their code runs.',
    'The skills go into .agents/skills; skills.json lists what you want, skills.lock.json what is installed.',
  ],
})
