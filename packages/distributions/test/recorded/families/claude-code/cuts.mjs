// @ts-check

const letters = ['d', 'd', 'd', 'd', 'é', '技', '😀']
const fractions = [0.0005, 0.001, 0.002, 0.003, 0.005, 0.01, 0.015, 0.02, 0.04, 1, 0, 2, -1, '0.02']
const caps = [10, 50, 100, 200, 500, 1000, 1535, 1536, 2000, 0, -1, 50.5, '100']
/** Number of values at the beginning of both that are valid. */
const valid = 9
const budgets = [
  '200',
  '500',
  '1000',
  '3000',
  '5000',
  '7000',
  '9000',
  '12000',
  '20000',
  '1e4',
  '0x2000',
  ' 4000 ',
  '4k',
  '0',
  'many',
  '8000.9',
]
const settings = [
  'home/.claude/settings.json',
  'project/.claude/settings.json',
  'project/.claude/settings.local.json',
  'project/sub/.claude/settings.json',
  'project/sub/.claude/settings.local.json',
]
/** Places of skills and commands, the project's more often. @type {readonly (readonly [string, string])[]} */
const places = [
  ...Array.from({ length: 6 }, () => /** @type {const} */ (['project/.claude/skills/', '/SKILL.md'])),
  ['home/.claude/skills/', '/SKILL.md'],
  ['home/.claude/skills/', '/SKILL.md'],
  ['project/sub/.claude/skills/', '/SKILL.md'],
  ['project/.claude/commands/', '.md'],
  ['home/.claude/commands/', '.md'],
  ['project/plug/skills/', '/SKILL.md'],
]

/**
 * How the listing is cut when there is little room: skills of all places, budgets of the environment, of settings and of
 * windows, and lengths of descriptions. A case is a whole listing.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  unlike: 4,
  narrower: [[({ theirs }) => theirs.includes('\ufffd'), 'A description is never cut within a character.']],
  batches(random) {
    const textOf = (/** @type {number} */ most) => {
      const run = random.one(letters).repeat(1 + random.number(most))
      return random.chance(20) ? `${run} and ${random.one(['more', 'é', '<b>', 'a: b', '"q"'])}` : run
    }
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = { 'project/plug/.claude-plugin/plugin.json': JSON.stringify({ name: 'plug' }) }
      const most = random.one([20, 100, 300, 300, 800, 2000])
      const count = 1 + random.number(random.one([8, 25, 60]))
      /** @type {Record<string, string>} */
      const overrides = {}
      for (let at = 0; at < count; at++) {
        const [folder, end] = random.one(places)
        const names = ['a', 'm', 'z', 'long-name-of-a-skill-', folder.includes('plug') ? 'e' : 'É']
        const name = `${random.one(names)}${at}`
        const fields = [
          random.chance(95) ? `description: ${JSON.stringify(textOf(most))}\n` : '',
          random.chance(3) ? 'description: |\n  Several\n  lines\n\n  of text\n' : '',
          random.chance(25) ? `when_to_use: ${JSON.stringify(textOf(most))}\n` : '',
          random.chance(5) ? 'disable-model-invocation: true\n' : '',
          random.chance(5) ? 'name: Shown\n' : '',
        ]
        if (fields[1] !== '') fields[0] = ''
        if (random.chance(8)) overrides[name] = random.one(['name-only', 'off', 'user-invocable-only', 'on'])
        files[`${folder}${name}${end}`] = `---\n${fields.join('')}---\nBody of ${name}.\n`
      }
      for (const file of settings) {
        // A file with a value that is not valid says nothing at all.
        const [shares, longest] =
          file === settings[0] ? [fractions.slice(0, valid), caps.slice(0, valid)] : [fractions, caps]
        const said = {
          ...(random.chance(20) && { skillListingBudgetFraction: random.one(shares) }),
          ...(random.chance(15) && { skillListingMaxDescChars: random.one(longest) }),
          ...(file === settings[0] && Object.keys(overrides).length > 0 && { skillOverrides: overrides }),
        }
        if (Object.keys(said).length > 0) files[file] = JSON.stringify(said)
      }
      return {
        files,
        cwd: 'project/sub',
        // Of the models that are known to the program, this one has a window of 200,000 tokens, and its own of 1,000,000.
        args: ['--plugin-dir', '<ROOT>/project/plug', ...(random.chance(60) ? ['--model', 'claude-haiku-4-5'] : [])],
        env: {
          SLASH_COMMAND_TOOL_CHAR_BUDGET: random.chance(25) ? random.one(budgets) : '',
          ...(random.chance(60) && { CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: random.one(['1', 'true', '1', '0']) }),
        },
        steps: [{ prompt: 'Hello', cut: /** @type {const} */ (true) }],
      }
    }
    return Array.from({ length: 200 }, batch)
  },
}
