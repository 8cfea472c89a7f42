import type { SkillListing } from '@modelcontextprotocol/client/ext/skills'
import type { ClientLibrary, SkillsLibrary } from './client-library.js'

/**
 * Separates the valid entries of a list of skills from invalid ones. The library checks entries only while it lists
 * them, and one invalid entry makes the whole list fail. The library therefore gets a client that sends nothing and has
 * all entries on one page.
 */
export function checkedSkills(
  entries: readonly unknown[],
  { Client }: ClientLibrary,
  { SkillsClient }: SkillsLibrary,
): Promise<SkillListing> {
  const client = Object.assign(new Client({ name: 'skills', version: '0.0.0' }), {
    getServerCapabilities: () => ({ extensions: { 'io.modelcontextprotocol/skills': {} } }),
    request: async () => ({ skills: [...entries] }),
  })
  return new SkillsClient(client, { skipInvalid: true }).list()
}
