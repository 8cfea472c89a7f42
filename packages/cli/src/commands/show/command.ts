import { defineCommand } from '../../arguments/define-command.js'
import { contextWindow, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'skills',
  place: 2,
  args: 'NAME',
  synonyms: ['info'],
  text: 'Show what a skill says: its fields, its files, its body',
  options: { '--deps': 'Also show the skills it requires, and what those require', ...contextWindow, ...json },
  details: [
    'Exits with 1 if no skill has the name, if the skill did not load, or if --deps finds a cycle.',
    'Control characters of a body are shown as numbers; --json has the body unchanged.',
  ],
})
