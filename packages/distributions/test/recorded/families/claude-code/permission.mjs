// @ts-check

/** @param {string} answer */
const strictness = answer => (answer === '<denied>' ? 2 : answer === '<asks>' ? 1 : 0)

/** Contents of a rule about a skill, made from its name. @type {readonly ((name: string) => string)[]} */
const contents = [
  name => name,
  name => `${name}:*`,
  name => `${name} *`,
  name => `${name}*`,
  name => `${name} x`,
  name => `${name} x:*`,
  name => `${name} x *`,
  name => `${name} *y`,
  name => `${name}:x`,
  name => name.toUpperCase(),
  name => ` ${name} `,
  name => `/${name}`,
  name => `${name.slice(0, -1)}*`,
  name => `${name.slice(0, -1)}?`,
  name => `*${name.slice(1)}`,
  name => `${name.slice(0, 4)}*${name.slice(-1)}`,
  name => `(${name})`,
  name => `"${name}"`,
  name => `${name},other`,
  name => `${name}|other`,
  name => `[${name.slice(0, 1)}]${name.slice(1)}`,
  name => `project:${name}`,
  name => `${name}:`,
  name => `${name}:**`,
  name => `${name} :*`,
  name => `${name}\\*`,
]
/**
 * Rules around it. Those that are no rule at all are left out: one that forbids closes the whole tool here.
 * @type {readonly ((rule: string) => string)[]}
 */
const wholes = [
  rule => `Skill(${rule})`,
  rule => `Skill(${rule})`,
  rule => `Skill(${rule})`,
  rule => `Skill(skill:${rule})`,
  rule => `skill(${rule})`,
]
const args = ['', 'x', 'x y', 'y', ' x', 'xy', '*']

/**
 * Rules of the user's settings about skills: whether a model's call is made, asked about or refused.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  narrower: [
    [
      ({ theirs, ours }) => strictness(ours) > strictness(theirs),
      'A rule that forbids or asks counts in any letters, with white space around its name, for a qualified name, and beside one that allows.',
    ],
  ],
  batches(random) {
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = {}
      /** @type {Record<'allow' | 'deny' | 'ask', string[]>} */
      const rules = { allow: [], deny: [], ask: [] }
      const steps = Array.from({ length: 120 }, (_, at) => {
        const name = `n${`${at}`.padStart(3, '0')}q`
        const kind = random.one(/** @type {const} */ (['allow', 'allow', 'deny', 'deny', 'ask']))
        const content = random.one(contents)(name)
        rules[kind].push(random.one(wholes)(content))
        if (random.chance(15)) rules[random.one(/** @type {const} */ (['allow', 'deny', 'ask']))].push(`Skill(${name})`)
        const grants = random.chance(70) ? 'allowed-tools: Bash(touch:*)\n' : ''
        files[`project/.claude/skills/${name}/SKILL.md`] = `---\ndescription: D.\n${grants}---\nRan [$ARGUMENTS].\n`
        const given = random.one(args)
        const input = { skill: name, ...(given !== '' && { args: given }) }
        return { prompt: 'Go on.', turns: [[{ type: 'tool_use', name: 'Skill', input }]] }
      })
      files['home/.claude/settings.json'] = JSON.stringify({ permissions: rules })
      return { files, steps }
    }
    return [batch(), batch(), batch(), batch()]
  },
}
