// @ts-check

/** Matchers of tools. */
const tools = [
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'Bash',
  'bash',
  '""',
  '"*"',
  'Read',
  'Bash|Read',
  '"Bash, Read"',
  '"Ba.*|Write"',
  '".*"',
  '"^Bash$"',
  '"Ba"',
  '"B?sh"',
  '"["',
  '"Bash(echo *)"',
  '" Bash "',
  'Skill',
  '[Bash, Read]',
  '1',
  '"!Bash"',
  '"Re|Bas"',
  'null',
]
const events = [
  'PreToolUse',
  'PreToolUse',
  'PreToolUse',
  'PreToolUse',
  'PostToolUse',
  'PostToolUse',
  'PostToolUse',
  'PreToolUse',
  'PreToolUse',
  'PreToolUse',
  'PostToolUse',
  'PostToolUse',
  'Stop',
  'Stop',
  'UserPromptSubmit',
  'UserPromptSubmit',
  'SubagentStop',
  'SessionStart',
  'SessionEnd',
  'Notification',
  'preToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
]
const say = (/** @type {object} */ answer) => `echo hit >> hook.log; echo '${JSON.stringify(answer)}'`
const own = (/** @type {string} */ event, /** @type {object} */ answer) =>
  say({ hookSpecificOutput: { hookEventName: event, ...answer } })
/** Commands of a hook, made for its event. @type {readonly ((event: string) => string)[]} */
const commands = [
  () => 'echo hit >> hook.log',
  () => 'echo hit >> hook.log',
  () => 'echo hit >> hook.log; echo CTX',
  () => 'echo hit >> hook.log; echo WHY >&2; exit 2',
  () => 'echo hit >> hook.log; echo WHY >&2; exit 1',
  () => "echo hit >> hook.log; echo W''HY; exit 2",
  () => 'echo hit >> hook.log; echo WHY >&2; exit 3',
  () => 'echo hit >> hook.log; echo "{ CTX"',
  () => say({ decision: 'block', reason: 'WHY' }),
  () => say({ decision: 'approve', reason: 'WHY' }),
  () => `${say({ decision: 'block', reason: 'WHY' })}; exit 1`,
  event => `${own(event, { additionalContext: 'CTX' })}; exit 1`,
  () => say({ decision: 'block' }),
  () => say({ continue: false, stopReason: 'WHY' }),
  () => say({ systemMessage: 'CTX' }),
  () => say({ suppressOutput: true }),
  () => say({ other: 'CTX' }),
  event => own(event, { permissionDecision: 'deny', permissionDecisionReason: 'WHY' }),
  event => own(event, { permissionDecision: 'ask', permissionDecisionReason: 'WHY' }),
  event => own(event, { additionalContext: 'CTX' }),
  () => own('Other', { additionalContext: 'CTX' }),
  () => say({ hookSpecificOutput: { additionalContext: 'CTX' } }),
  () => 'grep -q tool_name && echo tool >> hook.log || echo none >> hook.log',
  () => 'cat > /dev/null; pwd | sed "s/.*project/project/" >> hook.log; echo "${CLAUDE_PROJECT_DIR##*/}" >> hook.log',
  () => 'grep -o \'"hook_event_name":"[A-Za-z]*"\' >> hook.log',
  () => 'grep -o \'"stop_hook_active":[a-z]*\' >> hook.log',
  () => 'grep -q "hit" hook.log || { echo hit >> hook.log; echo WHY >&2; exit 2; }',
]
const fields = ['', '', '', 'once: true', 'once: true', 'once: false', 'timeout: 20', 'once: "yes"', 'other: 1']

/**
 * Returns a hook as lines of frontmatter.
 * @param {import('../random.mjs').Random} random
 */
function hookOf(random) {
  const event = random.one(events)
  const command = JSON.stringify(random.one(commands)(event))
  const type = random.one([...Array.from({ length: 18 }, () => 'type: command'), 'type: prompt', ''])
  const hook = [type, `command: ${command}`, random.one(fields)].filter(Boolean).join(', ')
  const second = random.chance(15) ? `, { type: command, command: ${JSON.stringify(random.one(commands)(event))} }` : ''
  const hooks = random.chance(6) ? `{ ${hook} }` : `[{ ${hook} }${second}]`
  const isOfTool = /ToolUse|Permission/.test(event)
  const matcher = isOfTool ? !random.chance(10) : random.chance(15)
  const entry = `{ ${matcher ? `matcher: ${random.one(tools)}, ` : ''}hooks: ${hooks} }`
  return `hooks:\n  ${event}: ${random.chance(6) ? entry : `[${entry}]`}\n`
}

/**
 * Hooks of a skill's frontmatter: when they run, and what becomes of the calls of the model.
 * @type {import('../areas.mjs').Area}
 */
export const area = {
  narrower: [
    [
      ({ file }) => /permissionDecision\W+deny/.test(file) && !/PreToolUse: /.test(file),
      'What a hook forbids is forbidden, also at an event at which the program does not read it.',
    ],
    [
      ({ file }) => /once: true/.test(file) && !/matcher: Bash,/.test(file),
      'A hook that runs once runs once, also if its matcher is not the name of the tool.',
    ],
    [({ file }) => /PostToolUseFailure/.test(file), 'This event is not one of the engine.'],
    [({ file }) => /Stop: .*additionalContext/.test(file), 'At this event a hook adds no text for the model.'],
    [
      ({ file }) => /Stop: .*"(?:continue|decision)"/.test(file.replaceAll('\\', '')),
      'Why a hook ended the agent, or could keep it no longer, is told by the host and not with the next prompt.',
    ],
  ],
  batches: random =>
    Array.from({ length: 150 }, () => {
      const skill = `---\ndescription: H.\n${hookOf(random)}---\nHB\n`
      const use = (/** @type {string} */ name, /** @type {Readonly<Record<string, unknown>>} */ input) => [
        { type: 'tool_use', name, input },
      ]
      const bash = (/** @type {string} */ command) => use('Bash', { command, description: 'x' })
      const isTyped = random.chance(70)
      return {
        files: {
          'project/.claude/skills/h/SKILL.md': skill,
          'project/a.txt': 'A\n',
          'home/.claude/settings.json': JSON.stringify({ permissions: { allow: ['Skill(h)'] } }),
        },
        steps: [
          {
            prompt: isTyped ? '/h' : 'Begin',
            hooked: true,
            turns: [
              ...(isTyped ? [] : [use('Skill', { skill: 'h' })]),
              bash('echo B'),
              ...(random.chance(50) ? [use('Read', { file_path: '<ROOT>/project/a.txt' })] : []),
            ],
          },
          { prompt: 'Next', hooked: true, turns: [bash('echo C'), bash('cat hook.log')] },
        ],
      }
    }),
}
