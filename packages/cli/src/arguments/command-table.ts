import { listRow, type CommandRow, type globalOptions } from './command-row.js'

/**
 * Options that say which skills there are, or how they are looked for. The surroundings, `--cwd` and `--home`, are not
 * among them: scripts give them to every command.
 */
export const lookingFlags = ['--distribution', '--add-dir', '--plugin-dir', '--marketplace', '--source-limit'] as const

/**
 * Every command. What a person is told of one is in command-texts.ts, and its function in rest.ts; neither compiles
 * while a row has no entry there.
 */
export const commandTable = [
  listRow,
  { name: 'show', args: 'NAME', least: 1, most: 1, options: ['--deps', '--json'] },
  { name: 'explain', args: 'NAME', least: 1, most: 1, options: ['--json'] },
  { name: 'search', args: 'QUERY…', least: 1, most: Infinity, options: ['--body', '--limit <count>', '--json'] },
  {
    name: 'listing',
    args: '',
    least: 0,
    most: 0,
    options: ['--context-window <tokens>', '--strategy <name>', '--costs', '--json'],
  },
  {
    name: 'render',
    args: 'NAME',
    least: 1,
    most: 1,
    handsOn: true,
    options: ['--no-shell', '--allow <rule>...', '--deny <rule>...', '--yes', '--json'],
  },
  {
    name: 'run',
    args: 'NAME',
    least: 1,
    most: 1,
    handsOn: true,
    options: ['--allow <rule>...', '--deny <rule>...', '--yes', '--json'],
  },
  { name: 'trust', args: '[PATH]', least: 0, most: 1, options: ['--dry-run', '--list', '--revoke', '--yes', '--json'] },
  {
    name: 'new',
    args: 'NAME',
    least: 1,
    most: 1,
    options: ['--description <text>', '--fields', '--evals', '--user', '--dir <dir>', '--plugin', '--json'],
  },
  {
    name: 'add',
    args: 'SOURCE',
    least: 1,
    most: 1,
    options: [
      '--skill <name>...',
      '--all',
      '--link',
      '--agent <name>...',
      '--user',
      '--max-risk <level>',
      '--allow-large',
      '--force',
      '--yes',
      '--quiet',
      '--json',
    ],
    refuses: lookingFlags,
  },
  {
    name: 'remove',
    args: 'NAME…',
    least: 1,
    most: Infinity,
    options: ['--user', '--force', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'update',
    args: '[NAME…]',
    least: 0,
    most: Infinity,
    options: ['--user', '--max-risk <level>', '--allow-large', '--force', '--yes', '--quiet', '--json'],
    refuses: lookingFlags,
  },
  { name: 'outdated', args: '', least: 0, most: 0, options: ['--user', '--quiet', '--json'], refuses: lookingFlags },
  {
    name: 'ci',
    args: '',
    least: 0,
    most: 0,
    options: ['--user', '--offline', '--force', '--dry-run', '--yes', '--frozen-trust <digest>', '--quiet', '--json'],
    refuses: lookingFlags,
  },
  { name: 'verify', args: '', least: 0, most: 0, options: ['--user', '--json'], refuses: lookingFlags },
  { name: 'why', args: 'NAME', least: 1, most: 1, options: ['--user', '--json'], refuses: lookingFlags },
  {
    name: 'sync',
    args: '',
    least: 0,
    most: 0,
    options: [
      '--agent <name>...',
      '--user',
      '--force',
      '--dry-run',
      '--yes',
      '--frozen-trust <digest>',
      '--quiet',
      '--json',
    ],
    refuses: lookingFlags,
  },
  {
    name: 'lint',
    args: '[PATH…]',
    least: 0,
    most: Infinity,
    options: ['--fix', '--standard', '--for <names>', '--format <name>', '--json'],
  },
  {
    name: 'compat',
    args: '[NAME…]',
    least: 0,
    most: Infinity,
    options: ['--for <names>', '--context-window <tokens>', '--format <name>', '--json'],
  },
  {
    name: 'eval',
    args: '[NAME…]',
    least: 0,
    most: Infinity,
    options: [
      '--overlap',
      '--for <names>',
      '--context-window <tokens>',
      '--model <name>',
      '--base-url <url>',
      '--level <level>',
      '--trials <count>',
      '--concurrency <count>',
      '--against <file>',
      '--record',
      '--replay',
      '--recordings <dir>',
      '--allow <rule>...',
      '--price <dollars>',
      '--max-cost <dollars>',
      '--baseline <file>',
      '--save-baseline <file>',
      '--threshold <share>',
      '--junit <file>',
      '--markdown <file>',
      '--quiet',
      '--json',
    ],
  },
  { name: 'audit', args: '[NAME]', least: 0, most: 1, options: ['--level <level>', '--json'] },
  { name: 'watch', args: '', least: 0, most: 0, options: ['--json'] },
  {
    name: 'mcp',
    args: '',
    least: 0,
    most: 0,
    options: [
      '--read-only',
      '--http',
      '--port <number>',
      '--host <address>',
      '--origin <name>...',
      '--no-token',
      '--allow <rule>...',
      '--deny <rule>...',
    ],
  },
  {
    name: 'ui',
    args: '',
    least: 0,
    most: 0,
    options: ['--port <number>', '--export <file>', '--dir <dir>', '--report <file>'],
  },
  {
    name: 'worker',
    args: '',
    least: 0,
    most: 0,
    options: [
      '--queue <url>',
      '--concurrency <count>',
      '--model-limit <name=count>...',
      '--tenant-limit <name=count>...',
      '--lock <seconds>',
      '--drain <seconds>',
      '--run-texts',
      '--allow <rule>...',
      '--deny <rule>...',
    ],
  },
  {
    name: 'runs',
    args: '[list]',
    least: 0,
    most: 1,
    options: ['--state <state>...', '--limit <count>', '--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'runs show',
    args: 'ID',
    least: 1,
    most: 1,
    options: ['--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'runs follow',
    args: 'ID',
    least: 1,
    most: 1,
    options: ['--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'runs answer',
    args: 'ID [QUESTION] ANSWER',
    least: 2,
    most: 3,
    options: ['--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'runs cancel',
    args: 'ID',
    least: 1,
    most: 1,
    options: ['--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'runs retry',
    args: 'ID',
    least: 1,
    most: 1,
    options: ['--fresh', '--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'runs prune',
    args: '',
    least: 0,
    most: 0,
    options: ['--older-than <age>', '--state <state>...', '--dry-run', '--dir <dir>', '--queue <url>', '--json'],
    refuses: lookingFlags,
  },
  {
    name: 'plugin init',
    args: '[NAME]',
    least: 0,
    most: 1,
    options: ['--description <text>', '--json'],
    refuses: lookingFlags,
  },
  { name: 'plugin check', args: '[DIR]', least: 0, most: 1, options: ['--npm', '--json'], refuses: lookingFlags },
  {
    name: 'plugin pack',
    args: '[DIR]',
    least: 0,
    most: 1,
    options: ['--out <dir>', '--scripts', '--json'],
    refuses: lookingFlags,
  },
  { name: 'help', args: '[COMMAND]', least: 0, most: 2, options: [], refuses: lookingFlags },
] as const satisfies readonly (CommandRow & { readonly refuses?: readonly GlobalFlag[] })[]

type Row = (typeof commandTable)[number]
type FlagIn<Option extends string> = Option extends `${string}, ${infer Long}`
  ? Long
  : Option extends `${infer Typed} <${string}`
    ? Typed
    : Option

export type CommandName = Row['name']
export type GlobalFlag = FlagIn<(typeof globalOptions)[number]>
/** The options of one command as they are typed, without their values. */
export type FlagOf<Name extends CommandName> = FlagIn<Extract<Row, { readonly name: Name }>['options'][number]>
/** Any option that there is. */
export type Flag = FlagIn<Row['options'][number]> | GlobalFlag
