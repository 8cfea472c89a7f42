import { defineCommand } from '../../arguments/define-command.js'
import { contextWindow, json } from '../../arguments/shared-options.js'

export const command = defineCommand({
  group: 'daily',
  place: 2,
  args: 'NAME',
  text: 'Say where a skill comes from, or why it is not there',
  options: { ...contextWindow, ...json },
  details: [
    'Also says which skills it shadows, which skill shadows it, and what each agent of the configuration tells its model of it.',
    'Exits with 1 if the name is unknown.',
  ],
})
