import type { SkillListing } from '@modelcontextprotocol/client/ext/skills'
import type { ClientLibrary, SkillsLibrary } from './client-library.js'

/**
 * Tells the entries of a list that are skills from those that are none. The library checks entries only as it lists
 * them, and lists all pages or none: so it is given a client that sends nothing, and has them all on one page.
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
