// @ts-check

/** @param {string} answer */
const strictness = answer => (answer.startsWith('<denied>') ? 2 : answer.startsWith('<asks>') ? 1 : 0)

/** Patterns that are about a skill or come near it. @type {readonly ((name: string) => string)[]} */
const patterns = [
  name => name,
  name => name,
  name => `${name.slice(0, -1)}?`,
  name => `${name}?`,
  name => `${name}*`,
  name => `${name.slice(0, 4)}*`,
  name => `*${name.slice(2)}`,
  name => `${name.slice(0, 3)}*${name.slice(-1)}`,
  name => `${name} *`,
  name => `${name.replace('-', '.')}`,
  name => `${name.replace('-', ' ')}`,
  name => name.toUpperCase(),
  name => ` ${name}`,
  name => `/${name}`,
  name => `^${name}$`,
  name => `(${name}|x)`,
  name => `[${name.slice(0, 1)}]${name.slice(1)}`,
]

/** Whole settings. @type {readonly (readonly [user: object, project?: object])[]} */
const wholes = [
  [{ permission: 'deny' }],
  [{ permission: 'ask' }],
  [{ permission: 'allow' }, { permission: { skill: 'ask' } }],
  [{ permission: { '*': 'deny', skill: 'allow' } }],
  [{ permission: { skill: 'allow', '*': 'ask' } }],
  [{ permission: { 'sk*': { a: 'deny' }, '?kill': { b: 'ask' } } }],
  [{ permission: { skill: 'deny' } }, { permission: { skill: { a: 'allow' } } }],
  [{ permission: { skill: { a: 'deny', '*': 'ask' } } }, { permission: { skill: { a: 'allow', c: 'allow' } } }],
  [{ permission: { skill: { a: 'deny' } } }, { permission: { skill: 'ask' } }],
  [{ tools: { skill: false } }],
  [{ tools: { skill: false }, permission: { skill: { a: 'allow' } } }],
  [{ agent: { build: { tools: { skill: false } } } }],
  [{ permission: { skill: { a: 'deny' } }, agent: { build: { permission: { skill: { a: 'allow', b: 'ask' } } } } }],
  [{ agent: { plan: { permission: { skill: 'deny' } } } }],
  [{ mode: { build: { permission: { skill: { b: 'deny' } } } } }],
  [{ default_agent: 'own', agent: { own: { mode: 'primary', permission: { skill: { a: 'deny' } } } } }],
  [{}, { permission: { skill: { '*': 'deny', 'a*': 'allow' } } }],
  [{}, { agent: { build: { permission: { skill: { c: 'deny' } } } } }],
]

const skill = (/** @type {string} */ name) => `---\nname: ${name}\ndescription: D.\n---\nBody.\n`

/**
 * `permission` and `tools` of the settings of user and project, for all agents and for one: whether a model is told of a
 * skill, and whether its call is made, asked about or refused.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  narrower: [
    [
      ({ theirs, ours }) => strictness(ours) > strictness(theirs),
      'A rule that forbids or asks counts in any letters and with white space around a name, and no file of a project allows what one of the user forbids.',
    ],
  ],
  batches(random) {
    const behavior = () => random.one(['allow', 'allow', 'deny', 'deny', 'ask'])
    const many = () => {
      /** @type {Record<string, string>} */
      const files = {}
      /** @type {Record<'user' | 'agent' | 'project', Record<string, string>>} */
      const maps = {
        user: random.chance(50) ? { '*': random.one(['allow', 'ask', 'deny']) } : {},
        agent: {},
        project: {},
      }
      const calls = Array.from({ length: 30 }, (_, at) => {
        const name = `n${`${at}`.padStart(2, '0')}-ab${random.one(['x', 'y'])}`
        files[`project/.opencode/skills/${name}/SKILL.md`] = skill(name)
        for (let more = random.chance(90); more; more = random.chance(35))
          maps[random.one(/** @type {const} */ (['user', 'user', 'agent', 'project']))][random.one(patterns)(name)] =
            behavior()
        return name
      })
      files['home/.config/opencode/opencode.jsonc'] = JSON.stringify({
        permission: { skill: maps.user },
        agent: { build: { permission: { skill: maps.agent } } },
      })
      files['project/opencode.json'] = JSON.stringify({ permission: { skill: maps.project } })
      return { files, steps: [{ prompt: '', calls }] }
    }
    const few = (/** @type {readonly [object, object?]} */ [user, project = {}]) => ({
      files: {
        'home/.config/opencode/opencode.jsonc': JSON.stringify(user),
        'project/opencode.json': JSON.stringify(project),
        ...Object.fromEntries(['a', 'b', 'c'].map(name => [`project/.opencode/skills/${name}/SKILL.md`, skill(name)])),
      },
      steps: [{ prompt: '', calls: ['a', 'b', 'c'] }],
    })
    return [many(), many(), many(), many(), many(), ...wholes.map(few)]
  },
}
