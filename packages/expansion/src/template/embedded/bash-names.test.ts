import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtins, decidesWhatRuns, isInteger, isSetByBash } from './bash-names.js'
import { refusedBashValue } from './bash-values.js'

function bash(script: string, options: { readonly env?: Record<string, string>; readonly cwd?: string } = {}): string {
  return execFileSync('bash', ['--noprofile', '--norc', '-c', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'] ?? '' },
    ...options,
  })
}

const version = bash('echo "$BASH_VERSION"').trim()

test(`knows every builtin of bash ${version}`, () => {
  const all = bash('compgen -b').trim().split('\n')
  expect(all.length).toBeGreaterThan(50)
  expect(all.filter(name => !builtins.has(name))).toEqual([])
})

test(`takes no builtin of bash ${version} for harmless whose help tells of names, commands or calculations`, () => {
  const harmless = [...builtins].filter(([, use]) => use === 'data').map(([name]) => name)
  const telling = harmless.filter(name =>
    /\bNAME\b|\bVAR\b|variable name|evaluat|arith|shell function|COMMAND and|execut(?:e|es|ed|ing) (?:ARG|COMMAND|the)/.test(
      bash(`help -- ${name}`).replace(/^[^\n]*\n/, ''),
    ),
  )
  // These mention the call, the exit status, a name kept by `shopt -s cdable_vars`, or what they show.
  expect(telling.toSorted()).toEqual(['caller', 'cd', 'return', 'type'])
})

test(`knows every variable that bash ${version} sets or calculates`, () => {
  const all = bash('for v in $(compgen -v); do echo "$v ${!v@a}"; done').trim().split('\n')
  const unknown = all.filter(line => {
    const [name = '', attributes = ''] = line.split(' ')
    if (attributes.includes('r')) return false
    if (attributes.includes('i')) return !isInteger(name) && !decidesWhatRuns(name, false)
    return !isSetByBash(name) && !decidesWhatRuns(name, false) && isNotFixed(name)
  })
  expect(unknown).toEqual([])
})

/** True for a variable that a value can be a part of and that is not read-only. */
function isNotFixed(name: string): boolean {
  return !/^(?:[EU]?UID|PPID|HOST\w+|OSTYPE|MACHTYPE|IFS|OPTERR|OPTIND|SHLVL|PATH|TERM|LINENO|SECONDS|RANDOM|SRANDOM|EPOCH\w+|v)$/.test(
    name,
  )
}

/**
 * Places where bash's manual says that it calculates, and those that name a variable or evaluate it. `x` holds a value.
 */
const contexts = [
  'echo $((x))',
  'echo $[x]',
  '((x))',
  'for ((x; x > 1; x)); do break; done',
  'let x',
  'let y=x',
  'declare -i y=x',
  'typeset -i y; y=x',
  'f() { local -i y=x; }; f',
  'a[x]=1',
  'a=([x]=1)',
  'echo ${a[x]}',
  'echo ${s:x}',
  'echo ${s:0:x}',
  'echo ${@:x}',
  '[[ x -eq 1 ]]',
  '[[ $x -lt 1 ]]',
  '[[ -v $x ]]',
  '[ -v $x ]',
  'test -v "$x"',
  'test ! -v "$x"',
  'printf -v "$x" y',
  'read "$x" <<< y',
  'declare "$x=1"',
  'echo ${!x}',
  'declare -n r="$x"; echo $r',
  'declare -a l="($x)"; s=("$x"); declare -A h="([k]=$y)"',
  'exec {a[x]}>/dev/null',
  'OPTIND=x',
  'declare -i SECONDS=x',
  '{ y=x; } ; (( y ))',
  'for y in x; do (( y )); done',
  'case $((x)) in *) ;; esac',
  'shift $((x))',
  'set -- "$x"; (( $1 ))',
  'f() { (( $1 )); }; f "$x"',
]

/** Commands that set or clear a variable named by a value. This bash does not always calculate its subscript. */
const naming = [
  'read -a "$x" <<< y',
  'mapfile "$x" <<< y',
  'readarray -t "$x" <<< y',
  'unset "$x"',
  'unset -v "$x"',
  'export "$x=1"',
  'getopts a "$x" -a',
  'wait -n -p "$x"',
  'read "$x"',
  'declare "$x"',
  'printf -v "$x" y',
]

test.each(contexts)(`gives no value to %s, which bash ${version} evaluates`, async script => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skills-bash-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const value = 'a[$(>ran)0]'
  const whole = `s=text; y='$(>ran)'; x="\${SKILL_ARG_0}"; ${script}`
  bash(`(${whole.replaceAll('\n', ' ')}); :`, { cwd: folder, env: { PATH: '/usr/bin:/bin', SKILL_ARG_0: value } })
  expect(existsSync(path.join(folder, 'ran'))).toBe(true)
  expect(refusedBashValue(whole, { SKILL_ARG_0: { text: value } })).toMatchObject({ variable: 'SKILL_ARG_0' })
  expect(refusedBashValue(whole, { SKILL_ARG_0: { text: '3' } })).toBeUndefined()
})

test.each(naming)('gives no value, not even a plain name, to %s, which would set what decides what runs', script => {
  for (const text of ['PATH', 'BASH_ENV', 'a[$(>ran)0]'])
    expect(refusedBashValue(`x="\${SKILL_ARG_0}"; ${script}`, { SKILL_ARG_0: { text } })).toMatchObject({
      place: 'runs',
    })
})
