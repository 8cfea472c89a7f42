import { describe, expect, test } from 'vitest'
import { commands } from '../commands/index.js'
import { longFlag } from './command-row.js'
import { parseAll as parseArguments } from '../rest.js'
import { UsageError } from './usage-error.js'

const parse = (line: string) => parseArguments(line === '' ? [] : line.split(' '))

/** Returns for each flag its values, or true if it was given without one. */
function optionsOf(line: string, ...flags: readonly string[]) {
  const { has, texts } = parse(line)
  return flags.map(flag => (texts(flag).some(value => value !== '') ? texts(flag) : has(flag)))
}

function complaint(argv: readonly string[]): string {
  try {
    parseArguments(argv)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error(`${argv.join(' ')} was understood`)
}

describe('arguments', () => {
  test('that are none ask for the overview', () => {
    expect(parse('')).toMatchObject({
      command: undefined,
      args: [],
      isHelpWanted: false,
      isVersionWanted: false,
      addDirs: [],
    })
  })

  test('may have options before and after the command, as two words or one', () => {
    expect(parse('--cwd a list --json --home=b --add-dir c --add-dir d')).toMatchObject({
      command: 'list',
      json: true,
      cwd: 'a',
      home: 'b',
      addDirs: ['c', 'd'],
    })
    expect(parse('lint --fix a b --standard')).toMatchObject({ command: 'lint', args: ['a', 'b'] })
    expect(optionsOf('lint --fix a b', '--fix', '--standard')).toEqual([true, false])
    expect(
      optionsOf('new a --plugin --dir b --description=c=d', '--plugin', '--user', '--dir', '--description'),
    ).toEqual([true, false, ['b'], ['c=d']])
    expect(parse('new a --dir b').text('--dir')).toBe('b')
    expect(parse('lint --json a')).toMatchObject({ command: 'lint', json: true, args: ['a'] })
  })

  test('stay the text that was typed, also where it looks like a number', () => {
    expect(parse('explain 007')).toMatchObject({ args: ['007'] })
    expect(parse('list --cwd 2024 --source=1e3')).toMatchObject({ cwd: '2024' })
    expect(parse('list --cwd 2024 --source=1e3').text('--source')).toBe('1e3')
    expect(parse('lint --json 0x10 -')).toMatchObject({ json: true, args: ['0x10', '-'] })
    expect(parse('explain -- --json')).toMatchObject({ command: 'explain', args: ['--json'], json: false })
  })

  test('ask for help and version with or without a command', () => {
    expect(parse('-h')).toMatchObject({ command: undefined, isHelpWanted: true })
    expect(parse('explain --help')).toMatchObject({ command: 'explain', isHelpWanted: true })
    expect(parse('-v')).toMatchObject({ isVersionWanted: true })
  })

  test('switch colours off', () => {
    expect(parse('list')).toMatchObject({ isColorless: false })
    expect(parse('list --no-color')).toMatchObject({ isColorless: true })
  })
})

describe('words after --', () => {
  test('are handed on as they are by a command that does, and nothing of them is an option', () => {
    expect(parse('run a --yes -- --json 007 -- x')).toMatchObject({
      command: 'run',
      args: ['a'],
      rest: ['--json', '007', '--', 'x'],
      json: false,
    })
    expect(optionsOf('render a --allow b --allow=c -- --no-shell', '--allow', '--no-shell')).toEqual([
      ['b', 'c'],
      false,
    ])
  })

  test('may be empty, or missing', () => {
    expect(parseArguments(['run', 'a', '--', ''])).toMatchObject({ rest: [''] })
    expect(parse('run a --')).toMatchObject({ args: ['a'], rest: [] })
  })

  test('stand for no argument of the command itself', () => {
    expect(complaint(['run', '--', 'a'])).toBe('skills run needs NAME. See skills run --help.')
    expect(complaint(['run', 'a', 'b'])).toBe(
      'skills run takes NAME alone, but was given "b" too. Put arguments for the skill after --.',
    )
  })
})

test('an option has the same shape wherever it stands', () => {
  const shapes = new Map<string, string>()
  for (const option of commands.flatMap(({ options }) => options)) {
    const flag = longFlag([option], option.replace(/ .*/, ''))
    expect([flag, shapes.get(flag) ?? option]).toEqual([flag, option])
    shapes.set(flag, option)
  }
})

test('a caller that asks for help gets it, anything else was given', () => {
  expect(parse('plugin check --distribution mini --help')).toMatchObject({
    command: 'plugin check',
    isHelpWanted: true,
  })
  expect(parse('plugin --cwd a --help')).toMatchObject({ command: 'help', args: ['plugin'] })
})

describe('a mistake is one sentence', () => {
  test.each([
    ['lst', 'There is no command "lst". Did you mean list?'],
    ['shwo', 'There is no command "shwo". Did you mean show?'],
    ['xyzzy', 'There is no command "xyzzy". See skills --help.'],
    ['list --jsn', 'skills list has no option --jsn. Did you mean --json?'],
    ['list --frobnicate=1', 'skills list has no option --frobnicate. See skills list --help.'],
    ['list -x', 'skills list has no option -x. See skills list --help.'],
    ['--json', 'The option --json belongs to a command, such as skills list.'],
    ['list --yes', 'The option --yes belongs to a command, such as skills add.'],
    ['explain a --all', 'The option --all belongs to skills list and skills add.'],
    ['list --json=yes', 'The option --json takes no value.'],
    ['list --cwd', 'The option --cwd needs a value after it.'],
    ['list --cwd --json', 'The option --cwd needs a value after it.'],
    ['list --cwd= --json', 'The option --cwd needs a value after it.'],
    ['list --cwd a --cwd b', 'The option --cwd is given twice.'],
    ['explain', 'skills explain needs NAME. See skills explain --help.'],
    ['explain a b', 'skills explain takes NAME alone, but was given "b" too.'],
    ['show', 'skills show needs NAME. See skills show --help.'],
    ['new a b', 'skills new takes NAME alone, but was given "b" too.'],
    ['explain a --deps', 'The option --deps belongs to skills show.'],
    ['list a', 'skills list takes no argument, but was given "a" too.'],
    [
      'plugin check --distribution mini',
      'The option --distribution has no effect on skills plugin check: leave it out.',
    ],
    ['--add-dir a plugin check', 'The option --add-dir has no effect on skills plugin check: leave it out.'],
    ['plugin pack --plugin-dir=a', 'The option --plugin-dir has no effect on skills plugin pack: leave it out.'],
    ['help list --add-dir a', 'The option --add-dir has no effect on skills help: leave it out.'],
    ['list --__proto__.x=1', 'skills list has no option --__proto__.x. See skills list --help.'],
  ])('skills %s: %s', (line, sentence) => {
    expect(complaint(line.split(' '))).toBe(sentence)
  })

  test('and an empty value is missing', () => {
    expect(complaint(['lint', '--fix', ''])).toBe('skills lint was given an empty argument.')
    expect(complaint(['list', '--source', ''])).toMatch(/ --source .* value /)
  })

  test('and nothing is left behind in what every object inherits', () => {
    complaint(['list', '--__proto__.polluted=1'])
    expect('polluted' in {}).toBe(false)
  })
})
