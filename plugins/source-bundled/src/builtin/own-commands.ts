import type { Command, LocalCommand, LocalUiCommand } from '@skills/core'

const shared = {
  aliases: [],
  hasUserSpecifiedDescription: true,
  source: 'builtin',
  loadedFrom: 'builtin',
  userInvocable: true,
  isHidden: false,
  isEnabled: () => true,
} as const

// Their implementations are loaded when they are invoked, because most programs only list them.

const help: LocalCommand = {
  ...shared,
  type: 'local',
  name: 'help',
  displayName: 'help',
  description: 'Lists the commands you can invoke, or tells about one.',
  argumentHint: '[name]',
  async call(args, ctx) {
    const [{ helpText }, catalog] = await Promise.all([import('./help-text.js'), ctx.catalog()])
    return { text: helpText(args, catalog) }
  },
}

const skills: LocalUiCommand = {
  ...shared,
  type: 'local-ui',
  name: 'skills',
  displayName: 'skills',
  description: 'Shows every skill, where it comes from and whether it is in use.',
  async call(_args, ctx) {
    const [{ skillsView }, catalog] = await Promise.all([import('./skills-view.js'), ctx.catalog()])
    await ctx.render(skillsView(catalog))
  },
}

/** Commands of the engine itself, by name. */
export const ownCommands: readonly Command[] = [help, skills]
