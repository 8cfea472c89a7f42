import { promptCommand, type CatalogEntry, type PromptCommand, type PromptCommandParts } from '@skills/core'

/** Makes a user skill with a description and a field that needs permission (`model`). */
export function skillNamed(name: string, parts: Partial<PromptCommandParts> = {}): PromptCommand {
  return promptCommand({
    name,
    source: 'user',
    description: `Says what ${name} is for.`,
    model: 'large',
    load: () => ({ template: `Do what ${name} says.` }),
    ...parts,
  })
}

/** Makes the entry of a command in a catalog. */
export function entryOf(command: PromptCommand, parts: Partial<CatalogEntry> = {}): CatalogEntry {
  return { name: command.name, command, provider: 'contract', override: 'on', isQualified: false, ...parts }
}

/** Entry that stands for the conversation in a request for one of the host's own tools. */
export const ownEntry: CatalogEntry = {
  name: 'conversation',
  provider: 'host',
  override: 'on',
  isQualified: false,
  command: {
    type: 'local',
    name: 'conversation',
    displayName: 'conversation',
    aliases: [],
    description: '',
    hasUserSpecifiedDescription: false,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: false,
    isHidden: true,
    isEnabled: () => true,
    call: () => undefined,
  },
}
