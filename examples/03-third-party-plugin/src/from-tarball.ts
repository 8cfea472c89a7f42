import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSkills, type PromptCommand } from '@skills/core'
import { standard } from '@skills/distributions'

/** Folder of the plugin's sources. Nothing is loaded from it. */
export const plugin = fileURLToPath(new URL('../plugin', import.meta.url))

export interface Installed {
  readonly tarball: string
  /** Folder of the unpacked package. */
  readonly path: string
  readonly commands: readonly PromptCommand[]
}

/** Packs the plugin, installs the tarball into an empty folder and loads it from there, until `use` is done. */
export async function fromTarball(use: (installed: Installed) => Promise<void>): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'third-party-plugin-')))
  try {
    const tarball = packInto(folder)
    install(tarball, folder)
    // #region load
    const onDiagnostic = ({ severity, message }: { severity: string; message: string }) =>
      console.error(`${severity}: ${message}`)
    const skills = createSkills(
      standard({ published: { packages: [{ name: 'database-skills', folder }] }, onDiagnostic }),
    )
    // #endregion load
    try {
      const commands = (await skills.catalog()).entries
        .map(entry => entry.command)
        .filter(command => command.type === 'prompt')
      await use({
        tarball,
        path: join(folder, 'node_modules/database-skills'),
        commands: commands.filter(({ pluginName }) => pluginName === 'database-skills'),
      })
    } finally {
      await skills.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Packs the plugin, as a publisher does: `npm publish` sends this tarball. */
function packInto(folder: string): string {
  const cli = createRequire(import.meta.url).resolve('@skills/cli/dist/skills.cjs')
  const { tarball } = JSON.parse(
    execFileSync(process.execPath, [cli, 'plugin', 'pack', plugin, '--out', folder, '--json'], { encoding: 'utf8' }),
  )
  return tarball
}

/** Installs the package with npm, as a user does. It has no dependencies, so nothing is fetched. */
function install(tarball: string, folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
}
