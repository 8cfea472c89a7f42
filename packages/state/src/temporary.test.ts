import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { isTemporaryName, temporaryName, writerMark } from './temporary.js'
import { Root } from './writer.js'
import { isRunning, thisHolder } from './lock-holder.js'

function removeAbandoned(folder: string, before: string): void {
  new Root(folder, { kind: 'person' }).removeAbandoned('', before)
}

const uuid = '0b7d5a4e-1c2d-4e3f-8a9b-0c1d2e3f4a5b'

/** Returns a temporary name as another process would choose it. */
function nameOf(pid: number, start: string | undefined): string {
  const holder = thisHolder()
  return temporaryName('.a.').replace(`.a.${holder.pid}-${holder.start ?? 0}-`, `.a.${pid}-${start ?? 0}-`)
}

test.runIf(process.platform === 'linux')(
  'what a process had begun goes once it was killed, and not before',
  async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    expect(isRunning({ ...thisHolder(), pid: child.pid ?? 0, start })).toBe(true)
    const [file, folder] = [nameOf(child.pid ?? 0, start), nameOf(child.pid ?? 0, start)]
    const tree = tempTree({ [file]: 'x', [`${folder}/inner/b`]: 'x' })
    onTestFinished(() => tree.dispose())
    removeAbandoned(tree.path, '.a.')
    expect(readdirSync(tree.path)).toHaveLength(2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    removeAbandoned(tree.path, '.a.')
    expect(readdirSync(tree.path)).toEqual([])
  },
)

test("what is not surely left behind stays: of a writer that runs, of another machine, by another name, a link, another user's", () => {
  const ended = nameOf(2 ** 22 + 1, '1')
  const names = [
    temporaryName('.a.'),
    `.a.1-1-000000000000-${uuid}.tmp`,
    `.a.${uuid}.tmp`,
    '.a.tmp',
    '.a.b.tmp',
    `.b.${uuid}.tmp`,
    `.a.x-${uuid}.tmp`,
  ]
  const tree = tempTree({
    'kept/x': 'x',
    [ended]: { link: 'kept' },
    ...Object.fromEntries(names.map(name => [name, 'x'])),
  })
  onTestFinished(() => tree.dispose())
  removeAbandoned(tree.path, '.a.')
  expect(readdirSync(tree.path).toSorted()).toEqual([...names, ended, 'kept'].toSorted())
  expect(readdirSync(`${tree.path}/kept`)).toEqual(['x'])
  removeAbandoned(`${tree.path}/missing`, '.a.')
})

test.runIf(process.geteuid?.() === 0)('what belongs to another user stays', () => {
  const ended = nameOf(2 ** 22 + 1, '1')
  const tree = tempTree({ [ended]: 'x' })
  onTestFinished(() => tree.dispose())
  chownSync(`${tree.path}/${ended}`, 65_534, 65_534)
  removeAbandoned(tree.path, '.a.')
  expect(readdirSync(tree.path)).toEqual([ended])
})

test('where it cannot be told whether its writer runs, a day tells', () => {
  const names = [`.a.1-1-000000000000-${uuid}.tmp`, `.a.${uuid}.tmp`]
  const tree = tempTree(Object.fromEntries(names.map(name => [name, 'x'])))
  onTestFinished(() => tree.dispose())
  const at = (hours: number): void =>
    names.forEach(name =>
      utimesSync(`${tree.path}/${name}`, Date.now() / 1000 - hours * 3600, Date.now() / 1000 - hours * 3600),
    )
  at(23)
  removeAbandoned(tree.path, '.a.')
  expect(readdirSync(tree.path)).toHaveLength(2)
  at(25)
  removeAbandoned(tree.path, '.a.')
  expect(readdirSync(tree.path)).toEqual([])
})

test('a name says that it is only begun', () => {
  expect(
    [temporaryName('.SKILL.md.'), `.SKILL.md.${uuid}.tmp`, `.${uuid}.tmp`, temporaryName('.new-skill.')].map(
      isTemporaryName,
    ),
  ).toEqual([true, true, true, true])
  expect(
    ['a.tmp', `SKILL.md.${uuid}.tmp`, `.SKILL.md.${uuid}`, `.x${uuid}.tmp`, '.SKILL.md.tmp'].map(isTemporaryName),
  ).toEqual([false, false, false, false, false])
  expect(writerMark()).not.toBe(writerMark())
})
