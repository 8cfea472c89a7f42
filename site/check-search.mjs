// @ts-check
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { miniSearch } from './search.mjs'

/** Queries that people type, with the page that has to come first. */
const wanted = {
  'not showing': '/guides/not-showing',
  'skill does not show up': '/guides/not-showing',
  'web chat': '/guides/web-chat',
  'run in production': '/guides/production',
  'mcp client': '/guides/mcp-clients',
  'install skills': '/guides/share',
}

/**
 * Runs each query on the search index of a built site, with the library and the options of the browser. Throws an error
 * that names each query that does not find its page first.
 * @param {string} dist absolute path of the built site
 */
export async function checkSearch(dist) {
  const chunks = path.join(dist, 'assets/chunks')
  const name = readdirSync(chunks).find(file => file.startsWith('@localSearchIndex'))
  if (name === undefined) throw new Error('The site has no index of its search.')
  const { default: json } = await import(pathToFileURL(path.join(chunks, name)).href)
  // The library is a dependency of VitePress.
  const ofSite = createRequire(import.meta.url)
  const MiniSearch = createRequire(ofSite.resolve('vitepress/package.json'))('minisearch')
  const index = MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: miniSearch.searchOptions,
    ...miniSearch.options,
  })
  const wrong = Object.entries(wanted).flatMap(([query, page]) => {
    const [first] = index.search(query)
    return first !== undefined && String(first.id).startsWith(page)
      ? []
      : `"${query}" finds ${first?.id} before ${page}`
  })
  if (wrong.length > 0) throw new Error(`The search of the site: ${wrong.join('; ')}`)
  console.log(`${Object.keys(wanted).length} searches find the page that is meant first`)
}
