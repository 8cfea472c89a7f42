import { packages } from './packages.js'
import { starters } from './starters.js'
import { tools } from './tools.js'
import type { Program, Programs, Effect } from './program.js'

const shell: Program = {
  operand: 'source',
  bare: 'code',
  options: { script: '-c --command', code: '-s -i -l --login --rcfile --init-file -o -O' },
}

/** Programs that run code of any kind: text in their arguments, and files. */
const interpreters: Programs = {
  'sh|bash|dash|zsh|ksh|mksh|ash|rbash|fish|csh|tcsh|yash|nu|elvish|xonsh|osh': shell,
  'pwsh|powershell|cmd|wscript|cscript|mshta|rundll32|wsl': { always: 'code' },
  'python|pypy|ipython|python2|python3|jython|micropython': {
    operand: 'file',
    bare: 'code',
    plain: '-u -B -E -s -S -I -O -OO -q -b',
    options: { code: '-c -i -X -W', file: '-m' },
    asks: '-V -VV',
  },
  'node|nodejs|tsx|ts-node|esno|vite-node|jiti|babel-node|swc-node|bare': {
    operand: 'file',
    bare: 'code',
    plain: '--no-warnings --trace-warnings --enable-source-maps --experimental-strip-types',
    asks: '-v',
    options: {
      code:
        '-e --eval -p --print -i --interactive -r --require --import --loader --experimental-loader ' +
        '--env-file -C --run',
    },
  },
  'perl|ruby|irb|jruby|raku|crystal': {
    operand: 'file',
    bare: 'code',
    plain: '-w -T',
    options: { code: '-e -E -n -p -i -I -M -m -r -x -s -d -a -l -0' },
    asks: '-v',
  },
  php: {
    operand: 'file',
    bare: 'code',
    options: { code: '-r -B -R -F -E -S -a -d -c -z --run', file: '-f --file' },
    asks: '-v -m -i',
  },
  ['lua|luajit|tclsh|wish|osascript|guile|racket|scheme|chicken|sbcl|clisp|gforth|swipl|gjs|qjs|d8|rhino|erl|elixir|' +
  'ocaml|utop|nim|julia|r|rscript|octave|ghci|runghc|runhaskell|stack|scala|groovy|jshell|kotlin|clojure|clj|bb|' +
  'lein']: { operand: 'file', bare: 'code', options: { code: '-e -E --eval -r -c -i -l -f' }, asks: '-v' },
  'java|javaw': {
    operand: 'file',
    bare: 'file',
    plain: '-cp= -classpath= --class-path=',
    options: { code: '-agent* -javaagent* -XX* @* --upgrade-module-path', file: '-jar -m --module' },
    asks: '-version',
  },
  'dotnet|swift|zig|dart|flutter|deno|cabal|mix|rebar3|gleam': {
    bare: 'code',
    subcommands: {
      '*': { always: 'file', options: { code: '-e --eval -p --print' } },
      'run|eval|exec|script': { operand: 'file', bare: 'code' },
      'info|lint|check|doc|types|--info|--list-sdks|--list-runtimes': {},
    },
  },
  'awk|gawk|mawk|nawk|original-awk|goawk': {
    bare: 'code',
    all: awkEffect,
    options: { code: '-f --file -E --exec -l --load -i --include -D --debug' },
  },
  sed: { all: sedEffect, options: { code: '-f --file' } },
  ['m4|dc|bc|gdb|lldb|gdbserver|ed|ex|vi|vim|view|nvim|vimdiff|gvim|emacs|emacsclient|nano|pico|joe|mcedit|kak|hx|' +
  'micro|code|subl|rvim|rview|red']: { always: 'code' },
  ['psql|sqlite3|sqlite|mysql|mariadb|mongo|mongosh|duckdb|sqlplus|usql|pgcli|litecli|mycli|clickhouse|redis-cli|isql|' +
  'osqueryi']: { always: 'code' },
  ['fzf|sk|gnuplot|jupyter|ansible|ansible-playbook|salt|puppet|nix|nix-shell|nix-build|nix-env|guix|socat|telnet|ftp|' +
  'lftp|mail|mailx|mutt|tig|lazygit|ranger|mc|nnn|xdg-open|open|start']: { always: 'code' },
}

/** Returns no effect for awk text that surely only reads: every way to run or write needs one of these. */
function awkEffect(texts: readonly string[]): 'code' | undefined {
  return texts.some(text => /system|getline|[|>@]/.test(text.replaceAll('||', ''))) ? 'code' : undefined
}

const sedAddress = String.raw`(?:\d+|\$|/(?:\\[^\n]|[^\\/\n])*/)`
const sedBody = ['/', '|', '#', ',', '@', ':', '_', '!', '%'].map(
  mark => String.raw`s${one(mark)}(?:\\[^\n]|${none(mark)})*${one(mark)}(?:\\[^\n]|${none(mark)})*${one(mark)}[gpI\d]*`,
)
const sedAddresses = String.raw`(?:${sedAddress}(?:,[+~]?${sedAddress})?)?`
const sedCommand = String.raw`\s*${sedAddresses}\s*!?\s*(?:[pdq=hHgGxnNDPl]|${sedBody.join('|')})\s*`
const sedScript = new RegExp(String.raw`^${sedCommand}(?:[;\n]${sedCommand})*;?$`)

function one(mark: string): string {
  return `\\u{${mark.codePointAt(0)?.toString(16) ?? ''}}`.replace(/\\u\{(..)\}/, String.raw`\x$1`)
}

function none(mark: string): string {
  return String.raw`[^\\\n${one(mark)}]`
}

/** Returns no effect for sed commands that only change the output. Others may run (`e`) or write (`w`). */
function sedEffect(texts: readonly string[]): 'code' | undefined {
  const scripts: string[] = []
  let isGiven = false
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? ''
    const given = /^(?:--expression=|-[nErsuz]*e)(.*)$/s.exec(text)?.[1]
    if (given !== undefined || text === '--expression') {
      scripts.push(given === undefined || given === '' ? (texts[++at] ?? '') : given)
      isGiven = true
    } else if (
      /^-[nErsuz]+$/.test(text) ||
      /^(?:-[nErsuz]*i|--in-place(?:=.*)?$)/.test(text) ||
      /^--(?:quiet|silent|regexp-extended|posix|null-data|unbuffered|separate|sandbox|debug)$/.test(text)
    )
      continue
    else if (text.startsWith('-') && text !== '-') return 'code'
    else if (!isGiven) {
      scripts.push(text)
      isGiven = true
    }
  }
  return scripts.every(script => sedScript.test(script)) ? undefined : 'code'
}

/**
 * Every program that runs others because of its arguments. Limits, rules that forbid, and audits use it. Rules that
 * allow use the table of harmless words.
 */
const table = byName({ ...starters, ...interpreters, ...packages, ...tools })

function byName(programs: Programs): ReadonlyMap<string, Program> {
  return new Map(
    Object.entries(programs).flatMap(([names, program]) =>
      (names === '|' ? [names] : names.split('|')).map(name => [name, program] as const),
    ),
  )
}

/**
 * Returns the lower-case name of a program without its folder and ending: `python3.12` for `/usr/bin/Python3.12.exe`.
 */
export function baseName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).toLowerCase()
  return base.includes('.') ? base.replace(/\.(?:exe|cmd|bat|ps1|com)$/, '') : base
}

/** Finds the program of a name or path, in any version. */
export function programOf(name: string): Program | undefined {
  const base = baseName(name)
  const program = table.get(base)
  if (program !== undefined) return program
  const versionless = base.replace(/[-.\d]+$/, '')
  // GNU versions have a `g` before the plain name on other systems.
  return table.get(versionless) ?? (/^g[a-z]/.test(versionless) ? table.get(versionless.slice(1)) : undefined)
}

const subcommandsOf = new WeakMap<Programs, ReadonlyMap<string, Program>>()

/** Returns the program of a subcommand; undefined if it has no effect of its own. */
export function subcommand(subcommands: Programs, name: string): Program | undefined {
  let known = subcommandsOf.get(subcommands)
  if (known === undefined) {
    known = byName(subcommands)
    subcommandsOf.set(subcommands, known)
  }
  return known.get(name) ?? known.get('*')
}

const order: readonly Effect[] = ['code', 'script', 'program', 'source', 'file']

/** Returns the effect of an option; undefined if it has none. */
export function optionEffect({ options }: Program, text: string): Effect | undefined {
  return options && order.find(effect => options[effect]?.split(' ').some(flag => isOption(text, flag)))
}

function isOption(text: string, flag: string): boolean {
  if (flag.endsWith('*')) return text.startsWith(flag.slice(0, -1))
  const name = text.split('=', 1)[0] ?? ''
  if (flag.startsWith('--')) return name.length > 2 && flag.startsWith(name)
  if (/^-.$/.test(flag)) return /^-[^-]/.test(name) && name.slice(1).includes(flag.slice(1))
  return name === flag
}

/** Returns programs and scripts that are attached to an option of one letter, as in `-Igzip`. */
export function attachedPrograms({ options = {}, subcommands = {} }: Program, text: string): readonly string[] {
  if (!/^-[^-]/.test(text)) return []
  const flags = [options.program, options.script]
    .flatMap(all => all?.split(' ') ?? [])
    .filter(flag => /^-.$/.test(flag))
  const own = flags.flatMap(flag =>
    text.includes(flag.slice(1), 1) ? text.slice(text.indexOf(flag.slice(1), 1) + 1) : [],
  )
  return [...own, ...Object.values(subcommands).flatMap(each => attachedPrograms(each, text))]
}

/**
 * Returns how many words of the command line a harmless option takes. Returns undefined if the program's row does not
 * list the option as harmless.
 */
export function plainOption({ plain = '' }: Program, text: string): 1 | 2 | undefined {
  const known = plain.split(' ')
  if (known.includes(text)) return 1
  if (known.includes(`${text}=`)) return 2
  const isAttached = (flag: string): boolean =>
    flag.endsWith('=') && (text.startsWith(flag) || (/^-.=$/.test(flag) && text.startsWith(flag.slice(0, 2))))
  return known.some(isAttached) ? 1 : undefined
}

/**
 * True if a program runs any code or program that its arguments name. A pattern with open arguments then allows
 * everything.
 */
export function runsAnything(name: string): boolean {
  const program = programOf(name)
  if (program === undefined) return false
  const starts = ({ operand, subcommands }: Program): boolean => operand !== undefined && subcommands === undefined
  return (
    starts(program) ||
    program.always === 'code' ||
    program.options?.program !== undefined ||
    Object.values(program.subcommands ?? {}).some(starts)
  )
}

/** True if operands or options of a subcommand may name another program. */
export function mayStartOthers(name: string, subcommandName: string): boolean {
  const program = programOf(name)
  if (program === undefined) return false
  const under = program.subcommands && subcommand(program.subcommands, subcommandName)
  if (under === undefined) return program.subcommands === undefined
  const { options = {}, always, operand, all, subcommands } = under
  const effects = [always, operand, ...Object.keys(options)]
  return effects.some(effect => effect !== undefined) || all !== undefined || subcommands !== undefined
}
