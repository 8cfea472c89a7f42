import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import fc from 'fast-check'
import { parse } from 'unbash'
import { tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolvedWords, simpleCommand, simpleCommands, simplePowerShellCommand, unwrapped } from './simple-command.js'

const values = { SKILL_ARG_0: 'v' }

function resolvedCommand(script: string, variables: Readonly<Record<string, string>>): readonly string[] | undefined {
  const [words, ...more] = simpleCommands(script, variables) ?? []
  return words === undefined || more.length > 0 ? undefined : resolvedWords(words)?.map(({ text }) => text)
}

describe('a simple command', () => {
  it('is one name and its words', () => {
    for (const script of [
      'git status',
      'git log --oneline -5',
      "git commit -m 'a; b $(id)'",
      'git commit -m "a; b | c"',
      'ls *.ts src/[ab]?.js ~/x',
      'npm run build:all',
      'git log "${SKILL_ARG_0}"',
      'a "x ${SKILL_ARG_0} y"',
      '  git\tstatus ',
    ]) {
      expect(simpleCommand(script, values), script).toBeDefined()
    }
  })

  it('is nothing that could be more than that', () => {
    const scripts = [
      'git status; id',
      'git $(id)',
      'git log > f',
      'git log < f',
      'git\nid',
      'git\rid',
      'git &',
      'git && id',
      'git || id',
      'git | id',
      '(git)',
      '{ git; }',
      'git `id`',
      'git $HOME',
      'git ${HOME}',
      'git "$HOME"',
      'git "$(id)"',
      'git "`id`"',
      'git "${OTHER}"',
      'git ${SKILL_ARG_0}',
      'git $SKILL_ARG_0',
      'git "${SKILL_ARG_0:-$(id)}"',
      'git {a,b}',
      'X=1 git',
      'PATH=. git',
      'git # x',
      '#git',
      'git <<E',
      'git <<<x',
      'git \\\nid',
      'git a\\ b',
      "git $'a'",
      'git $"a"',
      "git 'a",
      'git "a',
      'git "a\\"b"',
      '!git',
      'git !!',
      '"git" status',
      "g'i't",
      'gi\\t',
      '$SKILL_ARG_0',
      '"${SKILL_ARG_0}"',
      '~/git',
      './*',
      '. x',
      '',
      ' ',
      '"\n"',
      "'\n'",
      '[[',
      'time if a',
      'time -p coproc a',
      'git \u00a0',
      'git \0',
    ]
    for (const script of scripts) expect(simpleCommand(script, values), script).toBeUndefined()
  })

  it('is not what has a metacharacter outside of quotes, wherever it stands', () => {
    const meta = fc.constantFrom(
      ';',
      '&',
      '|',
      '<',
      '>',
      '(',
      ')',
      '{',
      '}',
      '$',
      '`',
      '\\',
      '!',
      '#',
      '\n',
      '\r',
      '\0',
      '\v',
      '\u2028',
      '^',
    )
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '-b', "'c d'", '"e f"', 'g=h', '*')),
        fc.nat(30),
        meta,
        (words, place, mark) => {
          const script = ['git', ...words].join(' ')
          // Any place that is not inside quotes.
          const spots = [...script].flatMap((_, at) => (/['"]/.test(script) && inQuotes(script, at) ? [] : [at]))
          const at = spots[place % spots.length] ?? 0
          expect(simpleCommand(script.slice(0, at) + mark + script.slice(at))).toBeUndefined()
        },
      ),
    )
  })

  it('runs one program under Bash, with no redirection: what it takes, Bash takes for the same', () => {
    const tree = tempTree({ 'bin/rec': '#!/bin/sh\necho run >&2\n', work: { dir: true } })
    onTestFinished(() => tree.dispose())
    const { path } = tree
    chmodSync(`${path}/bin/rec`, 0o755)
    const part = fc.constantFrom(
      'rec',
      'a',
      "'b c'",
      '"d"',
      ';',
      '&&',
      '|',
      '>',
      '<',
      '`rec`',
      '$(rec)',
      '"$(rec)"',
      '$X',
      '"${SKILL_ARG_0}"',
      '{rec,a}',
      '#',
      '\\',
      '!',
      '\n',
      "'",
      '"',
      '=',
      '~',
      '*',
      '%',
      '@',
      ',',
      ' ',
      ' ',
      '[',
      '?',
      '&',
      '(',
      ')',
    )
    const taken = new Set<string>()
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, spaced) => {
        const script = ['rec', ...parts].join(spaced ? ' ' : '')
        if (simpleCommand(script, values)?.[0] === 'rec') taken.add(script)
      }),
      { numRuns: 3000 },
    )
    expect(taken.size).toBeGreaterThan(20)
    const sample = [...taken].slice(0, 60)
    for (const script of sample) {
      // Value that would run something if it were ever read as script.
      const out = execFileSync('/bin/bash', ['--norc', '--noprofile', '-c', `{ ${script}\n} 2>&1`], {
        cwd: `${path}/work`,
        env: { PATH: `${path}/bin`, SKILL_ARG_0: '"; rec; $(rec)' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      expect(out, script).toBe('run\n')
    }
    expect(readdirSync(`${path}/work`)).toEqual([])
  })

  it('is with its values in it what will run, where these are plain', () => {
    const folder = { A: '/home/j\u00f6/.claude/skills/x', B: 'push', C: 'two words' }
    expect(resolvedCommand('"${A}"/run.sh "${C}" --to=x', folder)).toEqual([
      '/home/j\u00f6/.claude/skills/x/run.sh',
      '"${C}"',
      '--to=x',
    ])
    expect(resolvedCommand('"${A}/run.sh"', folder)).toEqual(['/home/j\u00f6/.claude/skills/x/run.sh'])
    expect(resolvedCommand('git "${B}" origin', folder)).toEqual(['git', 'push', 'origin'])
    expect(resolvedCommand('bash "${A}"/run.sh', folder)).toEqual(['bash', '/home/j\u00f6/.claude/skills/x/run.sh'])
    // The file system sees other letters, though a comparison of names may not; and paths lead elsewhere than they
    // begin.
    for (const value of [
      '/x/\u212a',
      '/x/e\u0301',
      '/x/../y',
      '/x/..',
      '/x/./y',
      '//x',
      '/x//y',
      '../x',
      './x',
      'a=../x',
    ])
      expect(resolvedCommand('"${A}"/run.sh', { A: value }), value).toBeUndefined()
    for (const value of ['../x', '..', 'a/../b', '.', './x', '--to=../x'])
      expect(resolvedCommand('/bin/ls "${A}"', { A: value }), value).toBeUndefined()
    expect(resolvedCommand('/bin/ls "${A}"', { A: 'a..b' })).toEqual(['/bin/ls', 'a..b'])
    expect(resolvedCommand('"${A}"/get.sh "${B}"', { A: '/x', B: 'https://example.com' })).toEqual([
      '/x/get.sh',
      '"${B}"',
    ])
    // Not a path, so it might be any program; not a plain word; nothing to replace; more than one command.
    for (const script of [
      '"${B}" x',
      '"${C}"/x',
      '"x ${A}"',
      'git status',
      '"${A}"/x; id',
      '"${A}"/x > f',
      '"${OTHER}"/x',
      '${A}/x',
      '"${A}"/$(id)',
      '/bin/"${C}"',
    ])
      expect(resolvedCommand(script, folder), script).toBeUndefined()
    for (const value of [
      '',
      ' ',
      '/a b',
      '/a;id',
      '/$(id)',
      '/`id`',
      '/a\nid',
      '/a*',
      '/~',
      "/a'",
      '/a"',
      '/a\\b',
      '/a&',
      '/a|b',
      '/\u00a0',
      '/a#',
      '/{a,b}',
      '/a!',
      '/a<b',
      '/?',
      '/[a]',
    ]) {
      expect(resolvedCommand('"${A}"', { A: value }), value).toBeUndefined()
    }
  })

  it('with its values in it is the program that Bash runs', () => {
    const tree = tempTree({ 'bin/rec': '#!/bin/sh\nfor word; do printf "<%s>" "$word"; done\n', work: { dir: true } })
    onTestFinished(() => tree.dispose())
    chmodSync(`${tree.path}/bin/rec`, 0o755)
    const ran: (readonly [resolved: string, written: string])[] = []
    const value = fc.constantFrom('a', '-n', 'a/b', 'x=y', '', 'two words', '"', '$(id)', '*', '%d', '@', 'a:b', ';')
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), fc.boolean(), (given, isFolder) => {
        const variables = { ...Object.fromEntries(given.map((one, at) => [`V${at}`, one])), F: `${tree.path}/bin` }
        const script = [isFolder ? '"${F}"/rec' : `${tree.path}/bin/rec`, ...given.map((_, at) => `"\${V${at}}"`)].join(
          ' ',
        )
        const words = resolvedCommand(script, variables) ?? [script]
        const run = (text: string): string =>
          execFileSync('/bin/bash', ['--norc', '--noprofile', '-c', text], {
            cwd: `${tree.path}/work`,
            env: variables,
            encoding: 'utf8',
          })
        ran.push([run(words.join(' ')), run(script)])
      }),
      { numRuns: 60 },
    )
    expect(ran.map(([resolved]) => resolved)).toEqual(ran.map(([, written]) => written))
  })

  it('is also what it wraps', () => {
    const forms = (script: string): readonly string[] =>
      unwrapped(simpleCommands(script)?.[0] ?? []).map(words =>
        words
          .map(({ text }) => text)
          .join(' ')
          .trimEnd(),
      )
    expect(forms('timeout 30 npm test')).toEqual(['timeout 30 npm test', 'npm test'])
    expect(forms('nice time npm test')).toEqual(['nice time npm test', 'time npm test', 'npm test'])
    expect(forms('timeout --signal=9 30 npm test')).toHaveLength(1)
    expect(forms('nice -n 5 npm test')).toHaveLength(1)
    expect(forms('sudo npm test')).toHaveLength(1)
  })

  it('of PowerShell has plain words only', () => {
    for (const script of ['git status', 'git log "$env:SKILL_ARG_0"', 'Get-Item C:\\x'])
      expect(simplePowerShellCommand(script, values), script).toBeDefined()
    for (const script of [
      'git; id',
      'git | id',
      'git $x',
      'git "$env:OTHER"',
      'git "a"',
      "git 'a'",
      'git (id)',
      '& git',
      '. git',
      'git `n',
      'git\nid',
      'git @x',
      'git --%',
      'git # x',
      'git \u2013x',
      'x=1',
      'git > f',
      'git ,x',
      '{git}',
    ]) {
      expect(simplePowerShellCommand(script, values), script).toBeUndefined()
    }
  })
})

function inQuotes(script: string, at: number): boolean {
  let quote = ''
  for (const char of script.slice(0, at)) {
    if (quote === '' && (char === '"' || char === "'")) quote = char
    else if (char === quote) quote = ''
  }
  return quote !== ''
}

describe('a reader of its own stands before the grammar', () => {
  it('because the grammar is not Bash to the letter: it sees a word more here', () => {
    const script = 'echo a 2\\\n>/dev/null'
    expect(execFileSync('/bin/bash', ['--norc', '--noprofile', '-c', script], { encoding: 'utf8' })).toBe('a\n')
    const command = parse(script).commands[0]?.command
    expect(command?.type === 'Command' && command.args.map(({ text }) => text)).toEqual(['a', '2\\\n'])
    expect(simpleCommands(script)).toBeUndefined()
  })
})
