import fc from 'fast-check'
import { existsSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { shell } from '../test/shell.js'
import { whyEvaluated } from './evaluated.js'

/** No reference splits a value at spaces here, and each would leave a file behind if its command ran. */
const subscript = 'a[$(touch${IFS}ran)]'
const others = [
  'a[`touch${IFS}ran`]',
  '1+a[$(touch${IFS}ran)]',
  'a[0]+a[${x:=$(touch${IFS}ran)}]',
  'a[$(touch${IFS}ran>&2)]=1',
  'x=a[$(touch${IFS}ran)]',
  'a[1<(touch${IFS}ran)$(touch${IFS}ran)]',
]

/** What bash evaluates, with a harmless value and what it then writes. */
const places: readonly (readonly [script: string, harmless: string, output: string])[] = [
  // Directly.
  ['let x=$0; echo $x', '3', '3'],
  ['let "n = $0 + 1"; echo $n', '3', '4'],
  ['declare -i n=$0; echo $n', '3', '3'],
  ['f() { local -i n=$0; echo $n; }; f', '3', '3'],
  ['[ -v $0 ] && echo yes', 'HOME', 'yes'],
  ['test -v "$0" && echo yes', 'HOME', 'yes'],
  ['if ! [ -v "$0" ]; then :; else echo yes; fi', 'HOME', 'yes'],
  ['arr=([$0]=x); echo ${arr[3]}', '3', 'x'],
  ['arr=(1 2); unset "arr[$0]"; echo ${arr[@]}', '0', '2'],
  ['printf -v "$0" x; echo $x$y', 'y', 'x'],
  ['read -r "$0" <<< x; echo $y', 'y', 'x'],
  ['declare "$0=1"; echo $y', 'y', '1'],
  ['declare -n r="$0"; r=1; echo $r$y', 'y', '11'],
  ['[[ $0 == "a ]]" || $0 -gt 3 ]] && echo yes', '4', 'yes'],
  ['[[ ( $0 -gt 3 ) && -n a ]] && echo yes', '4', 'yes'],
  ['[[ -v $0 ]] && echo yes', '3', ''],
  ['wait -p "$0" -n; echo x', 'y', 'x'],
  ['mapfile -t "$0" <<< x; echo $y', 'y', 'x'],
  // Through a variable.
  ['n=$0; if (( n > 3 )); then echo y; fi', '4', 'y'],
  ['n=$ARGUMENTS; for ((i=0;i<n;i++)); do echo $i; done', '2', '0\n1'],
  ['n=$0; echo $((n * 2))', '2', '4'],
  ['n="$0"; [[ $n -gt 3 ]] && echo yes', '4', 'yes'],
  ['n=$0; y=7; echo ${!n}', 'y', '7'],
  ['n=$0; x=abc; echo ${x:n}', '1', 'bc'],
  ['n=$0; x=(a b); echo ${x[n]}', '1', 'b'],
  ['n=$0; x[n]=b; echo ${x[1]}', '1', 'b'],
  ['n=$0; echo $[n]', '1', '1'],
  ['n=$0; [ $n ] && echo yes', 'a', 'yes'],
  ['n=$0; test -v $n || echo no', 'y', 'no'],
  ['n=$0; let n+=1; echo $n', '1', '2'],
  ['declare -i n; n=$0; echo $n', '1', '1'],
  ['SECONDS=$0; echo x', '1', 'x'],
  ['n=$0; unset "$n"; echo x', 'y', 'x'],
  ['declare -n r; r=$0; y=2; echo $r', 'y', '2'],
  ['declare -n r; for r in $0; do y=2; echo $r; done', 'y', '2'],
  ["n=$0; x=(1 2); unset 'x[n]'; echo ${x[@]}", '0', '2'],
  ['n=$0; read "x[n]" <<< y; echo ${x[1]}', '1', 'y'],
  ["n=$0; declare 'x[n]=y'; echo ${x[1]}", '1', 'y'],
  ['n=$0; exec {x[n]}>/dev/null; echo ${#x[@]}', '1', '1'],
  ['n=$0; echo `x[$0]=2; x[n]=1; echo ${x[n]}`', '3', '1'],
  ['case x in x)x[$0]=1; echo ${x[3]};; esac', '3', '1'],
  ['read OPTIND <<< "$0"; echo $OPTIND', '3', '3'],
  ['n=$0; OPTIND=n; echo $OPTIND', '3', '3'],
  ['SRANDOM=$0; echo x', '3', 'x'],
  ['x=(1 2); n=$0; echo ${x[@]:n}', '1', '2'],
  // Where what is read here ends elsewhere than it seems.
  ['cat <<A\n$(cat <<B)\nA\n:\nn=$0; (( n > 3 ))\necho x', '4', '\nx'],
  ['x=$(cat <<A\nA)\nn=$0; (( n > 3 )); echo x', '4', 'x'],
  ['n=$0; x=`echo \\$((n))`; echo $x', '4', '4'],
  ['n=$0; echo $(\\\n(n))', '4', '4'],
]

describe('a command in a subscript never runs where bash evaluates what a variable holds', () => {
  test.each(places)('%s', async (script, harmless, output) => {
    for (const args of [subscript, ...others]) {
      const { expand, tree, asked } = await shell({ args })
      expect(await expand(`\`\`\`!\n${script}\n\`\`\``), args).toMatch(
        /^\[shell command not run: the value of \$(?:0|ARGUMENTS) (?:holds what bash would run as a command|stands where the shell calculates)/,
      )
      expect(asked).toEqual([])
      expect(existsSync(`${tree.path}/ran`), args).toBe(false)
    }
    const { expand } = await shell({ args: harmless, host: { env: { PATH: process.env['PATH'], HOME: '/' } } })
    expect(await expand(`\`\`\`!\n${script}\n\`\`\``)).toBe(
      output === '' ? '[shell command failed: exit code 1]' : output,
    )
  })

  test.each([
    ['test $0 $1 || echo no', `-v ${subscript}`, '-z abc', 'no'],
    ['printf "$0" "$1" "$2"', `-v ${subscript} x`, '%s-%s a b', 'a-b'],
    ['n="$0$1"; echo $((n))', 'a[ $(touch${IFS}ran)]', '1 2', '12'],
    ['n="$0$1"; echo $((n))', 'a[$ (touch${IFS}ran)]', '1 2', '12'],
    ['n="$0$1"; echo $((n))', 'a [$(touch${IFS}ran)]', '1 2', '12'],
    ['n="a[$0]"; echo $((n))', '$(touch${IFS}ran)', '0', '0'],
    ['[ -v "a[$0]" ] || echo no', '`touch${IFS}ran`', 'x', 'no'],
    ['n="$0"; unset "a[$n]"; echo x', '$(touch${IFS}ran)', '0', 'x'],
    ['n="$0"; [ -v a[$n] ] || echo no', '$(touch${IFS}ran)', '0', 'no'],
    ['n="$0"; a+=(["${n}"]=2); echo ${a[0]}', '$(touch${IFS}ran)', '0', '2'],
    ['2>&1 [ -v "$0" ] || echo no', subscript, 'x', 'no'],
    ['time -p [ -v "$0" ] 2>/dev/null || echo no', subscript, 'x', 'no'],
    ['declare -a x="$0"; echo $x', '($(touch${IFS}ran))', 'y', 'y'],
    ['x=(); declare x="$0"; echo $x', '($(touch${IFS}ran))', 'y', 'y'],
    ['declare -a "$0"; echo x', 'y=($(touch${IFS}ran))', 'y', 'x'],
    ['y[1]=1; declare y="$0"; echo $y', '($(touch${IFS}ran))', 'x', 'x'],
    ['declare -A y; declare y="$0"; echo ${y[0]}', '([k]=$(touch${IFS}ran))', 'x', 'x'],
    ['n="$0$1"; echo $((n))', 'a[$ (>ran)]', '1 2', '12'],
    ['echo x >&"$0"; cat y', '$(touch${IFS}ran)', 'y', 'x'],
    ['n=$0; echo x 1>&$n; cat y', '`touch${IFS}ran`', 'y', 'x'],
  ])('nor one that is put together: %s', async (script, args, harmless, output) => {
    const { expand, tree, asked } = await shell({ args })
    expect(await expand(`!\`${script}\``)).toMatch(
      /^\[shell command not run: the value of \$[01] holds what bash would run as a command/,
    )
    expect(asked).toEqual([])
    expect(existsSync(`${tree.path}/ran`)).toBe(false)
    const { expand: harmlessly } = await shell({ args: harmless })
    expect(await harmlessly(`!\`${script}\``)).toBe(output)
  })

  it('which real bash would, without being kept from it', async () => {
    const { expand, tree } = await shell()
    expect(await expand(`!\`export X='${subscript}'; [ -v "$X" ]; echo done\``)).toBe('done')
    expect(existsSync(`${tree.path}/ran`)).toBe(true)
  })
})

describe('a value passes as it is', () => {
  test.each([
    'printf %s "$ARGUMENTS"',
    '[ -n "$ARGUMENTS" ] && printf %s "$ARGUMENTS"',
    '[[ -n $ARGUMENTS && $ARGUMENTS != x ]] && printf %s "$ARGUMENTS"',
    'x="$ARGUMENTS"; export y="$x"; printf %s "$y"',
    'if [ "$ARGUMENTS" = x ] || [ $# -eq 0 ]; then printf %s "$ARGUMENTS"; fi',
    'f() { local x="$1"; printf %s "$x"; }; f "$ARGUMENTS"',
    'read -r a <<< "$ARGUMENTS"; printf %s "$a"',
    'grep -v zz <<< "$ARGUMENTS"',
    'x=(a b); for y in "${!x[@]}"; do : "${x[0]}" "${#x[@]}" "${x[@]}"; done; printf %s "$ARGUMENTS"',
    'echo install x[all] y[n] >&2; printf %s "$ARGUMENTS"',
    'exec 3>&1; printf %s "$ARGUMENTS" >&3',
    'echo "let $ARGUMENTS" | cut -c 5-',
    'echo test -v $ARGUMENTS | cut -c 9-',
    'printf -- "%s" "$ARGUMENTS"',
  ])('with any content, where nothing is evaluated: %s', async script => {
    for (const args of [subscript, ...others]) {
      const { expand, tree } = await shell({ args })
      expect(await expand(`\`\`\`!\n${script}\n\`\`\``), args).toBe(args)
      expect(existsSync(`${tree.path}/ran`)).toBe(false)
    }
  })

  it('where something is evaluated too, unless it holds a bracket and a command behind it', async () => {
    const { expand } = await shell({ args: 'Fix [this] and `that` of list[0], $5 or ${x}[1]' })
    expect(await expand('```!\nx="$ARGUMENTS"; i=1; (( i++ )); printf %s "$x"\n```')).toMatch(
      /^\[shell command not run/,
    )
    const inPlace = await shell({ args: '$(id) `id`' })
    expect(await inPlace.expand('```!\ni=0; a[$i]="$ARGUMENTS"; (( i++ )); printf %s "${a[$((i - 1))]}"\n```')).toBe(
      '$(id) `id`',
    )
    for (const args of [
      'Fix [this] and `that`, $5',
      'list[0]',
      '$(id) `id` ${x} <(x)',
      '(a) `b`',
      '${x}[1]',
      'x = $(y) && z[3] > 1',
    ]) {
      expect(await (await shell({ args })).expand('```!\nx="$ARGUMENTS"; i=1; (( i++ )); printf %s "$x"\n```')).toBe(
        args,
      )
    }
    const piece = fc.constantFrom('a', '[', ']', '$(', '`', '${', ' ', '(', ')', '=', '<(', '1')
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('subscripts', 'lists'), (pieces, evaluated) => {
        const value = pieces.join('')
        const bracket = value.search(evaluated === 'lists' ? /[[(]/ : /\[/)
        const isOrdinary = bracket < 0 || !/\$[({[]|`|<\(/.test(value.slice(bracket))
        expect(whyEvaluated([{ reference: '$0', value }], isOrdinary ? evaluated : 'nothing')).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })
})

it('looks at a value once, however often a command refers to it', async () => {
  const denied = { behavior: 'deny', message: 'No.', decisionReason: { type: 'default' } } as const
  const { expand } = await shell({ args: 'x '.repeat(50_000), authorize: async () => denied })
  const timeOf = async (first: string): Promise<number> => {
    const begun = process.cpuUsage().user / 1000
    expect(await expand(`\`\`\`!\n${first}\n${': "$ARGUMENTS"\n'.repeat(5_000)}\`\`\``)).toMatch(
      /^\[shell command not run: No/,
    )
    return process.cpuUsage().user / 1000 - begun
  }
  await timeOf(':')
  const short = await timeOf(':')
  expect(await timeOf('((1))')).toBeLessThan(10 * Math.max(short, 10))
})

it('lets no command of a value run, in scripts made of any pieces', async () => {
  const { tree } = await shell()
  const pieces = fc.constantFrom(
    '$0',
    '"$0"',
    '$1',
    '"$0$1"',
    ' ',
    ' ',
    '; ',
    '\n',
    'n=',
    '$n',
    '"$n"',
    '((',
    '))',
    'n',
    '[[ ',
    ' ]]',
    ' -gt ',
    ' -v ',
    '[ ',
    ' ]',
    'test ',
    'let ',
    'declare ',
    'local ',
    '-i ',
    '-a ',
    '-n ',
    'printf ',
    '-v ',
    'read ',
    '<<< ',
    'unset ',
    '${!n}',
    '${a:n}',
    '${a[n]}',
    'a[',
    ']',
    '=',
    '=(',
    ')',
    '(',
    '$((',
    '$[',
    '{ ',
    ' }',
    'f() ',
    'f ',
    'if ',
    'then ',
    'fi',
    ' && ',
    ' || ',
    '! ',
    '"',
    "'",
    '`',
    '$(',
    'export ',
    'case x in x) ',
    ';; esac',
    'for i in a; do ',
    '; done',
    '\\',
    'x',
    '3',
    '# ',
    '>f ',
  )
  const values = fc.constantFrom(
    subscript,
    `-v ${subscript}`,
    `x ${subscript}`,
    'a[ $(touch${IFS}ran)]',
    'a [$(touch${IFS}ran)]',
    'x=($(touch${IFS}ran))',
    '($(touch${IFS}ran))',
    '[$(touch${IFS}ran)]=1',
    `${subscript} ${subscript}`,
  )
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { minLength: 3, maxLength: 10 }), values, async (parts, args) => {
      const bench = await shell({ args, host: { cwd: tree.path } })
      await bench.expand(`\`\`\`!\n${parts.join('')}\n\`\`\``)
      await bench.close()
      expect(existsSync(`${tree.path}/ran`)).toBe(false)
    }),
    { numRuns: Number(process.env['FUZZ'] ?? 300) },
  )
}, 600_000)
