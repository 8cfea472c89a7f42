import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { tempTree } from '@skills/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const workspace = fileURLToPath(new URL('../../..', import.meta.url))
const built = tempTree()
const library = `${built.path}/fs.mjs`

beforeAll(() => {
  buildSync({
    entryPoints: [`${workspace}/packages/files/src/index.ts`],
    outfile: library,
    bundle: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    tsconfig: `${workspace}/tsconfig.json`,
    logLevel: 'error',
    banner: {
      js: `import * as nodeModule from 'node:module'\nconst require = nodeModule.createRequire(import.meta.url)`,
    },
  })
})
afterAll(() => built.dispose())

/** Runs a module in which `watchPaths` and `folder` are defined, and returns its output. It must end by itself. */
function runAlone(body: string, limit = ''): { readonly folder: string; readonly output: string } {
  const tree = tempTree({ 'root/a/SKILL.md': 'a', 'root/b': { link: 'a' } })
  onTestFinished(() => tree.dispose())
  const script = `${tree.path}/script.mjs`
  writeFileSync(
    script,
    `
    import fs from 'node:fs'
    import { watchPaths } from ${JSON.stringify(library)}
    const folder = ${JSON.stringify(tree.path)}
    ${body}
  `,
  )
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${limit} exec "$0" "$1"`, process.execPath, script], {
    encoding: 'utf8',
    timeout: 25_000,
  })
  expect([status, stderr]).toEqual([0, ''])
  return { folder: tree.path, output: stdout }
}

describe.skipIf(process.platform === 'win32')('a process that watches', () => {
  it('ends by itself after closing, although a batch was waiting', () => {
    const { output } = runAlone(`
      const watch = await watchPaths({ paths: [folder + '/root', folder + '/none/x'], debounceMs: 60_000, onChange: () => console.log('told'), onDiagnostic: console.error })
      fs.writeFileSync(folder + '/root/a/SKILL.md', 'changed')
      setTimeout(async () => {
        await watch.close()
        console.log('closed')
      }, 50)
    `)
    expect(output).toBe('closed\n')
  })

  it('ends by itself when it gives up before everything is watched', () => {
    const { output } = runAlone(`
      const controller = new AbortController()
      const watch = watchPaths({ paths: [folder + '/root'], signal: controller.signal, onChange: () => console.log('told'), onDiagnostic: console.error })
      setImmediate(() => controller.abort())
      console.log(await watch.catch(error => error.name))
    `)
    expect(output).toBe('AbortError\n')
  })

  it('ends by itself whenever it gives up, also between two looks', () => {
    const { output } = runAlone(`
      for (let turns = 0; turns < 60; turns++) {
        const controller = new AbortController()
        const watch = watchPaths({ paths: [folder + '/root'], signal: controller.signal, onChange: () => console.log('told'), onDiagnostic: console.error })
        for (let at = 0; at < turns; at++) await new Promise(resolve => setImmediate(resolve))
        controller.abort()
        await watch.catch(() => {})
      }
      console.log('all given up')
    `)
    expect(output).toBe('all given up\n')
  })

  it('gets its turns after a link is removed', () => {
    const { output } = runAlone(`
      let told
      const isTold = new Promise(resolve => { told = resolve })
      const watch = await watchPaths({ paths: [folder + '/root'], debounceMs: 1, onChange: paths => told(paths), onDiagnostic: console.error })
      fs.unlinkSync(folder + '/root/b')
      const paths = await isTold
      setTimeout(async () => {
        await watch.close()
        console.log(paths.map(path => path.slice(folder.length)).join())
      }, 50)
    `)
    expect(output).toBe('/root/b\n')
  })

  it('looks again and again where the system refuses to watch, and says so once', () => {
    const { output, folder } = runAlone(
      `
      const options = { onChange: () => {}, onDiagnostic: console.error }
      await (await watchPaths({ paths: [], ...options })).close()
      const open = []
      for (;;) try { open.push(fs.openSync('/dev/null')) } catch { break }
      let told
      const isTold = new Promise(resolve => { told = resolve })
      const said = []
      const watch = await watchPaths({ paths: [folder + '/root'], pollMs: 20, onChange: told, onDiagnostic: diagnostic => said.push(diagnostic) })
      for (const fd of open) fs.closeSync(fd)
      const paths = await isTold
      await watch.close()
      console.log(JSON.stringify({ paths, said }))
    `,
      'ulimit -n 64;',
    )
    const { paths, said } = JSON.parse(output)
    expect(paths).toEqual([`${folder}/root`])
    expect(said).toMatchObject([{ severity: 'warning', code: 'watch-limit', hint: expect.stringContaining('ulimit') }])
  })
})
