import fc from 'fast-check'
import { existsSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { shell } from '../../test/shell.js'

/** Hostile value. No reference here splits it at spaces, and it would leave a file behind if its command ran. */
const subscript = 'a[$(touch${IFS}ran)]'
const others = [
  'a[`touch${IFS}ran`]',
  '1+a[$(touch${IFS}ran)]',
  'a[0]+a[${x:=$(touch${IFS}ran)}]',
  'a[$(touch${IFS}ran>&2)]=1',
  'x=a[$(touch${IFS}ran)]',
  'a[1<(touch${IFS}ran)$(touch${IFS}ran)]',
]

/** Scripts whose value bash evaluates, each with a harmless value and its output. */
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
  ['printf -v "$0" x 2>/dev/null; echo y', '3', 'y'],
  ['read -r "$0" <<< x 2>/dev/null; echo y', '3', 'y'],
  ['declare "$0=1" 2>/dev/null; echo y', '3', 'y'],
  ['declare -n r="$0" 2>/dev/null; echo y', '3', 'y'],
  ['[[ $0 == "a ]]" || $0 -gt 3 ]] && echo yes', '4', 'yes'],
  ['[[ ( $0 -gt 3 ) && -n a ]] && echo yes', '4', 'yes'],
  ['[[ -v $0 ]] && echo yes', '3', ''],
  ['wait -p "$0" -n 2>/dev/null; echo x', '3', 'x'],
  ['mapfile -t "$0" <<< x 2>/dev/null; echo y', '3', 'y'],
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
  ['n=$0; unset "$n" 2>/dev/null; echo x', '3', 'x'],
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
  // Where the script ends elsewhere than our parser thinks.
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
        /^\[shell command not run: the value of \$(?:0|ARGUMENTS) (?:reaches "|stands where the shell calculates)/,
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
    ['test $0 $1 || echo no', `-v ${subscript}`, 'x abc', 'no'],
    ['printf "$0" "$1" "$2"', `-v ${subscript} x`, '3 a b', '3'],
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
    ['declare -a "$0" 2>/dev/null; echo x', 'y=($(touch${IFS}ran))', '3', 'x'],
    ['y[1]=1; declare y="$0"; echo $y', '($(touch${IFS}ran))', 'x', 'x'],
    ['declare -A y; declare y="$0"; echo ${y[0]}', '([k]=$(touch${IFS}ran))', 'x', 'x'],
    ['n="$0$1"; echo $((n))', 'a[$ (>ran)]', '1 2', '12'],
    ['echo x >&"$0"; cat y', '$(touch${IFS}ran)', 'y', 'x'],
    ['n=$0; echo x 1>&$n; cat y', '`touch${IFS}ran`', 'y', 'x'],
  ])('nor one that is put together: %s', async (script, args, harmless, output) => {
    const { expand, tree, asked } = await shell({ args })
    expect(await expand(`!\`${script}\``)).toMatch(/^\[shell command not run: .* \$[01] /)
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

  test.each(['fix the login bug', '123', 'src/app.ts', 'feature/x-1', 'ünï.md', 'a@b:c,d_e 50%'])(
    'where something is evaluated too, if it holds no character that bash would evaluate: %s',
    async args => {
      const { expand } = await shell({ args })
      expect(await expand('```!\nx="$ARGUMENTS"; i=1; (( i++ )); printf %s "$x"\n```')).toBe(args)
      expect(await expand('```!\nx="$ARGUMENTS"; (( x > 3 )) 2>/dev/null; printf %s "$x"\n```')).toBe(args)
    },
  )
})

describe('a value is text to', () => {
  const plain = [
    'echo "$0" | grep -E "^(dev|staging)$" || echo INVALID',
    'test -f $0 && echo EXISTS || echo MISSING',
    'npm test $0',
    'gh pr view $0',
    'node ${CLAUDE_PLUGIN_ROOT}/scripts/lint.js $0',
    '"${CLAUDE_PLUGIN_ROOT}/scripts/setup.sh" $ARGUMENTS',
    'bash ${CLAUDE_PLUGIN_ROOT}/scripts/build.sh "$0" 2>&1 || echo FAILED',
    'x="$0"; git log --grep "$x" -- "$x" | head -20',
    'for f in "$0" "$1"; do cat "$f"; done',
    'while read -r l; do echo "$l"; done <<< "$0"',
    'f() { local a="$1"; printf "%s" "$a"; }; f "$0"',
    'find . -name "*$0*" -type f',
    'python3 - "$0" <<\'E\'\nimport sys\nE',
    'awk -v x="$0" \'{ print x }\' file',
    'n=$(ls | wc -l); echo $((n + 1)) "$0"',
    '[[ $0 =~ ^[0-9]+$ ]] && gh issue view "$0"',
    'set -euo pipefail; export MSG="$0"; node x.js',
    'trap "rm -f x" EXIT; cat "$0" > x',
    'IFS=, read -ra parts <<< "$0"; for p in "${parts[@]}"; do echo "$p"; done',
    'CMD="git log"; $CMD -- "$0"',
    'make $0',
  ]
  test.each(plain)('%s', async script => {
    for (const args of [subscript, 'It\'s "quoted"', 'fix the login bug', '123', 'src/app.ts', 'feature/x-1'])
      expect(await refusedIn(script, script.startsWith('make') ? 'all' : args), args).toBeUndefined()
  })

  // None of these calculates: the value goes to a program, a function, a file or a variable.
  test.each([
    'eval "$0"',
    'eval "echo $0"',
    'trap "$0" EXIT',
    'trap -- "$0" EXIT',
    '. <(echo "$0")',
    'source /dev/stdin <<< "$0"',
    'echo "$0" > s.sh; bash s.sh',
    'tee s.sh <<< "$0"; . ./s.sh',
    't=$(mktemp); echo "$0" > "$t"; sh "$t"',
    'bash -c "$0"',
    'bash -c \'eval "$1"\' _ "$0"',
    'x=$0; export x; bash -c \'eval "$x"\'',
    'x="$0" timeout 5 sh -c \'eval "$x"\'',
    'bash <<E\necho $0\nE',
    'echo "$0" | bash',
    'cat "$0" | while read -r l; do eval "$l"; done',
    'exec 3<<< "$0"; bash <&3',
    'echo x > >(sh -s "$0")',
    '"$0"',
    'x=$0; $x',
    'command "$0"',
    '{eval,"$0"}',
    'c="eval echo"; $c "$0"',
    'IFS=:; c=eval:x; $c "$0"',
    'x="sh -c"; env $x "$0"',
    'env $(echo sh) -c "$0"',
    'env -S "$0"',
    'xargs sh -c <<< "$0"',
    'find . -exec "$0" \\;',
    'perl -e "$0"',
    'node -e "$0"',
    'python3 -c "$0"',
    'ssh host "$0"',
    'alias x=echo; echo "$0"',
    'shopt -s expand_aliases; echo "$0"',
    'set -o posix; echo "$0"',
    'enable -f ./x echo; echo "$0"',
    'hash -p /bin/sh foo; foo "$0"',
    'command_not_found_handle() { eval "$@"; }; nothing "$0"',
    'echo() { eval "$@"; }; echo "$0"',
    'f() { "$@"; }; f "$0"',
    'f() { eval "$1"; }; f "$0"',
    'PATH="$0:$PATH"; ls',
    'PATH="$0" ls',
    'for PATH in "$0"; do ls; done',
    'read PATH <<< "$0"; ls',
    'PS4="$0"; set -x; ls',
    'BASH_ENV="$0" bash x.sh',
    'GIT_SSH_COMMAND="$0" git fetch',
    'IFS="$0"',
    'mapfile -C "$0" x < f',
    'compgen -W "$0"',
    'coproc sh; echo "$0" >&"${COPROC[1]}"',
    'echo "${x@P}" "$0"; x="$0"',
    'declare -A m; m[$0]=1',
    'git fetch origin "$0" --upload-pack="$0"',
    'git "$0"',
    'echo "$0',
  ])('but not to %s', async script => {
    for (const args of ['touch ran', "--x='y'; touch ran"]) expect(await refusedIn(script, args), args).toMatch(/./)
    for (const args of ['12', '0']) expect(await refusedIn(script, args), args).toBeUndefined()
  })

  test.each([
    ['awk "BEGIN { $0 }"', 'system("touch"FS"ran")'],
    ['sed "s/x/$0/" f', 'y/e;1etouch'],
    ['node "$0"', './other.js'],
    ['make $0', 'X=$(shell', 'touch', 'ran)'],
    ['git fetch origin $0', '--upload-pack=x'],
    ['git grep $0', '-Otouch'],
    ['x=$0; find . $x', '-exec'],
    ['x=$(echo "$0"); sed -n "$x" f', '1e'],
    ['n=$0; e=; m=n$e; echo $((m))', 'a[$(id)]'],
    ['n=$0; let ${!n@}', 'a[$(id)]'],
    ['n=$0; echo ${!n[@]:0}', 'a[$(id)]'],
    ['echo ${!#:"$0"}', 'a[$(id)]'],
    ['sh() { :; }; command sh -c "$0"', 'x;id'],
    ['set $0; echo "$-"', '-k'],
    ['m=n; n=$0; echo $((m))', 'a[$(id)]'],
    ['declare -i m; n=$0; m=n', 'a[$(id)]'],
    ['n=$0; read -r m <<< n; echo $((m))', 'a[$(id)]'],
    ['n=$0; m=$(echo n); echo $((m))', 'a[$(id)]'],
    ['f() { local m=$1; echo $((m)); }; n=$0; f n', 'a[$(id)]'],
  ])('and not to %s with %s', async (script, ...args) => {
    const refused = await refusedIn(script, args.join(' '))
    expect(refused).toMatch(/reaches/)
    expect(await refusedIn(script, '12')).toBeUndefined()
  })

  test.each([
    ['declare', ['-a', '-A', '-ax', '-aU', '-ga']],
    ['typeset', ['-a', '-A', '-ra']],
    ['local', ['-a', '-A']],
    ['readonly', ['-a', '-A']],
    ['export', ['-a', '-A']],
  ])('nor to a list of %s that is written as text', async (name, options) => {
    for (const option of options)
      for (const value of ['"($0)"', '"([0]=$0)"', '$x', '"$x"', '"${x}"', '"(${y[@]})"'])
        expect(await refusedIn(`f() { x=$0; y=($0); ${name} ${option} a=${value}; }; f`, '$(touch ran)')).toMatch(
          /again|run/,
        )
  })

  test.each([
    'check() { [ "$@" ]; }; check $0 $1',
    'check() { test "$@"; }; check "$0" "$1"',
    'a=($0 $1); [ "${a[@]}" ]',
    'test {"$0","$1"}',
    '[ {$0,$1} ]',
    'set -- $0 $1; [ "$@" ]',
    'set -- $0 $1; [ $* ]',
    'x=$ARGUMENTS; [ $x ]',
    'op=$0; [ "$op" "$1" ]',
    '[ ! "$0" "$1" ]',
    '[ "$0" = x -o -v "$1" ]',
    'for o in $0; do [ $o "$1" ]; done',
    'x=$1; [ -v "a[x]" ]',
  ])('nor to a test with an operator of its own: %s', async script => {
    expect(await refusedIn(script, '-v a[$(touch${IFS}ran)]')).toMatch(/evaluates the value again/)
    expect(await refusedIn(script, 'x main')).toBeUndefined()
  })
})

/** Returns why a command is refused before anyone is asked. */
async function refusedIn(script: string, args: string): Promise<string | undefined> {
  const denied = { behavior: 'deny', message: 'No.', decisionReason: { type: 'default' } } as const
  const { expand, asked } = await shell({ args, authorize: async () => denied })
  const text = await expand(`\`\`\`\`!\n${script}\n\`\`\`\``)
  return asked.length > 0 ? undefined : text
}

it('looks at a value once, however often a command refers to it', async () => {
  const denied = { behavior: 'deny', message: 'No.', decisionReason: { type: 'default' } } as const
  const { expand } = await shell({ args: 'x '.repeat(50_000), authorize: async () => denied })
  const timeOf = async (first: string): Promise<number> => {
    const begun = process.cpuUsage().user / 1000
    expect(await expand(`\`\`\`!\n${first}\n${': "$ARGUMENTS"\n'.repeat(2_000)}\`\`\``)).toMatch(/not run: No/)
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
