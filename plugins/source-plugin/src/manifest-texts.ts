import { isAbsolute, resolve } from 'node:path'
import {
  findPackage,
  ioProblem,
  isPackageName,
  namedFiles,
  plainFolder,
  realPathOf,
  standardManifest,
  standardServers,
  systemCode,
  type JsonFile,
} from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { marketplaceFile, marketplaceFolder, readMarketplace } from './marketplace.js'
import { usualFile } from './plugin-hooks.js'
import { manifestFiles, readPlugin, sectionOf } from './read-plugin.js'
import type { NamedPlugin } from './named-plugin.js'
import type { PluginSourceOptions } from './plugin-options.js'

/**
 * Files that define each named plugin, package and marketplace and the commands that it runs, in the order of the
 * options.
 */
export interface ManifestTexts {
  readonly plugins: readonly string[]
  readonly packages: readonly string[]
  readonly marketplaces: readonly string[]
}

/**
 * Returns the current files that define named plugins, for a person who is to agree to them: manifests of plugins and
 * marketplaces, and files of hooks. Only the relevant part of a package file is included. A file that cannot be read is
 * replaced by the reason, and a missing file by an empty text.
 * @param given plugins with absolute paths
 */
export async function manifestTexts({
  plugins = [],
  packages = [],
  marketplaces = [],
}: PluginSourceOptions): Promise<ManifestTexts> {
  const each = async <T>(list: readonly T[], read: (one: T) => Promise<string>): Promise<readonly string[]> => {
    const texts: string[] = []
    for (const one of list) texts.push(await read(one))
    return texts
  }
  return {
    plugins: await each(plugins, async one =>
      textOfPlugin({ path: plainFolder(typeof one === 'string' ? one : one.path), from: 'project', config: {} }, ''),
    ),
    packages: await each(packages, async ({ name, folder }) => {
      const path = isPackageName(name) && isAbsolute(folder) ? findPackage(name, folder) : undefined
      return path === undefined ? '' : textOfPlugin({ path, from: 'project', config: {}, packageName: name }, '')
    }),
    marketplaces: await each(marketplaces, async one => {
      const given = typeof one === 'string' ? { path: one } : one
      const path = plainFolder(resolve(given.path))
      const file = marketplaceFile(path)
      const folder = marketplaceFolder(file)
      const named = (await readMarketplace({ ...given, path })).plugins
      return joined([
        textOfFile(file, folder, ''),
        ...(await each(named, async plugin =>
          textOfPlugin(plugin, plugin.path === folder ? '' : `${plugin.path.slice(folder.length + 1)}/`),
        )),
      ])
    }),
  }
}

/** @param prefix text before the names of its files */
async function textOfPlugin(named: NamedPlugin, prefix: string): Promise<string> {
  if (named.off !== undefined) return ''
  const { path: folder } = named
  const [own = '', ofPackage = ''] = manifestFiles(folder)
  const { manifest } = await readPlugin(named)
  const said =
    textOfFile(own, folder, prefix) ||
    textOfFile(ofPackage, folder, prefix, file => {
      const section = sectionOf(file)
      return section && JSON.stringify(section, undefined, 2)
    })
  const hooks = new Set([
    `${folder}/${usualFile}`,
    ...(manifest?.hooks.flatMap(one => ('path' in one ? [one.path] : [])) ?? []),
  ])
  const standard =
    manifest?.standard === undefined
      ? []
      : [standardManifest, standardServers].map(file => textOfFile(`${folder}/${file}`, folder, prefix))
  const texts = [...standard, said, ...[...hooks].map(path => textOfFile(path, folder, prefix))]
  return joined([...texts, ...filesNamedIn(joined(texts), folder, prefix)])
}

/** Returns the files of a plugin that its hooks name. A person who agrees to the hooks agrees to what they run. */
function filesNamedIn(text: string, folder: string, prefix: string): readonly string[] {
  const words = text.match(/"(?:[^"\\]|\\.)*"/g)?.map(wordOf)
  const files = namedFiles(words ?? [], { cwd: folder, top: folder })
  return (
    files?.map(line => `${prefix}${line}`) ?? [
      `It has too many words to tell which files they name (${crypto.randomUUID()}).`,
    ]
  )
}

function wordOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    // A message about a file that is not JSON, or a part of one.
    return quoted
  }
}

/**
 * Returns a file with each line indented by two spaces, so that no line can imitate the name of another file. Empty if
 * the file is missing or empty.
 */
function textOfFile(
  path: string,
  folder: string,
  prefix: string,
  textOf: (file: JsonFile) => string | undefined = ({ text }) => text,
): string {
  const shown = `${prefix}${path.slice(folder.length + 1)}`
  try {
    const file = readJsonFile(path, {
      code: 'invalid-manifest',
      what: 'The file',
      within: realPathOf(folder) ?? folder,
    })
    if (file === undefined) return ''
    if ('severity' in file) return `${shown}: ${file.message}`
    const text = textOf(file)
    return text === undefined
      ? ''
      : [
          `${shown}:`,
          ...text
            .trimEnd()
            .split('\n')
            .map(line => `  ${line}`),
        ].join('\n')
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return `${shown}: ${ioProblem('The file', path, error).message}`
  }
}

function joined(texts: readonly string[]): string {
  return [...new Set(texts)].filter(text => text !== '').join('\n')
}
