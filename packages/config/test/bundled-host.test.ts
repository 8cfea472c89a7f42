import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { workspacePackages } from '../workspace.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const host = `import { createSkills } from './packages/core/dist/index.js'
import { standard } from './packages/distributions/dist/index.js'
createSkills(standard({ onDiagnostic: console.error }))`

test('a host is bundled where the optional peers of its plugins are not installed', async () => {
  const { errors } = await build({
    stdin: { contents: host, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    minify: true,
    write: false,
    logLevel: 'silent',
    // As on a machine on which it is not installed.
    alias: { '@modelcontextprotocol/client': './not-installed' },
  })
  expect(errors).toEqual([])
})

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'bundled-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  mkdirSync(path.join(made, 'repo/.claude/skills/deploy'), { recursive: true })
  writeFileSync(
    path.join(made, 'repo/.claude/skills/deploy/SKILL.md'),
    '---\ndescription: Deploys the site.\n---\nDeploy $ARGUMENTS now.\n',
  )
  return made
}

test('a host is one file that lists, permits and runs skills, with no packages beside it', async () => {
  const made = folder()
  const outfile = path.join(made, 'host.mjs')
  await build({
    stdin: {
      contents: `import { openSkills } from '@skills/host'
const skills = await openSkills('standard', { cwd: process.argv[2], trust: { all: true }, onAsk: () => 'allow', onDiagnostic: console.error })
const session = await skills.session()
const [runs, finds] = session.tools()
console.log(await session.system())
console.log((await runs.execute({ skill: 'deploy', args: 'prod' })).text)
console.log((await finds.execute({ query: 'site' })).text)
await skills.close()`,
      resolveDir: path.join(root, 'packages/cli'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'silent',
    external: ['@modelcontextprotocol/client'],
  })
  const printed = execFileSync(process.execPath, [outfile, path.join(made, 'repo')], {
    encoding: 'utf8',
    cwd: made,
    env: { PATH: process.env['PATH'], HOME: made },
  })
  expect(printed).toContain('- deploy: Deploys the site.')
  expect(printed).toContain('Deploy prod now.')
})

test('CommonJS requires every package that is published', () => {
  const made = folder()
  const published = workspacePackages().filter(
    ({ manifest }) => manifest.private !== true && manifest.exports !== undefined,
  )
  mkdirSync(path.join(made, 'node_modules/@skills'), { recursive: true })
  for (const { directory, manifest } of published)
    symlinkSync(directory, path.join(made, 'node_modules', manifest.name))
  const names = published.map(({ manifest: { name } }) => name)
  // Adapters need their framework beside them.
  writeFileSync(
    path.join(made, 'all.cjs'),
    `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(require(name)).length > 0)`,
  )
  const printed = execFileSync(process.execPath, [path.join(made, 'all.cjs')], { encoding: 'utf8', cwd: made })
  expect(printed.trim().split('\n')).toEqual(names.map(name => `${name} true`))
})
