// @ts-check

/** Values of `enabled`. @type {readonly string[]} */
const values = ['false', 'false', 'false', 'true']

/**
 * Entries of `skills.config` about a skill, made from its name and folder.
 * @type {readonly ((name: string, on: string) => string)[]}
 */
const entries = [
  (name, on) => `name = "${name}"\nenabled = ${on}`,
  (name, on) => `name = "${name}"\nenabled = ${on}`,
  (name, on) => `enabled = ${on}\nname = '${name}' # ours`,
  (name, on) => `name = " ${name}\\t"\nenabled = ${on}`,
  (name, on) => `name = "${name.toUpperCase()}"\nenabled = ${on}`,
  (name, on) => `name = "${name.slice(0, -1)}*"\nenabled = ${on}`,
  (name, on) => `name = "project:${name}"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/.agents/skills/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/.agents/skills/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/.agents/skills/${name}"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/.agents/skills/${name}/"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/.agents/skills/x/../${name}/./SKILL.md"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/.agents/skills/${name}/skill.md"\nenabled = ${on}`,
  (name, on) => `path = "<ROOT>/project/link/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `path = "../../project/.agents/skills/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `path = "~/../project/.agents/skills/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `path = ".agents/skills/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `name = "${name}"\npath = "<ROOT>/project/.agents/skills/${name}/SKILL.md"\nenabled = ${on}`,
  (name, on) => `name = "${name}"\nother = [1, { a = 2 }]\nenabled = ${on}`,
  (name, on) => `name = """\\\n  ${name}"""\nenabled = ${on}`,
]

/** Settings with which the program may not start. */
const wholes = [
  'name = "s0"',
  'name = "s0"\nenabled = "false"',
  'name = "s0"\nenabled = 0',
  'name = 3\nenabled = false',
  'path = ["x"]\nenabled = false',
  'enabled = false',
  'name = ""\nenabled = false',
  'path = ""\nenabled = false',
  'name = "s0"\nenabled = false\nenabled = true',
  'name = "s0\nenabled = false',
  'name = "s0"\nenabled = false\n[skills]\ninclude_instructions = true',
].map(entry => `[[skills.config]]\n${entry}\n`)
const others = [
  '[skills.config]\nname = "s0"\nenabled = false\n',
  'skills = 3\n',
  'skills.config = "s0"\n',
  'skills.config = []\n',
  'skills.config = [{ name = "s0", enabled = false }, { name = "s1", enabled = true }]\n',
  '[skills]\nconfig = [\n  { name = "s0", enabled = false }, # one\n]\n',
  '[skills]\nother = 1\n[[skills.config]]\n"name" = "s0"\n"enabled" = false\n',
  '\ufeff[[skills.config]]\r\nname = "s0"\r\nenabled = false\r\n',
  '[[skills.config]]\nname = "s0"\nenabled = false\n[other\n',
  'x = 1\nx = 2\n[[skills.config]]\nname = "s0"\nenabled = false\n',
  '',
  '# nothing\n',
]

const skill = (/** @type {string} */ name) => `---\nname: ${name}\ndescription: D.\n---\nBody.\n`

/**
 * Entries `[[skills.config]]` of the user's settings, by name and by path, one or several about a skill: which skills are
 * switched off.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  batches(random) {
    const many = () => {
      /** @type {Record<string, string | { link: string }>} */
      const files = { 'project/link': { link: '.agents/skills' } }
      /** @type {string[]} */
      const config = []
      const rows = Array.from({ length: 120 }, (_, at) => {
        const name = `s${at}`
        files[`project/.agents/skills/${name}/SKILL.md`] = skill(name)
        for (let more = true; more; more = random.chance(30))
          config.push(`[[skills.config]]\n${random.one(entries)(name, random.one(values))}\n`)
        return name
      })
      files['home/.codex/config.toml'] = config.join(random.one(['', '\n', '# next\n']))
      return { files, steps: [{ prompt: '', rows }] }
    }
    const few = (/** @type {string} */ text) => ({
      files: {
        'home/.codex/config.toml': text,
        'project/.agents/skills/s0/SKILL.md': skill('s0'),
        'home/.agents/skills/s1/SKILL.md': skill('s1'),
      },
      steps: [{ prompt: '', rows: ['s0', 's1'] }],
    })
    return [many(), many(), ...[...wholes, ...others].map(few)]
  },
}
