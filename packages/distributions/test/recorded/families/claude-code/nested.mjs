// @ts-check

const folders = ['w', 'w', 'v', 'w/x', 'w/x/y', 'W', 'a b', 'é', 'a.b', 'u-v']
const names = ['s', 's', 't', 'u', 'S', 'a-b', 'é', 's.x']
const fields = [
  '',
  '',
  '',
  'user-invocable: false\n',
  'disable-model-invocation: true\n',
  'paths: "**/*.ts"\n',
  'paths: "w/**"\n',
  'name: other\n',
  'name: t\n',
  'when_to_use: Often.\n',
]

/** @param {string} name @param {Readonly<Record<string, unknown>>} input */
const call = (name, input) => [{ type: 'tool_use', name, input }]

/**
 * Skills and commands in folders below the working folder: when a model is told of them and how, and which names call
 * them.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  batches: random =>
    Array.from({ length: 30 }, () => {
      /** @type {Record<string, string>} */
      const files = {}
      // The program asks before it reads what is outside of the working folder.
      const cwd = random.chance(15) ? 'project/w' : 'project'
      const used = Array.from({ length: 2 + random.number(2) }, () => random.one(folders))
      const count = 3 + random.number(4)
      for (let at = 0; at < count; at++) {
        const name = random.one(names)
        const place = random.chance(25) ? random.one(['project', 'home', cwd]) : `${cwd}/${random.one(used)}`
        const isCommand = random.chance(10)
        const file = isCommand ? `commands/${name}.md` : `skills/${name}/SKILL.md`
        files[`${place}/.claude/${file}`] =
          `---\ndescription: In ${place}.\n${random.one(fields)}---\nBody in ${place}: $ARGUMENTS.\n`
      }
      for (const folder of used) for (const end of ['txt', 'ts']) files[`${cwd}/${folder}/a.${end}`] = 'x\n'
      const named = () => {
        const name = random.one(names)
        return random.chance(50) ? name : `${random.one(used)}${random.chance(10) ? '/' : ''}:${name}`
      }
      /** @type {import('../areas.mjs').Step[]} */
      const steps = [{ prompt: 'Hello', order: true }]
      for (let at = 0; at < 6; at++) {
        const kind = random.number(at < 2 ? 1 : 3)
        const prompt = `Step ${at}.`
        const [file, name] = [`<ROOT>/${cwd}/${random.one(used)}/a.${random.one(['txt', 'ts'])}`, named()]
        if (kind === 0) steps.push({ prompt, turns: [call('Read', { file_path: file })], news: true })
        if (kind === 1) steps.push({ prompt, turns: [call('Skill', { skill: name, args: `${at}` })], news: true })
        if (kind === 2) steps.push({ prompt: `/${name} ${at}`, news: true })
      }
      return { files, cwd, steps }
    }),
}
