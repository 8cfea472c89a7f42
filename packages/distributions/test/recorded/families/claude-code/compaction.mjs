// @ts-check

/** Lengths of bodies of skills: far from the limits, as a line of their folder comes before them. */
const lengths = [3, 30, 1000, 8000, 12_000, 16_000, 30_000]
/** Lengths of bodies of commands, at the limits. */
const exact = [5, 7900, 11_999, 12_000, 19_990, 19_999, 20_000, 20_001, 20_002, 20_003, 20_010, 40_000]
const letters = ['x', 'x', 'x', 'é', '技']
const given = ['', '', 'one', '"two words" x', '#45']

/**
 * Skills of which a conversation is told again after it was shortened. A case is one shortening: all skills before it, in
 * order, with the parts of their texts, and the names that are listed then. Steps before it are `silent`.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  batches(random) {
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = {
        'home/.claude/settings.json': JSON.stringify({ permissions: { allow: ['Skill', 'Read'] } }),
        'project/sub/a.txt': 'A\n',
        'project/plug/.claude-plugin/plugin.json': JSON.stringify({ name: 'plug' }),
      }
      /** @type {string[]} */
      const names = []
      const add = (
        /** @type {string} */ name,
        /** @type {string} */ file,
        length = random.one(lengths),
        fields = '',
      ) => {
        const letter = random.one(letters)
        const says = random.chance(30) ? '$ARGUMENTS' : 'B'
        files[file] =
          `---\ndescription: ${name}.\n${fields}---\n${says}${letter.repeat(Math.max(1, length - says.length - 1))}\n`
        names.push(name)
      }
      for (let at = 0; at < 4; at++) add(`s${at}`, `project/.claude/skills/s${at}/SKILL.md`)
      for (let at = 0; at < 4; at++) add(`c${at}`, `project/.claude/commands/c${at}.md`, random.one(exact))
      add('u', 'home/.claude/skills/u/SKILL.md')
      add('h', 'home/.claude/commands/h.md', random.one(exact))
      add('k:d', 'project/.claude/commands/k/d.md', random.one(exact))
      add('plug:p', 'project/plug/skills/p/SKILL.md')
      add('plug:c', 'project/plug/commands/c.md', random.one(exact))
      add('n', 'project/sub/.claude/skills/n/SKILL.md')
      add('f', 'project/.claude/skills/f/SKILL.md', 30, 'context: fork\n')
      add('m', 'project/.claude/skills/m/SKILL.md', 30, 'disable-model-invocation: true\n')
      add('i', 'project/.claude/skills/i/SKILL.md', 30, 'user-invocable: false\n')
      add('w', 'project/.claude/skills/w/SKILL.md', 30, 'paths: "*.txt"\n')
      const typed = (/** @type {string} */ name) => {
        const args = random.one(given)
        return { prompt: `/${name}${args === '' ? '' : ` ${args}`}`, silent: true }
      }
      const called = (/** @type {readonly string[]} */ skills) => ({
        prompt: 'Go on.',
        silent: true,
        turns: skills.map(skill => {
          const args = random.one(given)
          return [{ type: 'tool_use', name: 'Skill', input: { skill, ...(args !== '' && { args }) } }]
        }),
      })
      const touch = {
        prompt: 'Go on.',
        silent: true,
        turns: [[{ type: 'tool_use', name: 'Read', input: { file_path: '<ROOT>/project/sub/a.txt' } }]],
      }
      const steps = Array.from({ length: 4 }, () => {
        const invoked = Array.from({ length: 1 + random.number(7) }, () => {
          if (random.chance(10)) return touch
          if (random.chance(35)) return called(Array.from({ length: 1 + random.number(3) }, () => random.one(names)))
          return typed(random.one(names))
        })
        const shorten = { prompt: random.chance(20) ? '/compact Keep names.' : '/compact', silent: true }
        return [...invoked, shorten, { prompt: 'Go on.', restored: true }]
      }).flat()
      return {
        files,
        args: ['--plugin-dir', '<ROOT>/project/plug'],
        steps: [{ prompt: 'Hello', silent: true }, ...steps],
      }
    }
    return Array.from({ length: 40 }, batch)
  },
}
