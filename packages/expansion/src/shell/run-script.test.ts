import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { expectGroupGone, membersOf, pipe, shell } from '../../test/shell.js'

describe('a command that does not end by itself', () => {
  it('is ended with all that it started when its time is over', async () => {
    const { expand, tree, clock } = await shell()
    const { path, line, ended } = pipe(tree)
    const expanding = expand(
      `!\`exec 9>${path}; (sleep 1000; true) & (exec >/dev/null 2>&1; sleep 1000; true) & echo $$ >&9; sleep 1000\``,
    )
    const group = await line()
    expect(membersOf(group).length).toBeGreaterThanOrEqual(3)
    await clock.advance(119_999)
    expect(membersOf(group)).toContain(group)
    await clock.advance(1)
    expect(await expanding).toBe('[shell command failed: took longer than 120000 ms]')
    await ended()
    await expectGroupGone(group)
    expect(clock.pending).toBe(0)
  })

  it('is killed when it does not heed the first signal', async () => {
    const { expand, tree, clock } = await shell({ timeoutMs: 50, graceMs: 700 })
    const { path, line, ended } = pipe(tree)
    const expanding = expand(
      `!\`exec 9>${path}; trap 'echo asked >&9' TERM; echo $$ >&9; while :; do sleep 1000 9>&-; done 2>/dev/null\``,
    )
    const group = await line()
    await clock.advance(50)
    expect(await line()).toBe('asked')
    await clock.advance(699)
    expect(membersOf(group)).toContain(group)
    await clock.advance(1)
    expect(await expanding).toBe('[shell command failed: took longer than 50 ms]')
    await ended()
    await expectGroupGone(group)
  })

  it('has time to clean up', async () => {
    const { expand, tree, clock } = await shell({ timeoutMs: 50 })
    const { path, line } = pipe(tree)
    const expanding = expand(
      `!\`exec 9>${path}; trap 'echo cleaned >&2; exit 3' TERM; echo ready >&9; while :; do sleep 1000 >/dev/null 2>&1 & wait; done\``,
    )
    await line()
    await clock.advance(50)
    expect(await expanding).toBe('[shell command failed: took longer than 50 ms: cleaned]')
  })

  it('has no limit with Infinity', async () => {
    const { expand, clock } = await shell({ timeoutMs: Infinity })
    expect(await expand('!`echo a`')).toBe('a')
    expect(clock.pending).toBe(0)
  })

  it('is ended when it has closed its standard streams', async () => {
    const { expand, tree, clock } = await shell()
    const { path, line, ended } = pipe(tree)
    const expanding = expand(`!\`exec 9>${path} <&- >&- 2>&-; echo $$ >&9; sleep 1000\``)
    const group = await line()
    await clock.advance(120_000)
    expect(await expanding).toBe('[shell command failed: took longer than 120000 ms]')
    await ended()
    await expectGroupGone(group)
  })
})

describe('what outlives its shell', () => {
  it('is killed at once when it has sent its output elsewhere', async () => {
    const { expand, tree } = await shell()
    const { path, line, ended } = pipe(tree)
    const expanding = expand(
      `!\`exec 9>${path}; nohup sleep 1000 </dev/null >/dev/null 2>&1 & echo $$ >${path}; echo done\``,
    )
    const group = await line()
    expect(await expanding).toBe('done')
    await ended()
    await expectGroupGone(group)
  })

  it('is killed after the grace when it holds the output', async () => {
    const { expand, tree, clock } = await shell({ graceMs: 300 })
    const { path, line, ended } = pipe(tree)
    const expanding = expand(
      `!\`exec 9>${path}; (while kill -0 $$; do :; done; echo late; echo over >&9; sleep 1000) & echo $$ >&9; echo done\``,
    )
    const group = await line()
    expect(await line()).toBe('over')
    // The engine hears of the shell's end asynchronously.
    while (clock.pending < 2) await new Promise(resolve => setImmediate(resolve))
    await clock.advance(300)
    expect(await expanding).toBe('done\nlate')
    await ended()
    await expectGroupGone(group)
  })

  it('is left alone, and not waited for, when it has left the group', async () => {
    const { expand, tree, clock } = await shell({ graceMs: 300 })
    const { path, line } = pipe(tree)
    const expanding = expand(`!\`exec 9>${path}; setsid bash -c 'echo $$ >&9; exec sleep 1000' & echo done\``)
    const left = await line()
    try {
      while (clock.pending < 2) await new Promise(resolve => setImmediate(resolve))
      await clock.advance(600)
      expect(await expanding).toBe('done')
      expect(membersOf(left)).toEqual([left])
    } finally {
      process.kill(Number(left), 'SIGKILL')
    }
  })
})

describe('output', () => {
  it('that never ends is cut off, and a caller that writes it is ended', async () => {
    const { expand, tree } = await shell()
    const { path, line, ended } = pipe(tree)
    const expanding = expand(`!\`exec 9>${path}; echo $$ >&9; yes\``)
    const group = await line()
    expect(await expanding).toBe('[shell command failed: wrote more than 1048576 bytes]')
    await ended()
    await expectGroupGone(group)
  })

  it('on both streams counts together, up to the limit', async () => {
    const { expand } = await shell({ maxOutputBytes: 10 })
    expect(await expand('!`printf 12345; printf 67890 >&2`')).toBe('12345')
    expect(await expand('!`printf 12345; printf 678901 >&2`')).toBe('[shell command failed: wrote more than 10 bytes]')
  })

  it('is UTF-8, with a replacement for what is none, also where the system cuts a character', async () => {
    const { expand } = await shell()
    expect(await expand("!`printf 'a\\xff\\xc3'`")).toBe('a\uFFFD\uFFFD')
    const large = await expand("!`for ((i = 0; i < 20000; i++)); do printf 'x😀'; done`")
    expect(large).toBe('x😀'.repeat(20_000))
  })

  it('loses the newlines at its end and keeps every other', async () => {
    const { expand } = await shell()
    expect(await expand("!`printf '\\n a\\r\\nb\\n \\n\\r\\n\\n'`|")).toBe('\n a\r\nb\n |')
    expect(await expand("a !`printf '\\n\\n'`| !`true`|")).toBe('a | |')
  })

  it('of standard error is shown only when the command fails', async () => {
    const { expand } = await shell()
    expect(await expand('!`echo warning >&2; echo a`')).toBe('a')
    expect(await expand('!`echo half; echo "no such thing" >&2; exit 3`')).toMatch(/ exit code 3: no such thing\]$/)
  })

  it('of standard error may stand below, of a command that succeeds', async () => {
    const { expand } = await shell({ stderr: 'append' })
    expect(await expand('!`echo warning >&2; echo a`')).toBe('a\nwarning')
    expect(await expand('!`echo warning >&2`|')).toBe('warning|')
  })

  it('of standard error may stand where it was written, among the output', async () => {
    const { expand } = await shell({ stderr: 'merge' })
    expect(await expand('!`echo a; echo warning >&2; echo b`')).toBe('a\nwarning\nb')
    expect(await expand('!`echo half; echo "no such thing" >&2; exit 3`')).toMatch(
      / exit code 3: half\nno such thing\]$/,
    )
    expect(await expand('!`if`')).toMatch(/syntax error/)
  })

  it('loses blank lines before it and white space behind it where that is wanted', async () => {
    const { expand } = await shell({ trims: 'blank' })
    expect(await expand('!`printf "\\n \\t\\n  a\\n\\n b \\n\\t\\n"`')).toBe('  a\n\n b')
  })

  it('is cut to its beginning where it is too long, at the end of a line', async () => {
    const { expand } = await shell({ wholeBytes: 30_000 })
    expect(await expand('!`printf "%030000d" 0`')).toBe('0'.repeat(30_000))
    expect(await expand('!`printf "%030001d" 0`')).toBe(
      `[output of 30,001 bytes, of which this is the beginning]\n${'0'.repeat(2000)}\n[…]`,
    )
    expect(await expand('!`printf "%01500d\\n%030000d" 0 0`')).toContain(`\n${'0'.repeat(1500)}\n[…]`)
  })

  it('of standard error is shown without colours and other control characters', async () => {
    const { expand } = await shell()
    expect(await expand("!`printf '\\033[31mred\\033[0m\\r\\n\\tb\\a' >&2; false`")).toBe(
      '[shell command failed: exit code 1: red\n\tb]',
    )
  })

  it('of standard error is shown with its first lines', async () => {
    const { expand } = await shell()
    expect(await expand('!`seq 100 >&2; false`')).toBe(
      '[shell command failed: exit code 1: 1\n2\n3\n4\n5\n6\n7\n8\n9\n10 …]',
    )
    const long = await expand('!`head -c 100000 /dev/zero | tr "\\\\0" x >&2; false`')
    expect(long).toBe(`[shell command failed: exit code 1: ${'x'.repeat(2000)} …]`)
  })
})

describe('a command', () => {
  it('has an empty standard input', async () => {
    const { expand } = await shell()
    expect(await expand('!`cat; echo end`')).toBe('end')
  })

  it('that dies of a signal has failed', async () => {
    const { expand } = await shell()
    expect(await expand('!`echo why >&2; kill -SEGV $$`')).toMatch(/SIGSEGV: why\]$/)
    expect(await expand('!`kill -KILL $$`')).toMatch(/SIGKILL\]$/)
  })

  it("works in the folder of the session with its environment, and reads no one's start-up files", async () => {
    const { expand, tree } = await shell({
      host: { env: { PATH: process.env['PATH'], NAME: 'value', BASH_ENV: 'start-up', ENV: 'start-up', HOME: '.' } },
    })
    tree.write({ 'start-up': 'echo started', '.bashrc': 'echo started', '.bash_profile': 'echo started' })
    expect(await expand('!`pwd; echo "$NAME$BASH_ENV$ENV"`')).toBe(`${tree.path}\nvalue`)
  })

  it('may begin with a dash', async () => {
    const { expand } = await shell()
    expect(await expand('!`-x 2>/dev/null || echo a`')).toBe('a')
  })

  it('may have lines that end as on Windows', async () => {
    const { expand } = await shell()
    expect(await expand('```!\r\nif true; then\r\n  echo a\r\nfi\r\n```\r\nb')).toBe('a\r\nb')
  })

  it('says so when there is no working folder or no bash', async () => {
    const tree = tempTree()
    onTestFinished(() => tree.dispose())
    const nowhere = `${tree.path}/nowhere`
    const lost = await shell({ host: { cwd: nowhere } })
    expect(await lost.expand('!`date`')).toContain(` ${nowhere} `)
    const without = await shell({ host: { env: { PATH: nowhere } } })
    expect(await without.expand('!`date`')).toMatch(/: bash .*ENOENT\]$/)
    const other = await shell({ programs: { bash: `${nowhere}/bash` }, onError: 'abort' })
    await expect(other.expand('!`date`')).rejects.toMatchObject({
      code: 'E_SHELL',
      hint: expect.stringContaining(`${nowhere}/bash`),
    })
  })

  test.each([
    'grep x /dev/null',
    'echo a | grep "b|c" 2>&1',
    'false | cat; [ 1 = 2 ]',
    '/usr/bin/test 1 = 2 # no',
    'cd / && git diff --no-index --quiet /dev/null /etc/passwd',
  ])('that searches and finds nothing, or a difference, has not failed: %s', async script => {
    const { expand } = await shell({ onError: 'abort' })
    expect(await expand(`!\`${script}\``)).toBe('')
  })

  test.each([
    'grep x nowhere',
    '! true',
    'grep x /dev/null; false',
    'grep x /dev/null || false',
    'echo grep; exit 1',
    'grep x /dev/null; exit 1',
    'diff /dev/null nowhere',
    'test 1 = 2; (exit 2)',
  ])('has failed all the same when it is another one, or when it fails in another way: %s', async script => {
    const { expand } = await shell()
    expect(await expand(`!\`${script}\``)).toMatch(/^\[shell command failed: exit code [12]/)
  })

  it('that searches has failed all the same where its answers are not known', async () => {
    const { expand } = await shell({ answers: [] })
    expect(await expand('!`grep x /dev/null`')).toBe('[shell command failed: exit code 1]')
  })
})

it('runs PowerShell without profile and questions', async () => {
  const { expand, tree, asked } = await shell({ args: 'a b', command: { shell: 'powershell' } })
  tree.write({ 'bin/pwsh': { content: '#!/bin/bash\nprintf "<%s>" "$@" "$SKILL_ARG_0"', mode: 0o755 } })
  const bench = await shell({
    args: 'a b',
    command: { shell: 'powershell' },
    host: { env: { PATH: `${tree.path}/bin:${process.env['PATH']}` } },
  })
  const script = 'echo $ARGUMENTS "x$ARGUMENTS" "$ARGUMENTS:a" \'$ARGUMENTS\''
  const built = 'echo "$env:SKILL_ARG_0" "x$env:SKILL_ARG_0" "${env:SKILL_ARG_0}:a" \'$ARGUMENTS\''
  expect(await bench.expand(`!\`${script}\``)).toBe(`<-NoProfile><-NonInteractive><-Command><${built}><a b>`)
  expect(bench.asked).toEqual([{ tool: 'PowerShell', content: built, values: { SKILL_ARG_0: 'a b' } }])
  expect(await bench.expand('!`echo "$ARGUMENTSé$ARGUMENTS日$ARGUMENTS_$ARGUMENTS.$ARGUMENTS"`')).toContain(
    '<echo "${env:SKILL_ARG_0}é${env:SKILL_ARG_0}日${env:SKILL_ARG_0}_$env:SKILL_ARG_0.$env:SKILL_ARG_0">',
  )
  expect(await expand('!`x`')).toMatch(/: pwsh /)
  expect(asked).toHaveLength(1)
})
