import { createSkills, pathOf } from '@skills/core'
import { standard } from '@skills/distributions/standard'
import { removeTemporary } from '@skills/state/internal'
import { temporaryRoot } from '@skills/state/writer'
import { findSkills, type OpenedStore } from './skill-files.js'

/** Stands for a skill: only where it lies matters here. */
const placeholder = '---\ndescription: x\n---\nx\n'
const manifests = ['.claude-plugin/plugin.json', 'package.json']
const largestManifest = 4 * 1024 * 1024

/**
 * Returns the folders of the skills that a plugin lists, below its root. Its manifest and the entry of its marketplace
 * name them; without both, they are in its folder `skills`. Other skills of the repository, such as skills for its
 * maintainers, are not included.
 *
 * The source of plugins reads folders on a disk. It therefore gets a temporary folder with the manifests and a
 * placeholder for each skill. In this way the same reader decides for installing and for listing.
 * @param entry entry of the plugin in its marketplace
 */
export async function listedSkills(
  opened: OpenedStore,
  entry: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { store, root } = opened
  const own = temporaryRoot('skills-listed-')
  try {
    const plugin = 'market/plugin'
    const write = (path: string, content: string | Uint8Array): void => {
      if (path.includes('/')) own.makeFolder(path.slice(0, path.lastIndexOf('/')))
      own.create(path, content)
    }
    const name = typeof entry['name'] === 'string' ? entry['name'] : 'plugin'
    const market = { name: 'market', owner: { name: 'x' }, plugins: [{ ...entry, source: './plugin' }] }
    write('market/.claude-plugin/marketplace.json', JSON.stringify(market))
    for (const file of manifests) {
      const read = await store.read(`${root}/${file}`, { signal, maxBytes: largestManifest })
      if (read?.found === 'file') write(`${plugin}/${file}`, Buffer.from(read.bytes.subarray(0, read.length)))
    }
    for (const { path } of await findSkills(opened, signal))
      write(`${plugin}/${path && `${path}/`}SKILL.md`, placeholder)
    const skills = createSkills(
      standard({
        host: { cwd: own.path, home: own.path, env: {} },
        managed: { dirs: [] },
        // The placeholders have no problems, and those of the manifests are told where the plugin is checked.
        onDiagnostic: () => {},
        builtin: false,
        bundled: false,
        activation: false,
        published: { marketplaces: [{ path: `${own.path}/market`, only: [name] }] },
      }),
    )
    try {
      const catalog = await skills.catalog({ signal })
      const base = `${own.path}/${plugin}`
      const folders = catalog.entries.flatMap(({ command }) => {
        const file = pathOf(command).path
        return file?.startsWith(`${base}/`) === true && file.endsWith('SKILL.md')
          ? [file.slice(base.length + 1).replace(/\/?SKILL\.md$/, '')]
          : []
      })
      return new Set(folders)
    } finally {
      await skills.close()
    }
  } finally {
    removeTemporary(own)
  }
}
