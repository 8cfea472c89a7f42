import fc from 'fast-check'
import { existsSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { shell } from '../../test/shell.js'

/** Hostile values: each would leave a file behind if any part of it ran. */
const hostile = [
  '$ARGUMENTS',
  '$0',
  '$&',
  '!`touch ran`',
  '$(touch ran)',
  '`touch ran`',
  '"; touch ran; "',
  "'; touch ran; '",
  '"$(touch ran)"',
  "'$(touch ran)'",
  '; touch ran',
  '\ntouch ran\n',
  'EOF\ntouch ran\n',
  '\\',
  '\\"',
  "\\'; touch ran #",
  '${x:-$(touch ran)}',
  'a[$(touch ran)]',
  '$((a[$(touch ran)]))',
  '* ~ {a,b}',
  '> ran',
  '| touch ran',
  '& touch ran',
  '-n',
  '',
  '  two  spaces  ',
  'ünï 😀',
  '\r\n',
  '%s\\n',
  '$SKILL_ARG_0',
  '${SKILL_ARG_0}',
]

describe('an argument comes through as it is, and never as script text,', () => {
  test.each([
    ['where it stands bare', 'printf %s $ARGUMENTS'],
    ['in double quotes', 'printf %s "$ARGUMENTS"'],
    ['in a here-document', 'cat <<EOF | head -c -1\n$ARGUMENTS\nEOF'],
    ['in a here-string', 'cat <<<$ARGUMENTS | head -c -1'],
    ['in a substitution in quotes', 'printf %s "$(printf "%s." $ARGUMENTS)" | head -c -1'],
    ['between backticks', 'x=`printf "%s." $ARGUMENTS`; printf %s "$x" | head -c -1'],
    ['in a parameter expansion', 'printf %s ${nothing:-$ARGUMENTS}'],
    ['in an assignment', 'x=$ARGUMENTS; printf %s "$x"'],
    ['in a pattern', 'case "$ARGUMENTS" in $ARGUMENTS) printf %s "$ARGUMENTS";; esac'],
    ['in a test', '[[ $ARGUMENTS == $ARGUMENTS ]] && printf %s "$ARGUMENTS"'],
  ])('%s', async (_, script) => {
    for (const args of hostile) {
      const { expand, tree } = await shell({ args, onError: 'abort' })
      expect(await expand(`\`\`\`!\n${script}\n\`\`\``), args).toBe(args.replace(/(?:\r?\n)+$/, ''))
      expect(existsSync(`${tree.path}/ran`), args).toBe(false)
    }
  })

  test.each([
    ["printf %s '$ARGUMENTS'", (args: string) => args],
    ["printf %s 'a $ARGUMENTS b'", (args: string) => `a ${args} b`],
    ['printf %s "a"\'$ARGUMENTS$ARGUMENTS\'', (args: string) => `a${args}${args}`],
  ])('between single quotes too where they are replaced: %s', async (script, shown) => {
    for (const args of hostile) {
      const { expand, tree } = await shell({ args, onError: 'abort', single: 'replaced' })
      expect(await expand(`\`\`\`!\n${script}\n\`\`\``), args).toBe(shown(args).replace(/(?:\r?\n)+$/, ''))
      expect(existsSync(`${tree.path}/ran`), args).toBe(false)
    }
  })

  it('but stays literal between single quotes where it would be code that a program runs', async () => {
    const { expand, tree, asked } = await shell({ args: 'system("touch_ran")', onError: 'abort', single: 'replaced' })
    expect(await expand(`!\`echo x y | awk '{ print NF; $ARGUMENTS }'\``)).toBe('2')
    expect(await expand(`!\`bash -c 'echo $ARGUMENTS'\``)).toBe('')
    expect(asked.map(({ content }) => content)).toEqual([
      "echo x y | awk '{ print NF; $ARGUMENTS }'",
      "bash -c 'echo $ARGUMENTS'",
    ])
    expect(existsSync(`${tree.path}/ran`)).toBe(false)
  })

  test.each([
    ['in single quotes', "printf %s '$ARGUMENTS'"],
    ['in ANSI-C quotes', "printf %s $'$ARGUMENTS'"],
    ['in a here-document whose delimiter is quoted', "cat <<'EOF'\n$ARGUMENTS\nEOF"],
  ])('but stays literal %s', async (_, script) => {
    for (const args of hostile) {
      const { expand, tree, asked } = await shell({ args, onError: 'abort' })
      expect(await expand(`\`\`\`!\n${script}\n\`\`\``), args).toBe('$ARGUMENTS')
      expect(asked).toMatchObject([{ content: script, values: {} }])
      expect(existsSync(`${tree.path}/ran`), args).toBe(false)
    }
  })

  test.each([
    'echo $(($ARGUMENTS + 1))',
    'echo $[$ARGUMENTS+1]',
    '((x = $ARGUMENTS + 1)); echo $x',
    'a[$ARGUMENTS]=x; echo $((${#a[@]} + ${!a[@]}))',
    'x=ab; [[ $ARGUMENTS -gt 2 ]] && echo 4',
  ])('but only as a whole number where bash calculates: %s', async script => {
    for (const args of hostile) {
      const { expand, tree, asked } = await shell({ args })
      const text = await expand(`!\`${script}\``)
      expect(existsSync(`${tree.path}/ran`), args).toBe(false)
      // Bash takes the word of a test for a whole expression, and a text without an operator may be one.
      if (/^[\p{L}\d ]*$/u.test(args) && script.includes('[[')) continue
      expect(text, args).toMatch(/^\[shell command not run: .* \$ARGUMENTS /)
      expect(asked).toEqual([])
      expect(existsSync(`${tree.path}/ran`), args).toBe(false)
    }
    expect(await (await shell({ args: '3' })).expand(`!\`${script}\``)).toBe('4')
  })

  it('in a script of any pieces, with references at any place', async () => {
    const { expand: run, tree } = await shell()
    expect(await run('!`echo ready`')).toBe('ready')
    const pieces = fc.constantFrom(
      'echo ',
      '$ARGUMENTS',
      '"$ARGUMENTS"',
      "'$ARGUMENTS'",
      '"',
      "'",
      ' ',
      '\n',
      '$(',
      ')',
      '`',
      '\\',
      '${x:-',
      '}',
      '<<EOF\n',
      '\nEOF\n',
      '$((',
      '))',
      '((',
      'a[',
      ']=1',
      '[[ ',
      ' -eq ',
      ' ]]',
      '#',
      '; ',
      '|',
      "$'",
      '${x:',
      '$[',
      ']',
      ' case x in x) echo ;; esac ',
      'x=',
      '<(',
      '{ ',
      '(',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { minLength: 2, maxLength: 12 }),
        fc.constantFrom(...hostile),
        async (parts, args) => {
          const bench = await shell({ args, host: { cwd: tree.path } })
          await bench.expand(`\`\`\`!\n${parts.join('')}\n\`\`\``)
          await bench.close()
          expect(existsSync(`${tree.path}/ran`)).toBe(false)
        },
      ),
      {
        numRuns: 300,
        examples: [
          [['echo $((', '`', '$ARGUMENTS', '`', '))'], 'a[$(touch ran)]'],
          [['echo $((1 + "', '$ARGUMENTS', '"))'], 'a[$(touch ran)]'],
        ],
      },
    )
  })
})

it('is told to the permission apart from the script', async () => {
  const { expand, asked } = await shell({ args: 'one two' })
  expect(await expand('!`echo $1 "$0" $1 \\$0 $7`\n!`echo $ARGUMENTS`')).toBe('two one two $0\none two')
  expect(asked).toEqual([
    {
      tool: 'Bash',
      content: 'echo "${SKILL_ARG_0}" "${SKILL_ARG_1}" "${SKILL_ARG_0}" \\$0 $7',
      values: { SKILL_ARG_0: 'two', SKILL_ARG_1: 'one' },
    },
    { tool: 'Bash', content: 'echo "${SKILL_ARG_0}"', values: { SKILL_ARG_0: 'one two' } },
  ])
})

it('replaces nothing that the shell does not look into', async () => {
  const { expand, asked } = await shell({ args: 'a' })
  expect(await expand('```!\necho "$0" # $0\n```')).toBe('a')
  expect(asked).toMatchObject([{ content: 'echo "${SKILL_ARG_0}" # $0' }])
})

it('lets nothing that a command writes be looked into again', async () => {
  const { expand } = await shell({ args: 'x' })
  expect(await expand('!`printf "!\\`id\\` \\$ARGUMENTS"`')).toBe('!`id` $ARGUMENTS')
})

test.each([
  ['with a NUL', 'a\0b', 'the value of $ARGUMENTS holds a NUL, and a command cannot receive a NUL'],
  ['over 128 KiB', 'ü'.repeat(64 * 1024), 'the value of $ARGUMENTS is larger than 128 KiB, the limit for a command'],
  ['of a megabyte', 'x'.repeat(1024 * 1024), 'the value of $ARGUMENTS is larger than 128 KiB, the limit for a command'],
])('an argument %s is an error before anything runs', async (_, args, reason) => {
  const { expand, asked } = await shell({ args })
  expect(await expand('!`echo $ARGUMENTS`')).toBe(`[shell command not run: ${reason}]`)
  expect(asked).toEqual([])
  const aborting = await shell({ args, onError: 'abort' })
  await expect(aborting.expand('!`echo $ARGUMENTS`')).rejects.toMatchObject({ code: 'E_SHELL' })
})

it('takes as large an argument as the system does', async () => {
  const { expand } = await shell({ args: 'x'.repeat(128 * 1024 - 'SKILL_ARG_0='.length - 1) })
  expect(await expand('!`printf %s $ARGUMENTS | wc -c`')).toBe('131059')
})

it('says so when arguments that each are small enough are together too much for the system', async () => {
  const args = Array.from({ length: 60 }, (_, index) => String(index).padEnd(120_000, 'x')).join(' ')
  const { expand } = await shell({ args })
  const script = Array.from({ length: 60 }, (_, index) => `$${index}`).join(' ')
  expect(await expand(`!\`echo ${script}\``)).toMatch(/: bash .*E2BIG\]$/)
})

it('refuses a command with a NUL in it', async () => {
  const { expand } = await shell()
  expect(await expand('!`echo a\0b`')).toMatch(/^\[shell command .*\bNUL,/)
})
