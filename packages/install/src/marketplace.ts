import { messageOf, SkillsError } from '@skills/core'
import { isJsonObject, marketplaceEntries, pathInside, pluginPath } from '@skills/files/internal'
import { masked, isRefused } from './error.js'
import { parsePlainJson } from './plain-json.js'
import { mayLeadTo } from './resolution.js'
import {
  githubSource,
  gitSource,
  npmSource,
  parseSource,
  type GitSource,
  type Marketplace,
  type NpmSource,
} from './source.js'
import type { OpenedStore } from './skill-files.js'

const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/

/**
 * Returns the source of a plugin in a marketplace: a folder of its own tree, a repository, or a package. Accepts no
 * other kind, and checks each part by the rules of its kind.
 * @throws SkillsError `E_INSTALL_NOT_FOUND`, `E_INSTALL_SOURCE`
 */
export async function pluginSource(
  { store, root }: OpenedStore,
  { name, marketplace }: { readonly name: string; readonly marketplace: Marketplace },
  signal: AbortSignal,
): Promise<
  ({ readonly path: string } | { readonly source: GitSource | NpmSource }) & {
    readonly entry: Readonly<Record<string, unknown>>
  }
> {
  const file = `${root}/.claude-plugin/marketplace.json`
  const read = await store.read(file, { signal, maxBytes: 4 * 1024 * 1024 })
  if (read?.found !== 'file')
    throw new SkillsError(
      'E_INSTALL_NOT_FOUND',
      `${root} is not a marketplace: it has no .claude-plugin/marketplace.json.`,
      { hint: 'Name a marketplace after the @.' },
    )
  const data = parsed(file, read.bytes.toString('utf8', 0, read.length))
  const entries = marketplaceEntries(data)
  const entry = entries.find(one => one['name'] === name)
  if (entry === undefined) {
    const names = entries.map(one => one['name']).filter(one => typeof one === 'string')
    throw new SkillsError('E_INSTALL_NOT_FOUND', `The marketplace ${root} has no plugin ${JSON.stringify(name)}.`, {
      hint: names.length === 0 ? 'The marketplace has no plugins.' : `It has ${names.slice(0, 20).join(', ')}.`,
    })
  }
  const { source } = entry
  if (typeof source === 'string') {
    const path = pluginPath(source, data)
    if (path === undefined) throw unknown(name, source)
    return { path, entry }
  }
  try {
    return { source: sourceOf(name, source, marketplace), entry }
  } catch (cause) {
    throw isRefused(cause) ? unknown(name, source, cause) : cause
  }
}

function sourceOf(name: string, source: unknown, marketplace: Marketplace): GitSource | NpmSource {
  if (!isJsonObject(source)) throw unknown(name, source)
  const text = (key: string): string | undefined => {
    const value = source[key]
    if (value !== undefined && typeof value !== 'string') throw unknown(name, source)
    return value === '' ? undefined : value
  }
  const of = `the plugin ${name} of the marketplace`
  const [sha, path] = [text('sha'), text('path')]
  if (sha !== undefined && !commitId.test(sha)) throw unknown(name, source)
  const inside = path === undefined ? undefined : (pathInside(path) ?? fail())
  const below = { ref: sha ?? text('ref'), path: inside }
  switch (source['source']) {
    case 'github':
      return githubSource(text('repo') ?? fail(), below, of)
    case 'url':
    case 'git':
    case 'git-subdir': {
      const url = text('url') ?? fail()
      // The address of a repository has no query and no fragment.
      if (/[?#]/.test(url) || !mayLeadTo(marketplace, url)) return fail()
      return gitSource(repositoryUrl(url), below, of)
    }
    case 'npm':
      return npmSource(text('package') ?? fail(), text('version') ?? '', of)
    default:
      return fail()
  }

  function fail(): never {
    throw unknown(name, source)
  }
}

/** Returns the address for git of a repository whose page or address a marketplace names. */
function repositoryUrl(url: string): string {
  const read = /^https?:/i.test(url) ? parseSource(url, { cwd: '/', home: '/' }) : undefined
  if (read?.type === 'git' && read.ref === undefined && read.tail === undefined) return read.url
  return url.endsWith('.git') || /^file:/i.test(url) ? url : `${url.replace(/\/$/, '')}.git`
}

function unknown(name: string, source: unknown, cause?: Error): SkillsError {
  return new SkillsError(
    'E_INSTALL_SOURCE',
    `The marketplace gives the plugin ${JSON.stringify(name)} a source that is not understood: ${masked(JSON.stringify(source))}.`,
    { hint: 'Give the address of the plugin itself.', cause },
  )
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = parsePlainJson(text)
  } catch (cause) {
    throw new SkillsError('E_INSTALL_SOURCE', `${file} is not JSON: ${messageOf(cause)}.`, {
      hint: 'Tell the publisher of the marketplace.',
      cause,
    })
  }
  if (isJsonObject(value)) return value
  throw new SkillsError('E_INSTALL_SOURCE', `${file} is not a JSON object.`, {
    hint: 'Tell the publisher of the marketplace.',
  })
}
