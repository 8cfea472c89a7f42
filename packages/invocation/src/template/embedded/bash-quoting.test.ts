import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { bashQuoting } from './bash-quoting.js'

/** How each `@` of a script is read. */
function read(script: string): readonly string[] {
  const references = Array.from(script.matchAll(/@/g), ({ index }) => ({ start: index, end: index + 1 }))
  return bashQuoting(script, references).quotings
}

describe('a reference is read as', () => {
  test.each([
    ['a word', 'echo @ a@b; @', ['bare', 'bare', 'bare']],
    ['text in double quotes', 'echo "@ \'@\' \\" @"@', ['quoted', 'quoted', 'quoted', 'bare']],
    ['itself in single quotes', "echo '@ \"@\\'@", ['literal', 'literal', 'bare']],
    ['itself in ANSI-C quotes, whose end may be escaped', "echo $'@\\'@'@", ['literal', 'literal', 'bare']],
    ['a word where a dollar sign in double quotes begins no ANSI-C quotes', 'echo "$\'@" @', ['quoted', 'bare']],
    ['a word behind an escaped quote', 'echo \\\'@\\"@', ['bare', 'bare']],
    ['nothing where it is escaped itself', 'echo \\@ "\\@" @', ['unread', 'unread', 'bare']],
    ['nothing in a comment', "echo # it's @\necho a#@ $#@", ['unread', 'bare', 'bare']],
    ['a word in a substitution, in quotes too', 'echo $(id @) "$(id @ "@")" @', ['bare', 'bare', 'quoted', 'bare']],
    ['a word between backticks', 'echo `id @` "`id @`@"', ['bare', 'bare', 'quoted']],
    [
      'a word in a `case` in a substitution, whose patterns end with a bracket',
      'echo "$(case a in @) echo @;; (b) case @ in @) :;; esac;; @) esac) @" @',
      ['bare', 'bare', 'bare', 'bare', 'bare', 'quoted', 'bare'],
    ],
    [
      'text behind a substitution with a word that is no keyword',
      'echo "$(echo case esac) @ $(case x in esac) @"',
      ['quoted', 'quoted'],
    ],
    ['a word in a process substitution', 'diff <(cat @) >(cat @) @', ['bare', 'bare', 'bare']],
    [
      'what is around a parameter expansion',
      'echo ${a:-@} "${a:-@}" ${a#\'@\'} "${a:-it\'s @}"',
      ['bare', 'quoted', 'literal', 'quoted'],
    ],
    [
      'text in a here-document',
      'cat <<EOF\n@ "@" \'@\' $(id @)\nEOF\n@',
      ['quoted', 'quoted', 'quoted', 'bare', 'bare'],
    ],
    [
      'itself in one with a quoted delimiter',
      'cat <<\'A\' <<"B" <<\\C\n@\nA\n@\nB\n@\nC\n@',
      ['literal', 'literal', 'literal', 'bare'],
    ],
    ['itself as the delimiter', 'cat <<@\n', ['literal']],
    ['text in one with indented lines', 'cat <<-A @\n\t@\n\tA\n@', ['bare', 'quoted', 'bare']],
    ['text in one with carriage returns', 'cat <<A\r\n@\r\nA\r\n@', ['quoted', 'bare']],
    ['a word behind a here-string', 'cat <<<@ <<< "@"', ['bare', 'quoted']],
    ['text in one that does not end', 'cat <<A\n@', ['quoted']],
    ['a word in a test of text', '[[ @ == "@" ]] && [ @ -eq 1 ]', ['bare', 'quoted', 'bare']],
  ])('%s', (_, script, quotings) => {
    expect(read(script)).toEqual(quotings)
  })
})

describe('a reference is a number where bash calculates:', () => {
  test.each([
    ['in a sum', 'echo $((@ + (1 + @))) @', ['number', 'number', 'bare']],
    ['in a sum with text and substitutions', 'echo "$(("@" + $(id @)))@"', ['number', 'number', 'quoted']],
    ['in an old sum', 'echo $[a[@] + @] @', ['number', 'number', 'bare']],
    ['in a sum that is a command', 'for ((i = @; i < @; i++)); do echo @; done', ['number', 'number', 'bare']],
    ['in a subscript', 'a[@]=1; echo ${a[@]} ${a["@"]} @', ['number', 'number', 'number', 'bare']],
    ['in a substring', 'echo ${a:@} "${a:1:@}" ${a: -@} ${a:-@}', ['number', 'number', 'number', 'bare']],
    ['in a test of numbers', '[[ @ -gt "@" ]] && echo @', ['number', 'number', 'bare']],
    [
      'in one that goes on behind what looks like its end',
      '[[ @ == "a ]]" || @ -gt 3 ]]; echo @',
      ['number', 'number', 'bare'],
    ],
    ['in one in parentheses', 'if [[ ( @ -gt 3 ) && @ ]]; then echo @; fi', ['number', 'number', 'bare']],
    ['in one that goes over lines', '[[ @ -g\\\nt 3 ||\n @ ]]', ['number', 'number']],
    ['in one that does not end', '[[ @ -eq 3', ['number']],
    ['in the words of let', 'let @ "x = @"; echo @', ['number', 'number', 'bare']],
    [
      'in the words of let, wherever it stands',
      'if x=1 command let @; then { let @; }; fi; f() { l\\et @; }; for i in a; do "let" @; done; echo `let @` | let @ & (let @)',
      ['number', 'number', 'number', 'number', 'number', 'number', 'number'],
    ],
    ['in a declaration of a number', 'declare -i n=@; local -ri n="@"; declare n=@', ['number', 'number', 'bare']],
    ['in a subscript of a list', 'a=(@ [@]=@ [ab]*@) b+=( [@]=x )', ['bare', 'number', 'bare', 'bare', 'number']],
    [
      'not in the brackets of a word that an ordinary command is given',
      'pip install a[@] b@[@] c',
      ['bare', 'bare', 'bare'],
    ],
    ['in a sum whose end cannot be told', "echo $(( '))' )) @", ['number']],
    ['in a sum around patterns', 'echo $(( $(case a in a) echo 1;; esac)) + @ ))', ['number']],
    ['in a sum that does not end', 'echo $((1 + "\n@', ['number']],
  ])('%s', (_, script, quotings) => {
    expect(read(script)).toEqual(quotings)
  })
})

describe('a script evaluates', () => {
  test.each([
    [
      'nothing',
      [
        'echo @',
        '[ -n "@" ] || [ "@" = "@" ]',
        '[[ -n @ ]]',
        'test -f @',
        'printf "%s" @',
        'printf -- @',
        'export x=@',
        'local x="$1"; readonly y=@',
        'read -r x <<< @',
        'unset x',
        'grep -v @',
        'command -v @',
        "echo '$((n))'",
        'echo "${x:-@}"',
        'x=(@)',
        'echo let @ # let @',
        'cat <<A\nlet @\nA',
        'wait',
        '[ $# -gt 0 ]',
      ],
    ],
    [
      'subscripts',
      [
        'let n',
        'let @',
        '((n))',
        'echo $((n))',
        'echo $[n]',
        'echo ${!n}',
        'echo ${x:n}',
        'echo ${x[n]}',
        'x[n]=1',
        'declare -i n',
        '[ -v @ ]',
        '[ "@" "@" ]',
        '[ $n ]',
        'test -v n',
        'test `x`',
        '[ "-v" @ ]',
        '[[ -v n ]]',
        '[[ n -eq 1 ]]',
        'printf @',
        'printf "-$x" @',
        'printf -v n x',
        'read @',
        'readarray "$n"',
        'declare -n x=@',
        'getopts a @',
        'wait -p @',
        'SECONDS=@',
        'if true; then printf "@"; fi',
        'x=(); read -r "$n"',
        'echo "$(unset @)"',
        'cat <<A\n$(unset @)\nA',
        '<f read @',
        'case x in a) unset @;; esac',
      ],
    ],
    [
      'lists',
      [
        'declare -a x=@',
        'typeset -A x="$n"',
        'x=(); declare x="@"',
        'declare "@"',
        'export @',
        'x=(1); f() { local x=@; }',
      ],
    ],
    [
      'everything',
      [
        'unset "a[@]"',
        'declare "a[@]=1"',
        'unset "a[$n]"',
        'read a[$n]',
        'n="a[$m]"; ((n))',
        'a=(["$n"]=1)',
        '[ -v "a[`x`]" ]',
      ],
    ],
    [
      'subscripts',
      [
        'if true; then a[$i]=@; fi',
        'x=1 a[$i]=1',
        'echo "${a[$i]}"',
        '2>f read @',
        'time -p unset @',
        'echo "[$n]"; ((n))',
      ],
    ],
    ['nothing', ['echo "list[@]"', 'echo "a[$n]"']],
    [
      'nothing',
      [
        'echo "${x[*]}" "${#x[*]}" ${!x[*]} ${!x*} "${x[3]:-@}" @',
        'x[0]=@',
        'x=([0]=@)',
        'pip install x[all] y[n] @',
        './x y[@]',
        'SECONDS=0; RANDOM=$$; OPTIND=$#',
        'f() { local OPTIND; }',
        'echo x >&2',
        'echo x 2>&$n',
        'echo x &>@',
        'echo x >@ &',
        'echo `date` @ `date`',
        'cat <<A | (\nlet @\nA\ncat)',
        '(cat <<A\n@\nA\n)',
        'x=$(cat <<A\n@\nA\n)',
        'echo a \\\n  [b] \\\n  @',
        'echo "${x:-\\\n@}"',
        'true && \\\n[ -n @ ] && \\\n[[ -n @ ]]',
        'echo \\\n$x "a\\\n[@]"',
      ],
    ],
    [
      'subscripts',
      [
        'declare -n n',
        "unset 'a[n]'",
        'read "a[n]"',
        "declare 'a[n]=1'",
        'RANDOM=n',
        'SRANDOM=@',
        'read OPTIND',
        'for RANDOM in @; do :; done',
        'export SECONDS=@',
        'exec {a[n]}>f',
        'echo ${x[*]:n}',
        'echo ${!x[*]-y}',
        'echo `x[n]=1`',
        'case x in x)x[n]=1;; esac',
        '$y x[n]',
        'x=1 y[n]=2',
        '"unset" x[n]',
      ],
    ],
    ['lists', ['x[1]=1; declare x="@"', 'declare -A x; declare x="@"', 'coproc x { :; }; declare x="@"']],
    // What is expanded twice, and what cannot be told: where a here-document or a script between backticks ends, and an
    // operator that goes on in the next line.
    [
      'everything',
      [
        'echo x >&@',
        'echo x 1>&"$n"',
        'echo x >& f$n',
        'echo x >\\\n&@',
        'x=`cat <<A`\nlet @\nA',
        'x=$(cat <<A\nA)\nlet @',
        'x=`cat <<A\n`; let @\nA',
        'cat <<A $(\nlet @)\nA',
        'cat <<A\n$(cat <<B)\nA\n:\nlet @\nB',
        'cat <<$(x)\n$(x)\nlet @',
        'cat <<A\\\nB\nAB\nlet @',
        'cat << \\\nA\nA\nlet @',
        '`echo \\`let @\\``',
        '`echo \\$((n))`',
        "`echo '`; let @; echo '`",
        '`a # `; let @',
        '"`echo "`; let @',
        'echo $(\\\n(n))',
        '(\\\n(n))',
        'echo "$\\\n((n))"',
        'echo $\\\n[n]',
        'echo ${\\\n!n}',
        'echo ${x\\\n:n}',
        'echo ${x\\\n[n]}',
        'x\\\n[n]=1',
        'x=(a \\\n[n]=1)',
        'x=\\\n([n]=1)',
        'cat <\\\n<A\n@\nA',
        "cat <<-\\\nA\n'\n\tA\nlet @\n'",
        '$((echo 1) | cat); [ -v "a[$n]" ]',
      ],
    ],
  ])('%s', (evaluated, scripts) => {
    for (const script of scripts) {
      const references = Array.from(script.matchAll(/@/g), ({ index }) => ({ start: index, end: index + 1 }))
      expect(bashQuoting(script, references).evaluated, script).toBe(evaluated)
    }
  })
})

test.each([
  'let $(',
  'let @ ',
  '[[ ',
  '[[ @ -gt ',
  ' ( ',
  'x=( ',
  '"$(',
  'a[',
  '{ ',
  'declare -i @ ',
  'do ',
  'for ',
  '\\\n',
  '${a:-',
  'f() ',
  'x=1 a[',
  'read a[',
  'a[n]=1 ',
  'cat <<A\n$(',
  '<<A\n`',
  'cat <<A\n$(cat <<B\n)\nA\n',
  '"a[$',
  '<(',
  '<<A\n',
  '[[ (',
  'test @ @ ',
])('takes time in proportion to a script of %j', piece => {
  const timeOf = (length: number): number => {
    const begun = process.cpuUsage().user / 1000
    read(piece.repeat(length / piece.length))
    return process.cpuUsage().user / 1000 - begun
  }
  const short = timeOf(2_000)
  // A hundred times as much would take ten thousand times as long.
  expect(timeOf(200_000)).toBeLessThan(1_000 * Math.max(short, 1))
})

it('finds where the last command begins', () => {
  const last = (script: string): string => script.slice(bashQuoting(script, []).lastCommand)
  expect(last('a | grep "x|y" 2>&1\n')).toBe(' grep "x|y" 2>&1\n')
  expect(last('grep x $(a; b) &>c')).toBe('grep x $(a; b) &>c')
  expect(last('cat <<A && diff a b\nx\nA\n')).toBe(' diff a b\nx\nA\n')
  expect(last('grep a b;\nid')).toBe('id')
})

it('gives every reference one answer, regardless of the script', () => {
  const pieces = fc.constantFrom(
    '@',
    ' ',
    '\n',
    "'",
    '"',
    '`',
    '\\',
    '$',
    '(',
    ')',
    '((',
    '))',
    '{',
    '}',
    '${',
    '[',
    ']',
    '[[ ',
    '<<A',
    '\nA\n',
    '#',
    'case',
    ':',
    'a',
    '|',
    "$'",
    '<',
    '-eq ',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), parts => {
      const script = parts.join('')
      const answers = read(script)
      expect(answers).toHaveLength(parts.filter(part => part === '@').length)
    }),
    { numRuns: 2000 },
  )
})
