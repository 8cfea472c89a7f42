import { isJsonObject, pathInside, parseJson } from '@skills/files'
import { InstallError } from './error.js'
import { parseSource, type Source } from './source.js'
import type { OpenedStore } from './skill-files.js'

const nowhere = { cwd: '/', home: '/' }

/** Where a plugin of a marketplace lies: in its own tree, or somewhere else. */
export async function pluginSource(
  { store, root }: OpenedStore,
  name: string,
  signal: AbortSignal,
): Promise<{ readonly path: string } | { readonly source: Source }> {
  const file = `${root}/.claude-plugin/marketplace.json`
  const read = await store.read(file, { signal, maxBytes: 4 * 1024 * 1024 })
  if (read?.found !== 'file')
    throw new InstallError(
      'E_INSTALL_NOT_FOUND',
      `${root} is no marketplace: it has no .claude-plugin/marketplace.json.`,
      'Name a marketplace behind the @.',
    )
  const { plugins, metadata } = parsed(file, read.bytes.toString('utf8', 0, read.length))
  const entries = Array.isArray(plugins) ? plugins.filter(isJsonObject) : []
  const entry = entries.find(one => one['name'] === name)
  if (entry === undefined) {
    const names = entries.map(one => one['name']).filter(one => typeof one === 'string')
    throw new InstallError(
      'E_INSTALL_NOT_FOUND',
      `The marketplace ${root} has no plugin ${JSON.stringify(name)}.`,
      names.length === 0 ? 'It has none.' : `It has ${names.slice(0, 20).join(', ')}.`,
    )
  }
  const { source } = entry
  if (typeof source === 'string') {
    const base = isJsonObject(metadata) ? metadata['pluginRoot'] : undefined
    const path = pathInside(source.startsWith('./') || typeof base !== 'string' ? source : `${base}/${source}`)
    if (path === undefined) throw unknown(name, source)
    return { path }
  }
  return { source: sourceOf(name, source) }
}

function sourceOf(name: string, source: unknown): Source {
  if (!isJsonObject(source)) throw unknown(name, source)
  const text = (key: string): string | undefined => {
    const value = source[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [ref, path] = [text('sha') ?? text('ref'), text('path')]
  const tail = `${path === undefined ? '' : `/${pathInside(path) ?? fail()}`}${ref === undefined ? '' : `#${ref}`}`
  const url = text('url')
  switch (source['source']) {
    case 'github':
      return parseSource(`${text('repo') ?? fail()}${tail}`, nowhere)
    case 'url':
    case 'git':
    case 'git-subdir': {
      if (url === undefined || !/^(?:https?|ssh|file):|^[\w.-]+@/.test(url)) return fail()
      const repository = url.endsWith('.git') || url.startsWith('file:') ? url : `${url.replace(/\/$/, '')}.git`
      return parseSource(`${repository.includes('://') ? 'git+' : ''}${repository}${tail}`, nowhere)
    }
    case 'npm':
      return parseSource(
        `npm:${text('package') ?? fail()}${text('version') === undefined ? '' : `@${text('version')}`}`,
        nowhere,
      )
    default:
      return fail()
  }

  function fail(): never {
    throw unknown(name, source)
  }
}

function unknown(name: string, source: unknown): InstallError {
  return new InstallError(
    'E_INSTALL_SOURCE',
    `The marketplace says of the plugin ${JSON.stringify(name)} that it is at ${JSON.stringify(source)}, which is not understood.`,
    'Give the address of the plugin itself.',
  )
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    throw new InstallError('E_INSTALL_SOURCE', `${file} is no JSON.`, 'Tell those who publish it.', { cause })
  }
  if (isJsonObject(value)) return value
  throw new InstallError('E_INSTALL_SOURCE', `${file} is no object in JSON.`, 'Tell those who publish it.')
}
