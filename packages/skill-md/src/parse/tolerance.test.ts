import { describe, expect, test } from 'vitest'
import { loadParser } from './parser.js'
import type { ParsedFrontmatter, ParseFailure } from '../types.js'

const parser = await loadParser()

function parse(text: string | Uint8Array): ParsedFrontmatter | ParseFailure {
  const parsed = parser.parse(typeof text === 'string' ? Buffer.from(text) : text)
  if ('needMore' in parsed) throw new Error('a whole file never needs more')
  return parsed
}

function read(text: string): ParsedFrontmatter {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics))
  return parsed
}

/** Reads a block, and formats each diagnostic as `line:column code`. */
function readBlock(block: string) {
  const { data, diagnostics } = read(`---\n${block}\n---\nBody\n`)
  return { data, found: diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`) }
}

function errorOf(text: string | Uint8Array) {
  const parsed = parse(text)
  if (parsed.ok) throw new Error(`accepted as ${JSON.stringify(parsed.data)}`)
  expect(parsed.diagnostics).toHaveLength(1)
  const { severity, type, code, line, column, message, hint } = parsed.diagnostics[0]!
  expect({ severity, type }).toEqual({ severity: 'error', type: 'parse' })
  expect(message).toMatch(/^[A-Z`].*\.$/)
  return { code, line, column, message, hint }
}

describe('the value is taken as text, with a warning', () => {
  test.each([
    ['`: ` in a plain value', 'description: Build for AWS: ECS', 'Build for AWS: ECS', 'unquoted-text'],
    [
      'a colon at the end of a plain value',
      'description: Use it for these cases: a: b:',
      'Use it for these cases: a: b:',
      'unquoted-text',
    ],
    [
      '` #` in a plain value that goes on',
      'description: Fix issue #12\n  and others',
      'Fix issue #12 and others',
      'unquoted-text',
    ],
    [
      '`: ` and ` #` in one value',
      'description: Fix: see issue #12 first',
      'Fix: see issue #12 first',
      'unquoted-text',
    ],
    ['a value that begins with @', 'description: @Observable state', '@Observable state', 'reserved-character'],
    ['a value that begins with `', 'description: `code` first', '`code` first', 'reserved-character'],
    ['a value that begins with *', 'description: *.ts files', '*.ts files', 'reserved-character'],
    ['a value that begins with %', 'description: %s is replaced', '%s is replaced', 'reserved-character'],
    ['a value that begins with &', 'description: & more', '& more', 'reserved-character'],
    ['a value that begins with !', 'description: !important rule', '!important rule', 'reserved-character'],
    ['a value that begins with {', 'description: {placeholder} in text', '{placeholder} in text', 'text-after-value'],
    ['a value that begins with [ and has text behind ]', 'argument-hint: [a] [b]', '[a] [b]', 'text-after-value'],
    ['a bracket that never closes', 'description: [unclosed list', '[unclosed list', 'unclosed-value'],
    [
      'text after a closing double quote',
      'description: "Deploy" to production',
      '"Deploy" to production',
      'text-after-value',
    ],
    [
      'text after a closing single quote',
      "description: 'Deploy' to production",
      "'Deploy' to production",
      'text-after-value',
    ],
    ['an apostrophe in single quotes', "description: 'What's included'", "What's included", 'text-after-value'],
    ['quotes inside double quotes', 'description: "Say "hello" first"', 'Say "hello" first', 'text-after-value'],
    ['two quoted words', 'description: "a" and "b"', '"a" and "b"', 'text-after-value'],
    ['a quote that never closes', 'description: "Deploy to production', 'Deploy to production', 'unclosed-value'],
    [
      'a backslash that means nothing in double quotes',
      String.raw`description: "match \d+ in C:\dir \"x\""`,
      String.raw`match \d+ in C:\dir "x"`,
      'invalid-escape',
    ],
  ])('%s', (_, block, text, code) => {
    const { data, found } = readBlock(`name: x\n${block}\nlicense: MIT`)
    expect(data).toEqual({ name: 'x', [block.slice(0, block.indexOf(':'))]: text, license: 'MIT' })
    expect(found).toEqual([`3:${block.indexOf(': ') + 3} ${code}`])
  })

  test.each([
    ['allowed-tools: [Bash', ['Bash']],
    ['tools: [Bash(git *), Read', ['Bash(git *)', 'Read']],
    ['disallowed-tools: [Bash,\n  Write', ['Bash', 'Write']],
    // Adding a bracket does not make these lists of text.
    ['allowed-tools: [Bash # all', '[Bash # all'],
    ['allowed-tools: [Bash: x', '[Bash: x'],
    ['metadata:\n  tools: [Bash', undefined],
  ])('a list of tools that never closes: %j', (block, value) => {
    const { data, found } = readBlock(`name: x\n${block}\nlicense: MIT`)
    const key = block.slice(0, block.indexOf(':'))
    expect(data).toEqual({ name: 'x', [key]: value ?? { tools: '[Bash' }, license: 'MIT' })
    expect(found).toEqual([expect.stringMatching(/ unclosed-value$/)])
  })

  test('text after > on the line of the key: the mark is dropped', () => {
    expect(readBlock('description: > Deploys things\n  to production\nname: x')).toEqual({
      data: { description: 'Deploys things to production', name: 'x' },
      found: ['2:14 text-after-block-mark'],
    })
  })

  test('text after > with no line below it is the text as it is written', () => {
    expect(readBlock('description: > 5 things\nname: x')).toEqual({
      data: { description: '> 5 things', name: 'x' },
      found: ['2:14 reserved-character'],
    })
  })

  test('text after | on the line of the key: the mark is dropped, the lines stay', () => {
    expect(readBlock('description: | Deploys\n  to: production\nname: x')).toEqual({
      data: { description: 'Deploys\nto: production', name: 'x' },
      found: ['2:14 text-after-block-mark'],
    })
  })

  test('a mark that is glued to what follows is part of the text', () => {
    expect(readBlock('version: >=1.2').data).toEqual({ version: '>=1.2' })
  })

  test('continuation lines at column 0 are joined to the value', () => {
    expect(readBlock('description: Deploys things\nto production\nname: x')).toEqual({
      data: { description: 'Deploys things to production', name: 'x' },
      found: ['3:1 continuation-at-margin'],
    })
  })

  test('the rest of a quoted text at column 0 is joined to the value', () => {
    expect(readBlock('description: "Deploys things\nto production"\nname: x')).toEqual({
      data: { description: 'Deploys things to production', name: 'x' },
      found: ['3:1 continuation-at-margin'],
    })
  })

  test('a list behind the text of a description is part of that text, up to the next key', () => {
    const listed =
      'name: a\ndescription: Use this when\n- asked: always\n- told to, or\n  going: on\n\n- else\nversion: 1'
    expect(readBlock(listed)).toEqual({
      data: { name: 'a', description: 'Use this when - asked: always - told to, or going: on\n- else', version: '1' },
      found: ['4:1 continuation-at-margin'],
    })
    // An unknown key ends the text too, because it may be one.
    expect(readBlock('description: Use: this\n- a\nauthor: me\nwhen_to_use: When\n- b').data).toEqual({
      description: 'Use: this - a',
      author: 'me',
      when_to_use: 'When - b',
    })
    expect(readBlock('description: >\n  Folded\n- a\nname: x').data).toEqual({ description: 'Folded - a\n', name: 'x' })
  })

  test.each([
    ['allowed-tools: Read\n- Bash'],
    ['name: a\n- b'],
    ['metadata:\n  description: x\n  - a'],
    ['description: "x"\n- a'],
  ])('a list behind any other text is none of it, for it may be meant as a list: %s', block => {
    expect(errorOf(`---\n${block}\n---\n`)).toMatchObject({ code: 'invalid-yaml' })
  })

  test('a block of text at column 0 belongs to its key', () => {
    expect(readBlock('description: |\nFirst line\nSecond line\nname: x')).toEqual({
      data: { description: 'First line\nSecond line\n', name: 'x' },
      found: ['3:1 continuation-at-margin'],
    })
  })

  test('text on the lines below a key, at column 0', () => {
    expect(readBlock('description:\nDeploys things\nname: x').data).toEqual({
      description: 'Deploys things',
      name: 'x',
    })
  })

  test('a quote that is not closed does not swallow the next key', () => {
    expect(readBlock('description: "Deploy\nname: "x"\nlicense: MIT').data).toEqual({
      description: 'Deploy',
      name: 'x',
      license: 'MIT',
    })
  })

  test('a nested key is repaired like any other', () => {
    expect(readBlock("name: x\nmetadata:\n  short-description: What's included: builds\n  other: y")).toEqual({
      data: { name: 'x', metadata: { 'short-description': "What's included: builds", other: 'y' } },
      found: ['4:22 unquoted-text'],
    })
  })

  test('an item of a list is repaired like any other', () => {
    expect(readBlock('paths:\n  - *.ts\n  - src/**\n  - @a').data).toEqual({ paths: ['*.ts', 'src/**', '@a'] })
  })

  test('a key behind a dash is repaired like any other', () => {
    expect(readBlock('targets:\n  - library: a: b\n    version: 1').data).toEqual({
      targets: [{ library: 'a: b', version: '1' }],
    })
  })

  test('continuation lines that look like keys belong to the text before them', () => {
    expect(readBlock('description: Deploys things.\n  Note: slow.\nname: x').data).toEqual({
      description: 'Deploys things. Note: slow.',
      name: 'x',
    })
  })

  test('the body of a block scalar is not touched', () => {
    const block =
      'description: |-\n  Build for AWS: ECS\n  @here "x" y\n\n  [a] [b]\nargument-hint: <duration: e.g. 7d>'
    expect(readBlock(block)).toEqual({
      data: { description: 'Build for AWS: ECS\n@here "x" y\n\n[a] [b]', 'argument-hint': '<duration: e.g. 7d>' },
      found: ['7:16 unquoted-text'],
    })
  })

  test('what is valid in a broken block keeps its meaning', () => {
    const block = [
      'description: "wrapped in quotes"',
      'occupation: This man has: Software Engineer',
      "title: 'Hello'",
      'name: John "Doe"',
      '# field: commented',
      'url: https://example.com:8080/p?q=v',
      'time: The time is 12:30:00 PM',
      'nested: First: Second: Third',
      'quoted_colon: "Already: fine"',
      'empty:',
      'note: a # comment',
      "dollar: Use $' and $& literally",
      'list: [a, "b: c"]',
    ].join('\n')
    const { data, found } = readBlock(block)
    expect(data).toEqual({
      description: 'wrapped in quotes',
      occupation: 'This man has: Software Engineer',
      title: 'Hello',
      name: 'John "Doe"',
      url: 'https://example.com:8080/p?q=v',
      time: 'The time is 12:30:00 PM',
      nested: 'First: Second: Third',
      quoted_colon: 'Already: fine',
      empty: null,
      note: 'a',
      dollar: "Use $' and $& literally",
      list: ['a', 'b: c'],
    })
    expect(found).toEqual(['3:13 unquoted-text', '9:9 unquoted-text'])
  })

  test('what repair writes has no replacement patterns in it', () => {
    expect(readBlock("dollar: Use $' and $& and $1 literally: yes").data).toEqual({
      dollar: "Use $' and $& and $1 literally: yes",
    })
  })

  test('a tab at the start of a line', () => {
    expect(readBlock('metadata:\n\tauthor: me\n\tteam: a')).toEqual({
      data: { metadata: { author: 'me', team: 'a' } },
      found: ['3:1 tab-indentation', '4:1 tab-indentation'],
    })
  })

  test('a known key that is glued to its value', () => {
    expect(readBlock('name:deploy\ndescription:Deploys')).toEqual({
      data: { name: 'deploy', description: 'Deploys' },
      found: ['2:1 glued-key', '3:1 glued-key'],
    })
  })

  test('a known key with a full-width colon, wherever it stands', () => {
    expect(readBlock('name：deploy\ndescription： Deploys: all\nlicense: MIT')).toEqual({
      data: { name: 'deploy', description: 'Deploys: all', license: 'MIT' },
      found: ['2:1 full-width-colon', '3:1 full-width-colon', '3:14 unquoted-text'],
    })
    expect(readBlock('name: deploy\ndescription：Deploys')).toEqual({
      data: { name: 'deploy', description: 'Deploys' },
      found: ['3:1 full-width-colon'],
    })
    expect(readBlock('aliases:\n  - a\ndescription：Deploys')).toEqual({
      data: { aliases: ['a'], description: 'Deploys' },
      found: ['4:1 full-width-colon'],
    })
    expect(readBlock('description: One\nnote：of two').data).toEqual({ description: 'One note：of two' })
  })

  test('a known key that stands further in than its siblings', () => {
    expect(readBlock('name: deploy\n description: Deploys\nlicense: MIT')).toEqual({
      data: { name: 'deploy', description: 'Deploys', license: 'MIT' },
      found: ['3:2 misindented-key'],
    })
  })

  test('aliases in a broken block keep their meaning', () => {
    expect(readBlock('base: &b {a: x}\nother: *b\nlist: [*b, y]\ndescription: a: b').data).toEqual({
      base: { a: 'x' },
      other: { a: 'x' },
      list: [{ a: 'x' }, 'y'],
      description: 'a: b',
    })
  })

  test('the warning says what was found and what to write', () => {
    const { diagnostics } = read('---\ndescription: Build for AWS: ECS\n---\n')
    expect(diagnostics).toEqual([
      {
        severity: 'warning',
        type: 'parse',
        code: 'unquoted-text',
        line: 2,
        column: 14,
        field: 'description',
        message: expect.stringMatching(/`description` .*`: `/) as string,
        hint: "Write `description: 'Build for AWS: ECS'`.",
      },
    ])
  })
})

describe('accepted as they are', () => {
  test('a closing fence glued to text: the text belongs to the body', () => {
    const file = '---\nname: x\n---# Title\ntext\n'
    const parsed = read(file)
    expect(file.slice(parsed.bodyStart)).toBe('# Title\ntext\n')
    expect(parsed).toMatchObject({
      data: { name: 'x' },
      bodyLine: 3,
      diagnostics: [{ code: 'glued-fence', line: 3, column: 4 }],
      repaired: 'name: x\n',
    })
  })

  test.each([
    ['trailing space on a fence', '--- \nname: x\n---\t \nBody'],
    ['a byte order mark', '\uFEFF---\nname: x\n---\nBody'],
    ['CRLF', '---\r\nname: x\r\n---\r\nBody'],
    ['carriage returns alone', '---\rname: x\r---\rBody'],
    ['mixed line ends', '---\r\nname: x\n---\r\nBody'],
    ['blank lines before the first fence', '\n \r\n---\nname: x\n---\nBody'],
    ['a fence that names YAML', '---yaml\nname: x\n---\nBody'],
    ['a closing fence that ends the file', '---\nname: x\n---'],
  ])('%s, without a warning', (_, file) => {
    const parsed = read(file)
    expect(parsed).toMatchObject({ data: { name: 'x' }, hasFrontmatter: true, diagnostics: [] })
    expect(parsed.repaired).toBeUndefined()
    expect(Buffer.from(file).subarray(parsed.bodyStart).toString()).toBe(file.endsWith('---') ? '' : 'Body')
  })

  test('an HTML comment before the first fence, with a warning', () => {
    const file = '<!-- licence\n of: this -->\n\n---\nname: x\n---\nBody'
    expect(read(file)).toMatchObject({
      data: { name: 'x' },
      bodyLine: 7,
      diagnostics: [{ code: 'leading-comment', line: 1 }],
    })
  })

  test('CRLF inside a block of text becomes a line feed, and lines count as the file has them', () => {
    expect(read('---\r\ndescription: |\r\n  a\r\n  b\r\nx: a: b\r\n---\r\n')).toMatchObject({
      data: { description: 'a\nb\n', x: 'a: b' },
      bodyLine: 7,
      diagnostics: [{ line: 5 }],
      repaired: "description: |\r\n  a\r\n  b\r\nx: 'a: b'\r\n",
    })
  })

  test('duplicate keys: the last wins, with the line', () => {
    expect(readBlock('name: a\nmetadata:\n  x: 1\n  x: 2\nname: b')).toEqual({
      data: { name: 'b', metadata: { x: '2' } },
      found: ['5:3 duplicate-key', '6:1 duplicate-key'],
    })
    expect(readBlock('a: {b: 1, b: 2}')).toEqual({ data: { a: { b: '2' } }, found: ['2:11 duplicate-key'] })
  })

  test.each([
    ['no block: the whole file is the body', '# Heading\n\ntext'],
    ['a comment and no block', '<!-- x -->\n\ntext'],
    ['a first line of more hyphens', '-----\ntext\n-----\n'],
    ['prose that begins with a word and a colon', 'Name: of the game\n\ntext'],
    ['one known key in prose', 'description: a long story\n\nOnce upon a time.\n'],
    ['a code fence that is not the whole file', '```bash\nls\n```\ntext'],
  ])('%s', (_, file) => {
    expect(read(file)).toEqual({
      ok: true,
      data: {},
      bodyStart: 0,
      bodyLine: 1,
      hasFrontmatter: false,
      diagnostics: [],
    })
  })

  test.each([
    ['nothing', ''],
    ['a comment', '# just a comment\n'],
    ['a lone mark', '#\n'],
    ['blank lines', '\n\n'],
    ['null', 'null\n'],
  ])('a block that holds %s is an empty map', (_, block) => {
    expect(read(`---\n${block}---\nBody`)).toMatchObject({ data: {}, hasFrontmatter: true, diagnostics: [] })
  })

  test('unknown keys of any shape', () => {
    expect(readBlock('triggers: [a, b]\ntags:\n- x\nauthor:\n  name: y').data).toEqual({
      triggers: ['a', 'b'],
      tags: ['x'],
      author: { name: 'y' },
    })
  })

  test('a comment that cuts a text short is pointed out in every field that often holds a #', () => {
    expect(readBlock('allowed-tools: Bash(gh issue view #1), Read')).toEqual({
      data: { 'allowed-tools': 'Bash(gh issue view' },
      found: ['2:35 comment-in-value'],
    })
    expect(readBlock('argument-hint: <pr #>\nversion: 1 #2')).toEqual({
      data: { 'argument-hint': '<pr', version: '1' },
      found: ['2:20 comment-in-value'],
    })
    expect(readBlock('description: Fixes issue #12 quickly')).toEqual({
      data: { description: 'Fixes issue' },
      found: ['2:26 comment-in-value'],
    })
    expect(readBlock('description: Fixes issues # such as #12')).toEqual({
      data: { description: 'Fixes issues' },
      found: [],
    })
    expect(readBlock('description: Deploys # for the team')).toEqual({ data: { description: 'Deploys' }, found: [] })
  })
})

describe('scalars stay the text that was written', () => {
  test.each([
    ['1.10'],
    ['010'],
    ['1_000'],
    ['0x1F'],
    ['2024-01-02'],
    ['true'],
    ['No'],
    ['1e3'],
    ['.5'],
    ['+1'],
    ['12:30:45'],
    ['='],
    ['0o17'],
  ])('%s', text => {
    expect(readBlock(`version: ${text}`)).toEqual({ data: { version: text }, found: [] })
  })

  test.each([['~'], ['null'], ['Null'], ['NULL'], ['']])('"%s" is null', text => {
    expect(readBlock(`version: ${text}`)).toEqual({ data: { version: null }, found: [] })
  })

  test('null in quotes is text', () => {
    expect(readBlock('a: "null"\nb: \'~\'').data).toEqual({ a: 'null', b: '~' })
  })
})

describe('a parse error says which shape it is', () => {
  test.each([
    ['keys without an opening fence', 'name: x\ndescription: y\n---\nBody', 'missing-opening-fence', 1],
    ['keys without any fence', 'name: x\ndescription: y\n\nBody', 'missing-opening-fence', 1],
    ['an opening fence of four hyphens', '----\nname: x\n----\nBody', 'missing-opening-fence', 1],
    ['an opening fence with text', '--- my skill\nname: x\n---\nBody', 'missing-opening-fence', 1],
    ['the whole file in a code fence', '```markdown\n---\nname: x\n---\nBody\n```\n', 'fenced-in-code', 1],
    ['keys in a code fence', '~~~yaml\nname: x\n~~~\n', 'fenced-in-code', 1],
    ['a first rule that nothing closes', '---\n\n# Title\n\ntext\n', 'leading-rule', 1],
    ['a first rule that another follows', '---\n\nSome text here.\n\n---\n\nmore\n', 'leading-rule', 1],
    ['a block never closed', '---\nname: bad', 'unclosed-frontmatter', 1],
    ['a block never closed, behind blank lines', '\n\n---\nname: bad\n\ntext\n', 'unclosed-frontmatter', 3],
    ['an empty file', '', 'empty-file', 1],
    ['a file of white space', ' \n\n', 'empty-file', 1],
    ['a byte order mark alone', '\uFEFF', 'empty-file', 1],
    ['NUL in the block', '---\nname: a\0b\n---\n', 'binary-file', 2],
    ['NUL in a file without a block', '# a\n\0', 'binary-file', 2],
    ['a list', '---\n- a\n- b\n---\nB', 'not-a-mapping', 2],
    ['pairs without spaces', '---\nfoo:bar\nbaz:x\n---\nB', 'not-a-mapping', 2],
    ['frontmatter as JavaScript', '---js\n({ name: "x" })\n---\n', 'executable-frontmatter', 1],
    ['frontmatter as CoffeeScript', '--- coffee\nname: 1\n---\n', 'executable-frontmatter', 1],
    ['frontmatter as JSON', '---json\n{ "name": "x" }\n---\n', 'unsupported-engine', 1],
    ['frontmatter as TOML', '---toml\nname = "x"\n---\n', 'unsupported-engine', 1],
    ['a control character', '---\nname: x\ndescription: a\u001b[31mb\n---\n', 'invalid-yaml', 3],
    ['lines that are no YAML', '---\nname: x\n- y\n---\n', 'invalid-yaml', 3],
    ['text before the first key', '---\n# c\nfoo bar\n\nname: x\n---\n', 'invalid-yaml', 3],
    ['a list before the first key', '---\n- a: 1\nname: x\n---\n', 'invalid-yaml', 2],
    ['a second document', '---\nname: x\n...\nname: y\n---\n', 'invalid-yaml', 2],
  ])('%s', (_, file, code, line) => {
    expect(errorOf(file)).toMatchObject({ code, line })
  })

  test('invalid UTF-8, with the line', () => {
    expect(
      errorOf(
        Buffer.concat([Buffer.from('---\nname: é\ndescription: '), Buffer.from([0xc3, 0x28]), Buffer.from('\n---\n')]),
      ),
    ).toMatchObject({ code: 'invalid-utf8', line: 3 })
  })

  test.each([
    ['little endian', Buffer.from('\uFEFF---\nname: x\n---\n', 'utf16le'), 'utf16-file'],
    ['big endian', Buffer.from('\uFEFF---\nname: x\n---\n', 'utf16le').swap16(), 'utf16-file'],
    ['without a byte order mark', Buffer.from('---\nname: x\n---\n', 'utf16le'), 'binary-file'],
  ])('UTF-16, %s', (_, bytes, code) => {
    expect(errorOf(bytes)).toMatchObject({ code, line: 1, hint: 'Save it as UTF-8.' })
  })

  test('a line that was probably meant to close the block is named', () => {
    expect(errorOf('---\nname: x\n -----\n# Title\n').hint).toBe('Write line 3 as exactly `---`.')
    expect(errorOf('---\nname: x\n...\n# Title\n').hint).toBe('Write line 3 as exactly `---`.')
  })

  test('a full-width colon is named, where it stands', () => {
    const hint = expect.stringContaining('full-width colon')
    expect(errorOf('---\nfoo：x\ndescription: y\n---\n')).toMatchObject({
      code: 'invalid-yaml',
      line: 2,
      column: 1,
      message: expect.stringContaining('full-width'),
      hint,
    })
    expect(errorOf('---\nfoo：x\nbar：y\n---\n')).toMatchObject({ code: 'not-a-mapping', line: 2, hint })
  })

  test('the place is that in the file, not in the block', () => {
    expect(errorOf('\n\n---\nname: x\n\n- y\n---\n')).toMatchObject({ code: 'invalid-yaml', line: 6, column: 1 })
  })

  test('the body is checked when that is asked for', () => {
    const bytes = Buffer.from('---\nname: x\n---\nBody\0')
    expect(parser.parse(bytes)).toMatchObject({ ok: true })
    expect(parser.parse(bytes, { checkBody: true })).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'binary-file', line: 4 }],
    })
  })
})

describe('a part of a file', () => {
  const file = Buffer.from('<!-- é -->\n---\nname: é\n---\nBody é')

  test('needs more until the closing fence is certain', () => {
    const closed = file.indexOf('\n---\nBody') + 5
    for (let length = 0; length <= file.length; length++) {
      const parsed = parser.parse(file.subarray(0, length), { whole: false })
      expect(parsed, `${length} bytes`).toMatchObject(
        length < closed ? { needMore: true } : { ok: true, data: { name: 'é' }, bodyStart: closed },
      )
    }
  })

  test('is a body as soon as its first line is none of a block', () => {
    expect(parser.parse(Buffer.from('# Ti'), { whole: false })).toEqual({ needMore: true })
    expect(parser.parse(Buffer.from('# Title\ncaf\u00e9').subarray(0, -1), { whole: false })).toMatchObject({
      ok: true,
      hasFrontmatter: false,
    })
  })
})
