import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { bashQuoting } from './bash-quoting.js'

/** Returns how each `@` of a script is quoted. */
function read(script: string): readonly string[] {
  const references = Array.from(script.matchAll(/@/g), ({ index }) => ({ start: index, end: index + 1 }))
  return bashQuoting(script, references).quotings
}

describe('a reference is read as', () => {
  test.each([
    ['a word', 'echo @ a@b; @', ['bare', 'bare', 'bare']],
    ['text in double quotes', 'echo "@ \'@\' \\" @"@', ['quoted', 'quoted', 'quoted', 'bare']],
    ['itself in single quotes', "echo '@ \"@\\'@", ['single', 'single', 'bare']],
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
    ['what is around a parameter expansion', 'echo ${a:-@} "${a:-@}" ${a#\'@\'}', ['bare', 'quoted', 'single']],
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

describe('a reference is read as any other where bash calculates, and all the same where that is not understood:', () => {
  test.each([
    ['in a sum', 'echo $((@ + (1 + @))) @', ['quoted', 'quoted', 'bare']],
    ['in a sum with text and substitutions', 'echo "$(("@" + $(id @)))@"', ['quoted', 'bare', 'quoted']],
    ['in an old sum', 'echo $[a[@] + @] @', ['quoted', 'quoted', 'bare']],
    ['in a sum that is a command', 'for ((i = @; i < @; i++)); do echo @; done', ['quoted', 'quoted', 'bare']],
    ['in a subscript', 'a[@]=1; echo ${a[@]} ${a["@"]} @', ['bare', 'bare', 'quoted', 'bare']],
    ['in a substring', 'echo ${a:@} "${a:1:@}" ${a: -@} ${a:-@}', ['bare', 'quoted', 'bare', 'bare']],
    ['in a test of numbers', '[[ @ -gt "@" ]] && echo @', ['bare', 'quoted', 'bare']],
    [
      'in one that goes on behind what looks like its end',
      '[[ @ == "a ]]" || @ -gt 3 ]]; echo @',
      ['bare', 'bare', 'bare'],
    ],
    ['in one in parentheses', 'if [[ ( @ -gt 3 ) && @ ]]; then echo @; fi', ['bare', 'bare', 'bare']],
    ['in one that goes over lines', '[[ @ -g\\\nt 3 ||\n @ ]]', ['bare', 'bare']],
    ['in one that does not end', '[[ @ -eq 3', ['quoted']],
    ['in the words of let', 'let @ "x = @"; echo @', ['bare', 'quoted', 'bare']],
    [
      'in the words of let, wherever it stands',
      'if x=1 command let @; then { let @; }; fi; f() { l\\et @; }; for i in a; do "let" @; done; echo `let @` | let @ & (let @)',
      ['bare', 'bare', 'bare', 'bare', 'bare', 'bare', 'bare'],
    ],
    ['in a declaration of a number', 'declare -i n=@; local -ri n="@"; declare n=@', ['bare', 'quoted', 'bare']],
    ['in a subscript of a list', 'a=(@ [@]=@ [ab]*@) b+=( [@]=x )', ['bare', 'bare', 'bare', 'bare', 'bare']],
    [
      'not in the brackets of a word that an ordinary command is given',
      'pip install a[@] b@[@] c',
      ['bare', 'bare', 'bare'],
    ],
    ['in a sum whose end cannot be told', "echo $(( '))' )) @", ['bare']],
    ['in a sum around patterns', 'echo $(( $(case a in a) echo 1;; esac)) + @ ))', ['quoted']],
    ['in a sum that does not end', 'echo $((1 + "\n@', ['quoted']],
  ])('%s', (_, script, quotings) => {
    expect(read(script)).toEqual(quotings)
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
  // Quadratic time would take nine hundred times as long for thirty times the length.
  expect(timeOf(60_000)).toBeLessThan(300 * Math.max(short, 1))
})

it('finds where the last command begins', () => {
  const last = (script: string): string => script.slice(bashQuoting(script, []).lastCommand)
  expect(last('a | grep "x|y" 2>&1\n')).toBe('grep "x|y" 2>&1\n')
  expect(last('grep x $(a; b) &>c')).toBe('grep x $(a; b) &>c')
  expect(last('cat <<A && diff a b\nx\nA\n')).toBe('diff a b\nx\nA\n')
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
