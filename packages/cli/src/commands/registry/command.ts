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
    '--port <number>': 'Serve on this port (default: a free one)',
    '--host <address>': 'Serve on this address of the loopback (default: 127.0.0.1)',
    ...progress,
    ...json,
  },
  actions: {
    init: 'Make the registry',
    'add SOURCE…': 'Publish all skills of sources, which are as for skills add',
    'publish SOURCE': 'Publish the only skill of a source, or the one that --skill names',
    'search QUERY…': 'Show the skills that fit best',
    'show NAMESPACE/NAME': 'Show the versions of a skill, and what it can do',
    'yank NAMESPACE/NAME VERSION': 'Hide a version from everyone who does not name it',
    'tag NAMESPACE/NAME TAG VERSION': 'Make a tag lead to a version',
    gc: 'Remove yanked versions without a tag, and files that no version has',
    'export FOLDER': 'Write the skills as a static site, from which skills add installs',
    serve: 'Serve the registry over HTTP, until it is interrupted',
  },
  details: [
    'A VERSION is a label, a tag, or a digest, which may be shortened to 12 digits.',
    'add skips skills that have not changed. One that is refused stops no other, is named at the end, and makes the exit code 1.',
  ],
})
