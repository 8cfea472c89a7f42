import { promptCommand, type CatalogEntry, type PromptCommand, type PromptCommandParts } from '@skills/core'

/** A skill of the user's that sets something which needs permission, and says nothing else. */
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

/** A command as it stands in a catalog. */
export function entryOf(command: PromptCommand, parts: Partial<CatalogEntry> = {}): CatalogEntry {
  return { name: command.name, command, provider: 'contract', override: 'on', isQualified: false, ...parts }
}

/** What stands for the conversation where a host's own tool is asked about. */
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
