import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSkills } from '@skills/core'
import { standard } from '@skills/distributions'

const plugin = fileURLToPath(new URL('../plugin', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'third-party-plugin-')))
try {
  // Whoever publishes: `npm publish` sends what this makes.
  const cli = createRequire(import.meta.url).resolve('@skills/cli/dist/skills.cjs')
  const { tarball } = JSON.parse(execFileSync(process.execPath, [cli, 'plugin', 'pack', plugin, '--out', folder, '--json'], { encoding: 'utf8' }))
  console.log(`Packed ${tarball}`)

  // Whoever uses it: a program of its own that installs the package. It has no dependencies, so that nothing is fetched.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })

  // #region load
  const onDiagnostic = ({ severity, message }: { severity: string, message: string }) => console.error(`${severity}: ${message}`)
  const skills = createSkills(standard({ published: { packages: [{ name: 'database-skills', folder }] }, onDiagnostic }))
  // #endregion load
  try {
    const catalog = await skills.catalog()
    const commands = catalog.entries.map(entry => entry.command).filter(command => command.type === 'prompt').filter(({ pluginName }) => pluginName === 'database-skills')
    for (const { name, description } of commands) console.log(`/${name}: ${description}`)
    assert.deepEqual(commands.map(({ name }) => name), ['database-skills:describe-schema', 'database-skills:review-migration'])

    // What is read comes from the installed package and is what was published.
    for (const command of commands) {
      assert.equal(command.filePath?.startsWith(join(folder, 'node_modules').replaceAll('\\', '/')), true)
      const body = await command.load('', { signal: new AbortController().signal })
      const published = readFileSync(join(plugin, 'skills', command.displayName, 'SKILL.md'), 'utf8')
      assert.ok('template' in body && body.template.length > 100 && published.endsWith(body.template))
    }
    const beside = readFileSync(join(folder, 'node_modules/database-skills/skills/describe-schema/references/format.md'), 'utf8')
    assert.match(beside, /^One heading for each group/)
    console.log('As expected.')
  } finally {
    await skills.close()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
