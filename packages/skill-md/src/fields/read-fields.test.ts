import { describe, expect, test } from 'vitest'
import { loadParser } from '../parse/parser.js'
import type { FieldOptions } from './field-types.js'
import { readFields } from './read-fields.js'

const parser = await loadParser()

function read(block: string, options?: FieldOptions) {
  const parsed = parser.parse(Buffer.from(`---\n${block}\n---\n`))
  if (!('ok' in parsed) || !parsed.ok) throw new Error(JSON.stringify(parsed))
  return readFields(parsed.data, options)
}

/** Returns the fields of a block, which must have no problems. */
function fieldsOf(block: string, options?: FieldOptions) {
  const { fields, problems } = read(block, options)
  expect(problems).toEqual([])
  return fields
}

function problemsOf(block: string, options?: FieldOptions) {
  return read(block, options).problems.map(({ severity, code, field }) => `${severity} ${code} ${field}`)
}

describe('every field', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['name', 'name: deploy', { name: 'deploy' }],
    ['description', 'description: |\n  Deploys.\n  Twice.', { description: 'Deploys.\nTwice.' }],
    ['when_to_use', 'when_to_use: asked', { whenToUse: 'asked' }],
    ['when-to-use', 'when-to-use: asked', { whenToUse: 'asked' }],
    ['whenToUse', 'whenToUse: asked', { whenToUse: 'asked' }],
    ['allowed-tools', 'allowed-tools: Read, Grep', { allowedTools: ['Read', 'Grep'] }],
    ['allowed_tools', 'allowed_tools: Read Grep', { allowedTools: ['Read', 'Grep'] }],
    ['tools', 'tools: [Read, Grep]', { allowedTools: ['Read', 'Grep'] }],
    ['disallowed-tools', 'disallowed-tools:\n- Write', { disallowedTools: ['Write'] }],
    ['model', 'model: opus', { model: 'opus' }],
    ['model: inherit', 'model: inherit', {}],
    ['effort as a word', 'effort: xhigh', { effort: 'xhigh' }],
    ['effort as a number', 'effort: 3', { effort: 3 }],
    ['context: fork', 'context: fork', { context: 'fork' }],
    ['context: inline', 'context: inline', { context: 'inline' }],
    ['context: main', 'context: main', { context: 'inline' }],
    ['agent', 'agent: Explore', { agent: 'Explore' }],
    ['background', 'background: yes', { background: true }],
    ['argument-hint as text', 'argument-hint: "[a] [b]"', { argumentHint: '[a] [b]' }],
    ['argument-hint as a list', 'argument-hint: [file, line]', { argumentHint: 'file line' }],
    ['arguments as text', 'arguments: file line', { argumentNames: ['file', 'line'] }],
    ['arguments as a list', 'arguments: [file, line]', { argumentNames: ['file', 'line'] }],
    [
      'arguments as a list of descriptions',
      'arguments:\n- name: file\n  description: which\n- line',
      { argumentNames: ['file', 'line'] },
    ],
    ['user-invocable', 'user-invocable: false', { userInvocable: false }],
    ['disable-model-invocation', 'disable-model-invocation: true', { disableModelInvocation: true }],
    ['paths as text', 'paths: "src/**, test/{a,b}.ts"', { paths: ['src/**', 'test/{a,b}.ts'] }],
    ['paths as a list', 'paths:\n- src/**\n- "*.md"', { paths: ['src/**', '*.md'] }],
    ['paths as a list in brackets', 'paths: ["src/{a,b}/**", lib]', { paths: ['src/{a,b}/**', 'lib'] }],
    ['paths with a comma in an entry of its own', 'paths:\n- "a,b.ts"\n- c', { paths: ['a,b.ts', 'c'] }],
    ['paths in brackets that YAML split inside braces', 'paths: [src/*.{a,b}, c]', { paths: ['src/*.{a,b}', 'c'] }],
    ['paths that begin and end with a class', 'paths: "[ab].ts, [cd]"', { paths: ['[ab].ts', '[cd]'] }],
    ['paths: ** alone', 'paths: "**"', {}],
    ['paths: ** among others', 'paths: "**, src"', { paths: ['**', 'src'] }],
    ['hooks', 'hooks:\n  PreToolUse:\n  - matcher: Bash', { hooks: { PreToolUse: [{ matcher: 'Bash' }] } }],
    ['shell', 'shell: powershell', { shell: 'powershell' }],
    ['on-shell-error', 'on-shell-error: skip', { onShellError: 'skip' }],
    ['restore', 'restore: false', { restore: false }],
    ['requires', 'requires: [a, b:c]', { requires: ['a', 'b:c'] }],
    ['aliases', 'aliases: a b', { aliases: ['a', 'b'] }],
    ['version', 'version: 1.10', { version: '1.10' }],
    ['license', 'license: MIT', { license: 'MIT' }],
    ['compatibility', 'compatibility: Python 3.8+', { compatibility: 'Python 3.8+' }],
    ['metadata', 'metadata:\n  author: x\n  version: 1.0.0', { metadata: { author: 'x', version: '1.0.0' } }],
    ['a numeric name', 'name: 0123', { name: '0123' }],
    ['a name that looks like a boolean', 'name: true', { name: 'true' }],
  ])('%s', (_, block, fields) => {
    expect(fieldsOf(block)).toEqual(fields)
  })

  test('nothing, null and blank text set nothing', () => {
    expect(
      fieldsOf(
        'name:\ndescription: null\nmodel: ~\nversion: ""\nuser-invocable:\neffort: " "\nallowed-tools: ""\npaths: ","\nmetadata:\narguments: []',
      ),
    ).toEqual({})
  })

  test('data that did not come from YAML may hold numbers and booleans', () => {
    expect(readFields({ name: 7, 'user-invocable': false, effort: 2, 'disable-model-invocation': 1 }).fields).toEqual({
      name: '7',
      userInvocable: false,
      effort: 2,
      disableModelInvocation: true,
    })
  })

  test('words are read in any case', () => {
    expect(fieldsOf('effort: High\ncontext: FORK\nshell: Bash\non-shell-error: Abort\nmodel: Inherit')).toEqual({
      effort: 'high',
      context: 'fork',
      shell: 'bash',
      onShellError: 'abort',
    })
  })
})

describe('boolean-like', () => {
  test.each([
    ['true', true],
    ['True', true],
    ['yes', true],
    ['YES', true],
    ['on', true],
    ['1', true],
    ['"true"', true],
    ['false', false],
    ['FALSE', false],
    ['no', false],
    ['No', false],
    ['off', false],
    ['0', false],
    ["' false '", false],
  ])('%s', (text, value) => {
    expect(fieldsOf(`user-invocable: ${text}`)).toEqual({ userInvocable: value })
  })

  test.each([['maybe'], ['y'], ['2'], ['[true]'], ['{a: b}'], ['truee']])(
    '%s is an error that names field, value and what is accepted',
    text => {
      const { fields, problems } = read(`disable-model-invocation: ${text}`)
      expect(fields).toEqual({})
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatchObject({
        severity: 'error',
        code: 'invalid-boolean',
        field: 'disable-model-invocation',
        keyPath: ['disable-model-invocation'],
      })
      expect(problems[0]!.message).toMatch(/^`disable-model-invocation` .* (".+"|a list|a map)\.$/)
    },
  )

  test('only `true` is true where a distribution says so', () => {
    expect(fieldsOf('disable-model-invocation: yes\nuser-invocable: true', { booleans: 'only-true' })).toEqual({
      disableModelInvocation: false,
      userInvocable: true,
    })
  })

  test('only `false` is false where a distribution says so', () => {
    expect(fieldsOf('user-invocable: no', { booleans: 'only-false' })).toEqual({ userInvocable: true })
    expect(fieldsOf('user-invocable: false', { booleans: 'only-false' })).toEqual({ userInvocable: false })
  })
})

describe('disabling the model, in the words of another tool', () => {
  test.each([
    ['as a map', 'metadata:\n  opencode:\n    autoinvoke: false'],
    ['as one key', 'metadata:\n  opencode/autoinvoke: false'],
    ['against the field', 'metadata:\n  opencode/autoinvoke: no\ndisable-model-invocation: false'],
    ['against the field before it', 'disable-model-invocation: false\nmetadata:\n  opencode/autoinvoke: off'],
  ])('%s', (_, block) => {
    expect(fieldsOf(block).disableModelInvocation).toBe(true)
  })

  test('anything but false says nothing', () => {
    expect(fieldsOf('metadata:\n  opencode/autoinvoke: true').disableModelInvocation).toBeUndefined()
    expect(fieldsOf('metadata:\n  opencode: x').disableModelInvocation).toBeUndefined()
  })
})

describe('metadata', () => {
  test('has all other keys, as written, with the entries of the map', () => {
    expect(fieldsOf('triggers: [a]\nmetadata:\n  author: x\ntags:\n- b\nauthor-url: ~').metadata).toEqual({
      triggers: ['a'],
      tags: ['b'],
      'author-url': null,
      author: 'x',
    })
  })

  test('loses nothing where both have a key', () => {
    expect(fieldsOf('author: top\nmetadata:\n  author: inner\n  team: t').metadata).toEqual({
      author: 'top',
      team: 't',
      metadata: { author: 'inner', team: 't' },
    })
  })

  test('is kept when it is no map, with a warning', () => {
    expect(read('metadata: some text\nauthor: x')).toMatchObject({
      fields: { metadata: { metadata: 'some text', author: 'x' } },
      problems: [{ severity: 'warning', code: 'invalid-map' }],
    })
  })

  test('takes what is no text where text is expected for show', () => {
    expect(read('license:\n  spdx: MIT\n  url: x')).toMatchObject({
      fields: { metadata: { license: { spdx: 'MIT', url: 'x' } } },
      problems: [{ severity: 'warning', code: 'invalid-text', field: 'license' }],
    })
    expect(fieldsOf('compatibility: [a, b]')).toEqual({ compatibility: 'a, b' })
  })
})

describe('values of the wrong shape', () => {
  test.each([
    ['name: [a, b]', 'error invalid-text name'],
    ['description: {a: b, c: d}', 'error invalid-text description'],
    ['allowed-tools: {Read: true, Write: false}', 'error invalid-list allowed-tools'],
    ['allowed-tools:\n- Read\n- [a]', 'error invalid-list allowed-tools'],
    ['paths: {a: b}', 'error invalid-list paths'],
    ['arguments: {a: b}', 'error invalid-list arguments'],
    ['requires:\n- [a]', 'error invalid-list requires'],
    ['hooks: text', 'warning invalid-map hooks'],
    ['shell: zsh', 'error invalid-choice shell'],
    ['on-shell-error: explode', 'error invalid-choice on-shell-error'],
    ['effort: extreme', 'warning unknown-choice effort'],
    ['effort: 0', 'warning unknown-choice effort'],
    ['effort: -1', 'warning unknown-choice effort'],
    ['effort: 1.5', 'warning unknown-choice effort'],
    ['context: inherit', 'warning unknown-choice context'],
    ['description:\n  Use when: asked', 'warning pair-read-as-text description'],
    ['name: a\ntools: Read\nallowed-tools: Grep', 'warning field-given-twice allowed-tools'],
  ])('%s', (block, problem) => {
    expect(problemsOf(block)).toEqual([problem])
  })

  test('an entry that is no text is told by its number', () => {
    expect(read('allowed-tools:\n- Read\n- [a]').problems[0]).toMatchObject({
      keyPath: ['allowed-tools', 1],
      message: expect.stringMatching(/ 2 of `allowed-tools` .* list\.$/),
    })
  })

  test('the documented name wins over another spelling, whichever is first', () => {
    expect(read('tools: Read\nallowed-tools: Grep').fields.allowedTools).toEqual(['Grep'])
    expect(read('allowed-tools: Grep\ntools: Read').fields.allowedTools).toEqual(['Grep'])
  })

  test('a text that YAML takes for a pair is read as the text it is', () => {
    expect(read('description:\n  Use when: asked to').fields.description).toBe('Use when: asked to')
  })

  test('a long value is cut in the message', () => {
    expect(read(`background: ${'x'.repeat(200)}`).problems[0]!.message.length).toBeLessThan(200)
  })
})

describe('allowed-tools', () => {
  test.each<[string, string, string[]]>([
    ['commas', 'Read, Grep,Glob', ['Read', 'Grep', 'Glob']],
    ['spaces', 'Bash(jq:*) Bash(git:*)', ['Bash(jq:*)', 'Bash(git:*)']],
    ['nothing splits inside brackets', 'Bash(git add:*, git status) Read', ['Bash(git add:*, git status)', 'Read']],
    [
      'spaces inside brackets',
      'Bash(git add *) Bash(git commit *) Read',
      ['Bash(git add *)', 'Bash(git commit *)', 'Read'],
    ],
    ['JSON as text', `'["Read", "Bash(git add:*, git status)"]'`, ['Read', 'Bash(git add:*, git status)']],
    ['brackets that are no JSON', `'[Read, Bash(git:*)]'`, ['Read', 'Bash(git:*)']],
    ['a list', '\n  - Read\n  - Bash(git:*)', ['Read', 'Bash(git:*)']],
    ['a list with blanks, nulls and spaces', '\n  - "  Read  "\n  -\n  - "  "\n  - Write', ['Read', 'Write']],
    [
      'a list in brackets that YAML split inside round ones',
      '[Bash(git add:*, git status), Read]',
      ['Bash(git add:*, git status)', 'Read'],
    ],
    ['a list in brackets that never close', '["Bash(git", Read]', ['Bash(git', 'Read']],
    ['an entry that YAML takes for a pair', '\n  - Bash(git: *)\n  - Read', ['Bash(git: *)', 'Read']],
    ['nothing at all', '[]', []],
    ['a number', '42', ['42']],
  ])('%s', (_, text, tools) => {
    expect(fieldsOf(`allowed-tools: ${text}`).allowedTools).toEqual(tools)
  })

  test('commas alone separate where a distribution says so', () => {
    expect(fieldsOf('allowed-tools: Read Grep, Bash(a, b)', { toolSeparator: 'comma' }).allowedTools).toEqual([
      'Read Grep',
      'Bash(a, b)',
    ])
  })

  test('brackets around what is no JSON are part of the tools where a distribution says so', () => {
    const tools = (text: string) => fieldsOf(`allowed-tools: '${text}'`, { toolSeparator: 'bare-comma' }).allowedTools
    expect(tools('[Bash(git add:*), Read Me]')).toEqual(['[Bash(git add:*)', 'Read Me]'])
    expect(tools('["Bash(git add:*)", "Read Me"]')).toEqual(['Bash(git add:*)', 'Read Me'])
    expect(tools('Bash(a, b), Read Me')).toEqual(['Bash(a, b)', 'Read Me'])
  })
})

describe('limits', () => {
  test.each([
    ['name', 64, 'name-too-long'],
    ['description', 1024, 'description-too-long'],
    ['when_to_use', 1024, 'when-to-use-too-long'],
    ['argument-hint', 256, 'argument-hint-too-long'],
  ])('%s: %i characters', (field, limit, code) => {
    expect(problemsOf(`${field}: ${'😀'.repeat(limit)}`)).toEqual([])
    const { fields, problems } = read(`${field}: ${'😀'.repeat(limit + 1)}`)
    expect(Object.values(fields)).toEqual(['😀'.repeat(limit + 1)])
    expect(problems).toMatchObject([{ severity: 'warning', code, field, length: limit + 1 }])
  })

  test('are options, and errors where a distribution says so', () => {
    expect(problemsOf('name: abcdef', { limits: { name: 5 }, limitSeverity: 'error' })).toEqual([
      'error name-too-long name',
    ])
    expect(problemsOf('name: abcdef', { limits: { name: 6 } })).toEqual([])
  })

  test('count bytes of UTF-8 where a distribution says so', () => {
    expect(read('name: éé', { limits: { name: 3 }, lengthIn: 'bytes' }).problems).toMatchObject([{ length: 4 }])
    expect(read('name: éé', { limits: { name: 3 } }).problems).toEqual([])
  })
})

describe('misspelt keys', () => {
  test.each([
    ['user-invokable', 'user-invocable'],
    ['user_invocable', 'user-invocable'],
    ['userInvocable', 'user-invocable'],
    ['user-invocble', 'user-invocable'],
    ['disableModelInvocation', 'disable-model-invocation'],
    ['disable_model_invocation', 'disable-model-invocation'],
    ['disable-model-invokation', 'disable-model-invocation'],
    ['disable-modle-invocation', 'disable-model-invocation'],
    ['allowedTools', 'allowed-tools'],
    ['alowed-tools', 'allowed-tools'],
    ['allowed-tool', 'allowed-tools'],
    ['disallowed_tools', 'disallowed-tools'],
    ['Description', 'description'],
    ['descripton', 'description'],
    ['Name', 'name'],
    ['argumentHint', 'argument-hint'],
    ['argument_hint', 'argument-hint'],
    ['licence', 'license'],
    ['compatability', 'compatibility'],
    ['When_To_Use', 'when_to_use'],
    ['onShellError', 'on-shell-error'],
    ['backgroud', 'background'],
    ['argumets', 'arguments'],
  ])('%s is not %s', (key, field) => {
    const { fields, problems } = read(`${key}: true`)
    expect(problems).toMatchObject([
      {
        severity: 'warning',
        code: 'misspelt-field',
        field: key,
        hint: `If you mean \`${field}\`, write \`${field}\`. As \`${key}\`, the field has no effect.`,
      },
    ])
    expect(fields).toEqual({ metadata: { [key]: 'true' } })
  })

  test.each([
    'tags',
    'author',
    'authors',
    'triggers',
    'category',
    'origin',
    'complexity',
    'skills',
    'targets',
    'globs',
    'keywords',
    'homepage',
    'usage',
    'examples',
    'command',
    'commands',
    'subtask',
    'shortcut',
    'persuasion-type',
    'repo',
    'title',
    'type',
    'path',
    'hook',
    'tool',
    'args',
    'input',
    'inputs',
    'date',
    'status',
    'mode',
    'models',
    'temperature',
    'tool_access',
    'path_patterns',
    'invocation_hooks',
    'estimated_time',
    'difficulty',
    'hide-from-slash-command-tool',
    'priority',
    'scope',
    'summary',
    'contents',
    'content',
    'level',
    'names',
    'version2',
    'display-name',
    'short-description',
    'contextual',
    'mcp',
    'user',
    'memory',
    'color',
    'icon',
    'agents',
    'require',
  ])('%s is an ordinary key', key => {
    expect(problemsOf(`${key}: x`)).toEqual([])
  })
})

test('a distribution may honour some fields alone; the others are kept', () => {
  expect(fieldsOf('name: x\nmodel: opus\neffort: nonsense', { only: ['name'] })).toEqual({
    name: 'x',
    metadata: { model: 'opus', effort: 'nonsense' },
  })
})

test('keys that reach a prototype are dropped from data of any origin', () => {
  const data = JSON.parse(
    '{"__proto__": {"polluted": true}, "constructor": 1, "metadata": {"__proto__": {"polluted": true}, "a": 1}, "b": 2}',
  ) as Record<string, unknown>
  const { metadata } = readFields(data).fields
  expect(metadata).toEqual({ a: 1, b: 2 })
  expect('polluted' in metadata!).toBe(false)
})

describe('as another program reads fields', () => {
  test.each<[string, readonly string[] | undefined]>([
    ['arguments: first, second', ['first,', 'second']],
    ['arguments: ["0", "7up", {name: x}, y, [z]]', ['7up', 'y']],
    ['arguments: 7 8', []],
  ])('names of arguments have white space between them: %s', (block, names) => {
    expect(fieldsOf(block, { argumentNames: 'spaced' }).argumentNames).toEqual(names)
  })

  test('a list or a map is no text, and lost only where it grants nothing', () => {
    const options = { wrongTexts: 'ignored' } as const
    expect(problemsOf('description: [a, b]\nname: x', options)).toEqual(['warning invalid-text description'])
    expect(read('description: [a, b]\nname: x', options).fields).toEqual({ name: 'x' })
    expect(problemsOf('model: [a, b]', options)).toEqual(['error invalid-text model'])
    expect(problemsOf('description: [a, b]')).toEqual(['error invalid-text description'])
  })

  test('a context counts in its own letters', () => {
    expect(fieldsOf('context: Fork').context).toBe('fork')
    expect(problemsOf('context: Fork', { exactContext: true })).toEqual(['warning unknown-choice context'])
    expect(fieldsOf('context: fork\nshell: Bash', { exactContext: true })).toEqual({ context: 'fork', shell: 'bash' })
  })

  test('white space at the ends of a description is kept', () => {
    const options = { keepsSpace: true }
    expect(fieldsOf('description: " a "')).toEqual({ description: 'a' })
    expect(fieldsOf('description: " a "', options)).toEqual({ description: ' a ' })
    expect(fieldsOf('description: " "')).toEqual({})
    expect(fieldsOf('description: " "', options)).toEqual({ description: ' ' })
    expect(fieldsOf('description: ""', options)).toEqual({})
  })

  test('a flag without a value says no', () => {
    expect(fieldsOf('user-invocable:\nbackground: ~', { booleans: 'else-false' })).toEqual({
      userInvocable: false,
      background: false,
    })
    expect(fieldsOf('user-invocable:')).toEqual({})
  })
})
