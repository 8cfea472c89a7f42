import { expect, test } from 'vitest'
import { simpleCommands } from '../simple-command.js'
import { isHarmless, isKnown, openPrefix, startsNothing, wordsToName } from './harmless.js'
import { harmless } from './harmless-table.js'

const named = (script: string): number => wordsToName(simpleCommands(script)?.[0] ?? [])

test.each([
  // Programs that are known to do only what the rule wrote.
  ['ls -la src', 1],
  ['git log --oneline -5 -- src', 1],
  ['git --no-pager log', 1],
  ['kubectl get pods -n web -o json', 1],
  ['npm run build', 1],
  ['npm install react@18 @types/react', 1],
  ['eslint src/*.ts', 1],
  ['sort -k2 f', 1],
  // Words that a rule has to write itself.
  ['sort -o out f', 3],
  ['prettier --write src', 2],
  ['git clone https://example.com/x.git', 2],
  ['timeout 5 git log', 3],
  ['npx prettier --check x', 2],
  ['python -m pytest tests', 1],
  ['python x.py --all', 1],
  ['./run.sh --all', 1],
  // Unknown programs and options: every word counts.
  ['kubectl get pods --kubeconfig=./x', 4],
  ['kubectl plug-in', 2],
  ['git log --outp=f', 3],
  ['git log -1z5Q', 3],
  ['git push ./x main', 3],
  ['npm install ./x', 3],
  ['npm view github:a/b', 3],
  ['npx unknown x', 3],
  ['unknown x', 2],
  ['/usr/bin/unknown x', 2],
  ['pytest ../x', 2],
  ['rg a -- --pre', 1],
  ['gh repo clone a/b -- -c', 6],
  ['openssl x509 -in c.pem -noout', 1],
  ['openssl dgst -out f c.pem', 5],
  // No number of words is enough: these leave open what they run.
  ['bash', Infinity],
  ['python -', 2],
  ['sed 1e f', Infinity],
  ["awk 'BEGIN{system(1)}'", Infinity],
  ['python -u', Infinity],
  ['deno', Infinity],
  ['openssl', Infinity],
  ['irb', Infinity],
])('%s: a rule names %d words of it', (script, count) => {
  expect(named(script)).toBe(count)
})

test('an unknown letter makes a bundle unknown, and the value of an option is none', () => {
  expect(named('ls -la')).toBe(1)
  expect(named('tree -aX -L 2')).toBe(1)
  expect(named('tree -ao f')).toBe(3)
  expect(named('git log -n --output=f')).toBe(4)
  expect(named('rg -e --pre x')).toBe(4)
})

test('every row is read, and names kinds that there are', () => {
  for (const key of Object.keys(harmless)) {
    const words = key.split(' ').map(names => names.split('|')[0] ?? '')
    expect(isKnown(words[0] ?? ''), key).toBe(true)
    expect(() => wordsToName([...words, 'x'].map(text => ({ text, value: text }))), key).not.toThrow()
  }
  const kinds = Object.values(harmless).flatMap(row => [
    ...[...row.matchAll(/<([^>]+)>/g)].flatMap(([, one = '']) => one.split(',')),
    ...[...row.matchAll(/-[^ =?]*[=?]([^ ]+)/g)].map(([, one = '']) => one),
  ])
  const isKindOrTexts =
    /^(?:any|plain|within|local|testid|num|package|perlmodule|url|https|web|target|script|codefile|gopath|refspec|format|key|pretty|pandocformat|nofile|header|writeout|field|apipath|awsread|tarlist|program|module)$|[|./-]|^[A-Z]/
  expect(kinds.filter(kind => !isKindOrTexts.test(kind))).toEqual([])
})

test('a prefix is offered where it says something, and never where another program may stand', () => {
  const offered = (script: string): string | undefined => openPrefix(script.split(' '))?.join(' ')
  expect(offered('git log --oneline')).toBe('git log')
  expect(offered('kubectl get pods')).toBe('kubectl get')
  for (const script of [
    'git log',
    'git log --output=f',
    'git rebase main x',
    'npx prettier x',
    'ls -l src',
    'unknown a b',
  ])
    expect(offered(script), script).toBeUndefined()
  expect(isHarmless(['git', 'log', '-5'])).toBe(true)
  expect(isHarmless(['unknown', 'x'])).toBe(false)
})

test('what starts nothing is known, also where it writes', () => {
  const starts = (script: string): boolean => !startsNothing(simpleCommands(script)?.[0] ?? [])
  for (const script of ['ls x', 'git log --output=f', 'git add x', 'npm test', './run.sh', 'cp a b', 'python x.py'])
    expect(starts(script), script).toBe(false)
  for (const script of ['unknown x', './run.sh x', 'python x.py x', 'rg --pre x', 'timeout 5 x', 'find . -exec x'])
    expect(starts(script), script).toBe(true)
})
