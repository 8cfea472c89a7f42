import { defineCommand } from '../../arguments/define-command.js'
import { lookingFlags } from '../../arguments/refuse-options.js'
import { json, progress } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'serve',
  place: 14,
  args: 'ACTION [ARG…]',
  refuses: lookingFlags,
  text: 'Keep very many skills in a registry, and search them',
  options: {
    '--registry <place>':
      'SQLite file or postgres:// URL of the registry (default: SKILLS_REGISTRY, else a file in your state folder)',
    '--namespace <name>': 'Namespace in which to publish, or of the skills to search or export',
    '--skill <name>...': 'Only this skill of the source, by name or path; repeatable',
    '--label <version>': 'Label of the published version, such as 1.2.0',
    '--undo': 'Take a yank back',
    '--limit <count>': 'Show at most this many',
    '--keep <count>': 'Keep only this many versions of a skill, and those with a tag',
    ...progress,
    ...json,
  },
  details: [
    'skills registry init: make the registry.',
    'skills registry add SOURCE…: publish all skills of sources, which are as for skills add. Skills that have not changed are skipped. One that is refused stops no other, is named at the end, and makes the exit code 1.',
    'skills registry publish SOURCE: publish the only skill of a source, or the one that --skill names, with a --label.',
    'skills registry search QUERY…: the skills that fit best.',
    'skills registry show NAMESPACE/NAME: the versions of a skill, and what it can do.',
    'skills registry yank NAMESPACE/NAME VERSION: hide a version from everyone who does not name it.',
    'skills registry tag NAMESPACE/NAME TAG VERSION: make a tag lead to a version.',
    'skills registry gc: remove yanked versions without a tag, and files that no version has.',
    'skills registry export FOLDER: write the skills as a static site, from which skills add installs.',
    'A VERSION is a label, a tag, or a digest, which may be shortened to 12 digits.',
  ],
})
