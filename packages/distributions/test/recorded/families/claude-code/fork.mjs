// @ts-check

const agents = [
  '',
  '',
  '',
  '',
  'agent: general-purpose\n',
  'agent: Explore\n',
  'agent: mine\n',
  'agent: mine\n',
  'agent: bare\n',
  'agent: none\n',
  'agent: Mine\n',
  'agent: limited\n',
]
const models = ['', '', '', '', 'model: haiku\n', 'model: inherit\n', 'model: ""\n']
const tools = [
  '',
  '',
  'allowed-tools: Bash\n',
  'allowed-tools: Bash(touch:*)\n',
  'allowed-tools: Bash(touch *), Read\n',
  'allowed-tools: Read\n',
  'allowed-tools: "*"\n',
  'allowed-tools: []\n',
  'allowed-tools: bash\n',
  'disallowed-tools: Bash\n',
  'disallowed-tools: Read\n',
  'allowed-tools: Bash\ndisallowed-tools: Bash(touch:*)\n',
  'disallowed-tools: Bash(touch:*)\n',
]
const hooks = ['PreToolUse', 'PostToolUse', 'SubagentStop', 'Stop']
const contexts = [
  'fork',
  'fork',
  'fork',
  'fork',
  'fork',
  'fork',
  'fork',
  'Fork',
  '"fork"',
  'inline',
  ' fork ',
  '[fork]',
  'true',
]
const bodies = ['FB $ARGUMENTS', 'FB', 'FB $0 of $1', 'FB !`echo A`', 'FB\n\n', '  FB']
const args = ['', '', 'x', 'x y', '"x y" z']
const says = ['SUB', 'SUB', '', '  SUB \n', 'a\nb', '<b>&']

/** @param {string} answer */
const withoutTools = answer => answer.replace(/^(\S+) \S*/, '$1')

/**
 * Skills that run in a fork: what its model is told, what becomes of its calls, and what comes back. A model of the
 * conversation and of forks is told apart by how a request begins, so a conversation begins before the first fork.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  unlike: 1,
  narrower: [
    [
      ({ step: { fork } }) => fork?.at(-1)?.[0]?.text === '',
      'Whether a fork that says nothing is asked again is for its runner.',
    ],
    [
      ({ theirs, ours }) => withoutTools(theirs) === withoutTools(ours),
      'A tool that a skill forbids is not offered to its fork. The program offers it and refuses each call.',
    ],
  ],
  batches(random) {
    const batch = () => {
      /** @type {Record<string, string>} */
      const files = {
        'project/a.txt': 'A\n',
        'project/.claude/agents/mine.md': '---\nname: mine\ndescription: M.\nmodel: haiku\n---\nMINE\n',
        'project/.claude/agents/limited.md': '---\nname: limited\ndescription: L.\ntools: Read\n---\nLIMITED\n',
        'project/.claude/agents/bare.md': '---\ndescription: B.\n---\nBARE\n',
        'home/.claude/settings.json': JSON.stringify({ permissions: { allow: ['Skill'] } }),
      }
      const use = (/** @type {string} */ name, /** @type {Readonly<Record<string, unknown>>} */ input) => [
        { type: 'tool_use', name, input },
      ]
      const calls = [
        use('Bash', { command: 'echo B', description: 'x' }),
        use('Bash', { command: 'touch t.txt', description: 'x' }),
        use('Read', { file_path: '<ROOT>/project/a.txt' }),
        use('Bash', { command: 'touch t.txt && touch u.txt', description: 'x' }),
      ]
      const cases = Array.from({ length: 60 }, (_, at) => {
        const name = `f${at}`
        const fields = `${random.one(agents)}${random.one(models)}${random.one(tools)}`
        // A hook of a skill without a fork would stay for all cases after it.
        const hook = `hooks:\n  ${random.one(hooks)}: [{ hooks: [{ type: command, command: "echo WHY >&2; exit 2" }] }]\n`
        const isHooked = random.chance(20)
        const context = isHooked ? 'fork' : random.one(contexts)
        files[`project/.claude/skills/${name}/SKILL.md`] =
          `---\ndescription: F.\ncontext: ${context}\n${fields}${isHooked ? hook : ''}---\n${random.one(bodies)}\n`
        const given = random.one(args)
        const isTyped = random.chance(50)
        const input = { skill: name, ...(given !== '' && { args: given }) }
        return {
          prompt: isTyped ? `/${name}${given === '' ? '' : ` ${given}`}` : 'Go on.',
          hooked: true,
          turns: isTyped ? [] : [use('Skill', input)],
          fork: [
            ...Array.from({ length: random.number(3) }, () => random.one(calls)),
            [{ type: 'text', text: random.one(says) }],
          ],
        }
      })
      return { files, steps: [{ prompt: 'Hello', hooked: true }, ...cases] }
    }
    return [batch(), batch(), batch()]
  },
}
