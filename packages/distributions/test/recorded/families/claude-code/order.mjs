// @ts-check

const parts = ['a', 'b', 'B', 'c', 'Z', 'z', '_', '-', '.', '1', '2', '10', 'é', 'e', 'ä', '技', 'A', 'x', 'README']
const places = [
  ['home/.claude/skills/', '/SKILL.md'],
  ['project/.claude/skills/', '/SKILL.md'],
  ['project/sub/.claude/skills/', '/SKILL.md'],
  ['project/.claude/commands/', '.md'],
  ['home/.claude/commands/', '.md'],
  ['project/.claude/commands/', '/k.md'],
]

/**
 * Skills and commands of the user, the project and its folders: who owns a name, and the order of the listing.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  batches: random =>
    Array.from({ length: 12 }, () => {
      /** @type {Record<string, string>} */
      const files = {}
      for (let at = 0; at < 40; at++) {
        const [folder = '', end = ''] = random.one(places)
        const name = Array.from({ length: 1 + random.number(3) }, () => random.one(parts)).join('')
        files[`${folder}${name}${end}`] = `---\ndescription: ${folder.slice(0, 12)}.\n---\nBody.\n`
      }
      return { files, cwd: 'project/sub', steps: [{ prompt: 'Hello', order: true }] }
    }),
}
