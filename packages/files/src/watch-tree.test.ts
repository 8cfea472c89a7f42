import fs, { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { watching } from '../test/watching.js'

it('watches the folder that has a name now, after another of that name was moved further down or back up', async () => {
  const { path, dispose } = tempTree({ 'root/a/x': { dir: true }, 'root/b/x': { dir: true }, outside: { dir: true } })
  onTestFinished(dispose)
  const { told, diagnostics } = await watching([`${path}/root`], { debounceMs: 1 })
  const at = (name: string): string => `${path}/${name}`
  const isWatched = async (folder: string): Promise<void> => {
    writeFileSync(at(`${folder}/f`), '')
    await told(at(`${folder}/f`))
  }
  for (let round = 0; round < 8; round++) {
    renameSync(at('root/b'), at(`root/a/x/${round}`))
    await told(at('root/b'))
    mkdirSync(at('root/b/x'), { recursive: true })
    await told(at('root/b'))
    for (const folder of ['root/b', `root/a/x/${round}`, `root/a/x/${round}/x`]) await isWatched(folder)
    renameSync(at('root/a'), at(`outside/${round}`))
    renameSync(at(`outside/${round}/x`), at('root/a'))
    mkdirSync(at('root/a/x'))
    await told(at('root/a'))
    for (const folder of ['root/a', 'root/a/x', `root/a/${round}/x`]) await isWatched(folder)
  }
  expect(diagnostics).toEqual([])
})

it('begins to watch fifty folders without a look at each, and watches each', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `root/${at}`)
  const { path, dispose } = tempTree(Object.fromEntries(names.map(name => [name, { dir: true }])))
  const { lstatSync } = fs
  let looks = 0
  Object.assign(fs, { lstatSync: (...given: Parameters<typeof lstatSync>) => (looks++, lstatSync(...given)) })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(fs, { lstatSync })
    syncBuiltinESMExports()
    dispose()
  })
  const { told, diagnostics } = await watching([`${path}/root`], { debounceMs: 1 })
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan(25)
  for (const name of names) writeFileSync(`${path}/${name}/f`, '')
  await told(...names.map(name => `${path}/${name}/f`))
  // The first event of a folder itself looks up its identity.
  fs.chmodSync(`${path}/root/7`, 0o700)
  await told(`${path}/root/7`)
  writeFileSync(`${path}/root/7/g`, '')
  await told(`${path}/root/7/g`)
  expect(diagnostics).toEqual([])
})
