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
    ['a word behind an escaped quote', "echo \\'@\\\"@", ['bare', 'bare']],
    ['nothing where it is escaped itself', 'echo \\@ "\\@" @', ['unread', 'unread', 'bare']],
    ['nothing in a comment', "echo # it's @\necho a#@ $#@", ['unread', 'bare', 'bare']],
    ['a word in a substitution, in quotes too', 'echo $(id @) "$(id @ "@")" @', ['bare', 'bare', 'quoted', 'bare']],
    ['a word between backticks', 'echo `id @` "`id @`@"', ['bare', 'bare', 'quoted']],
    ['a word in a process substitution', 'diff <(cat @) >(cat @) @', ['bare', 'bare', 'bare']],
    ['what is around a parameter expansion', 'echo ${a:-@} "${a:-@}" ${a#\'@\'} "${a:-it\'s @}"', ['bare', 'quoted', 'literal', 'quoted']],
    ['text in a here-document', 'cat <<EOF\n@ "@" \'@\' $(id @)\nEOF\n@', ['quoted', 'quoted', 'quoted', 'bare', 'bare']],
    ['itself in one with a quoted delimiter', "cat <<'A' <<\"B\" <<\\C\n@\nA\n@\nB\n@\nC\n@", ['literal', 'literal', 'literal', 'bare']],
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
    ['in a sum whose end cannot be told', "echo $(( '))' )) @", ['number']],
    ['in a sum around patterns', 'echo $(( $(case a in a) echo 1;; esac)) + @ ))', ['number']],
    ['in a sum that does not end', 'echo $((1 + "\n@', ['number']],
  ])('%s', (_, script, quotings) => {
    expect(read(script)).toEqual(quotings)
  })
})

it('finds where the last command begins', () => {
  const last = (script: string): string => script.slice(bashQuoting(script, []).lastCommand)
  expect(last('a | grep "x|y" 2>&1\n')).toBe(' grep "x|y" 2>&1\n')
  expect(last('grep x $(a; b) &>c')).toBe('grep x $(a; b) &>c')
  expect(last('cat <<A && diff a b\nx\nA\n')).toBe(' diff a b\nx\nA\n')
  expect(last('grep a b;\nid')).toBe('id')
})

it('gives every reference one answer, whatever the script', () => {
  const pieces = fc.constantFrom('@', ' ', '\n', "'", '"', '`', '\\', '$', '(', ')', '((', '))', '{', '}', '${', '[', ']', '[[ ', '<<A', '\nA\n', '#', 'case', ':', 'a', '|', '$\'', '<', '-eq ')
  fc.assert(fc.property(fc.array(pieces, { maxLength: 60 }), parts => {
    const script = parts.join('')
    const answers = read(script)
    expect(answers).toHaveLength(parts.filter(part => part === '@').length)
  }), { numRuns: 2000 })
})
