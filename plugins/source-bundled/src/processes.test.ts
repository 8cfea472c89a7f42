import { chmodSync, chownSync, readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { isPosix, isRoot, temporary } from '../test/bundled.js'
import { bundleChild, start, type Ended } from '../test/processes.js'

let program: TempTree
let child: string

beforeAll(async () => {
  program = tempTree()
  chmodSync(program.path, 0o755)
  child = await bundleChild(`${program.path}/child.mjs`)
  return () => program.dispose()
})

const run = (...args: readonly string[]): Promise<Ended> => start(process.execPath, [child, ...args]).ended

/** Starts several programs and lets them continue when all are ready. */
async function atOnce(count: number, ...args: readonly string[]): Promise<readonly Ended[]> {
  const running = Array.from({ length: count }, () => start(process.execPath, [child, ...args]))
  await Promise.all(running.map(({ ready }) => ready))
  for (const { goOn } of running) goOn()
  return Promise.all(running.map(({ ended }) => ended))
}

const plain = /^[\da-f]{64}$/

describe('several processes', () => {
  it('that extract at one time find one whole folder, and leave nothing beside it', async () => {
    const root = `${temporary().path}/cache`
    const ended = await atOnce(5, root, 'wait', '300')
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, '']))
    expect(new Set(ended.map(({ stdout }) => stdout.replace(/[\da-f]{64}/, 'FINGERPRINT')))).toEqual(
      new Set([`${root}/FINGERPRINT whole`]),
    )
    expect(readdirSync(root)).toEqual([expect.stringMatching(plain)])
  })

  it('that find what is not whole at one time all end with what is', async () => {
    const { path, write } = temporary()
    const [name = ''] = (await run(`${path}/first`, 'extract', '40')).stdout.match(/[\da-f]{64}/) ?? []
    write({ cache: { dir: true, mode: 0o700 }, [`cache/${name}/folder-0/file-0.txt`]: 'Something else.' })
    const ended = await atOnce(5, `${path}/cache`, 'wait', '40')
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual(ended.map(() => [0, `${path}/cache/${name} whole`]))
    expect(ended.map(({ stderr }) => stderr).join('')).toContain('replaced-files')
    expect(readdirSync(`${path}/cache`).filter(one => one.endsWith('.partial'))).toEqual([])
    expect(readFileSync(`${path}/cache/${name}/folder-0/file-0.txt`, 'utf8')).toContain(
      'The text of folder-0/file-0.txt.',
    )
  })

  it.each(['die-while-writing', 'die-before-moving'])('are not misled by one that was killed: %s', async task => {
    const root = `${temporary().path}/cache`
    expect(await run(root, task, '60')).toMatchObject({ signal: 'SIGKILL' })
    const left = readdirSync(root)
    expect(left).toEqual([expect.stringMatching(/^[\da-f]{64}\.\d+-\d+-[\da-f]{12}-[\da-f-]{36}\.partial$/)])
    expect(await run(root, 'extract', '60')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/ whole$/),
    })
    expect(readdirSync(root)).toEqual([expect.stringMatching(plain)])
  })
})

it.runIf(process.platform === 'linux')(
  'where the system makes no folders, extracting to one is an error that says so',
  async () => {
    // A recursive mkdir does not end there.
    const ended = await start(process.execPath, [child, '/proc/x/y/z', 'folder'], {
      timeout: 20_000,
      killSignal: 'SIGKILL',
    }).ended
    expect(ended).toMatchObject({
      code: 1,
      signal: null,
      stdout: expect.stringMatching(/^E_STATE: .* \/proc\/x\/y\/z: /),
    })
  },
)

describe.runIf(isPosix)('a disk that is full', () => {
  it('leaves nothing behind, the error says so, and there is all once there is room', async () => {
    const root = `${temporary().path}/cache`
    // Blocks of 512 or 1,024 bytes, depending on the shell. None is left for any file.
    const full = await start('sh', [
      '-c',
      'ulimit -f 0; exec "$@"',
      'sh',
      process.execPath,
      child,
      root,
      'extract',
      '10',
    ]).ended
    expect(full).toMatchObject({ code: 1, stdout: expect.stringMatching(/^E_STATE: .*"carrier" /) })
    expect(full.stdout).toContain('quota is full')
    expect(readdirSync(root)).toEqual([])
    expect(await run(root, 'extract', '10')).toMatchObject({ code: 0, stdout: expect.stringMatching(/ whole$/) })
  })
})

describe.runIf(isRoot)('without the rights of the superuser', () => {
  const otherUser = 65534
  const asOtherUser = (...args: readonly string[]): Promise<Ended> =>
    start(process.execPath, [child, ...args], { uid: otherUser, gid: otherUser, cwd: program.path }).ended

  /** Makes a folder of the other user. */
  function theirs(mode: number): string {
    const { path } = temporary({ home: { dir: true, mode: 0o755 } })
    chownSync(`${path}/home`, otherUser, otherUser)
    chmodSync(`${path}/home`, mode)
    return `${path}/home`
  }

  it("a folder of one's own serves", async () => {
    expect(await asOtherUser(`${theirs(0o700)}/cache/bundled`, 'extract', '5')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/ whole$/),
    })
  })

  it('a cache folder of another user is refused, with any mode', async () => {
    for (const mode of [0o700, 0o777, 0o1777]) {
      const { path } = temporary({ cache: { dir: true, mode } })
      expect(await asOtherUser(`${path}/cache`, 'extract', '5')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('E_STATE: '),
      })
      expect(readdirSync(`${path}/cache`)).toEqual([])
    }
  })

  it('an extracted folder of another user is not trusted, whole as it is', async () => {
    const home = theirs(0o700)
    const [name = ''] = (await run(`${home}/cache`, 'extract', '5')).stdout.match(/[\da-f]{64}/) ?? []
    chownSync(`${home}/cache`, otherUser, otherUser)
    const ended = await asOtherUser(`${home}/cache`, 'extract', '5')
    expect(ended).toMatchObject({
      code: 0,
      stdout: `${home}/cache/${name} whole`,
      stderr: expect.stringMatching(new RegExp(`${name} .* id 0\\.`)),
    })
  })

  it('a folder that may not be written to is an error that says so, and serves with what is in it', async () => {
    const home = theirs(0o700)
    expect(await asOtherUser(home, 'extract', '5')).toMatchObject({ code: 0 })
    chmodSync(home, 0o500)
    expect(await asOtherUser(home, 'extract', '5')).toMatchObject({ code: 0, stdout: expect.stringMatching(/ whole$/) })
    expect(await asOtherUser(home, 'extract', '6')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('permission'),
    })
    expect(await asOtherUser(`${home}/deeper`, 'extract', '5')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('permission'),
    })
  })

  it('an extracted folder that its owner has closed is set aside and made anew', async () => {
    const home = theirs(0o700)
    const [name = ''] = (await asOtherUser(home, 'extract', '5')).stdout.match(/[\da-f]{64}/) ?? []
    chmodSync(`${home}/${name}`, 0)
    expect(await asOtherUser(home, 'extract', '5')).toMatchObject({
      code: 0,
      stdout: `${home}/${name} whole`,
      stderr: expect.stringContaining('cannot be read'),
    })
  })
})
