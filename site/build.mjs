#!/usr/bin/env node
// @ts-check
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkSearch } from './check-search.mjs'
import { exportedSources, root, workspacePackages } from '../packages/config/workspace.mjs'

// Builds the site: the pages of docs/, the READMEs of the packages, and the API from the types. Its tools have a lockfile
// of their own, so that no user of the project installs them.

/** Comment in the first page that the measured table replaces. */
const measured = '<!-- measured -->'
const here = fileURLToPath(new URL('.', import.meta.url))
const pages = path.join(here, '.pages')
const { homepage, packageManager } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const packages = workspacePackages().filter(
  ({ folder, manifest }) => /^(packages|plugins)\//.test(folder) && !manifest.private,
)
/** Files of the repository, by the pages that they become. */
const pageOf = new Map([
  ['CONTRIBUTING.md', 'contributing.md'],
  ['SECURITY.md', 'security.md'],
  ['site/home.md', 'index.md'],
  ...markdownIn('docs').map(
    file => /** @type {const} */ ([`docs/${file}`, file === 'index.md' ? 'documents.md' : file]),
  ),
  ...packages.flatMap(({ folder }) => [
    /** @type {const} */ ([folder, `${folder}/index.md`]),
    /** @type {const} */ ([`${folder}/README.md`, `${folder}/index.md`]),
  ]),
])

if (!isInstalled()) {
  console.log('Installing what makes the site…')
  // npm, in some of its versions, refuses a lockfile without addresses of a registry.
  run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', '--silent'])
}
rmSync(pages, { recursive: true, force: true })
mkdirSync(pages)
console.log('The API, out of the types…')
const apis = writeApis()
for (const [file, page] of pageOf)
  if (file.endsWith('.md')) write(page, readFileSync(path.join(root, file), 'utf8'), file)
const home = path.join(pages, 'index.md')
writeFileSync(home, readFileSync(home, 'utf8').replace(measured, measuredTable()))
cpSync(path.join(root, 'docs/pictures'), path.join(pages, 'public/pictures'), { recursive: true })
for (const { folder, manifest } of packages) {
  const entries = apis.get(folder) ?? []
  const list = entries.map(({ name, page }) => `- [\`${name}\`](/${page})`).join('\n')
  const page = path.join(pages, folder, 'index.md')
  writeFileSync(page, `${readFileSync(page, 'utf8')}\n## All that ${manifest.name} exports\n\n${list}\n`)
}
writeFileSync(path.join(pages, 'menus.json'), JSON.stringify(menus()))
console.log('The pages…')
run(process.execPath, [path.join(here, 'node_modules/vitepress/bin/vitepress.js'), 'build', here])
await checkSearch(path.join(here, 'dist'))
console.log(`${pageOf.size} pages in ${path.relative(process.cwd(), path.join(here, 'dist'))}`)

function isInstalled() {
  const wanted = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8')).dependencies
  return Object.entries(wanted).every(([name, version]) => {
    const file = path.join(here, 'node_modules', name, 'package.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  })
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  execFileSync(command, args, { cwd: here, stdio: 'inherit' })
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function markdownIn(folder) {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.md'),
  )
}

/**
 * Writes a page: without comments, which are for its checks, and with links that lead to pages, or to the repository.
 * @param {string} page
 * @param {string} text
 * @param {string} file that it is, from the root
 */
function write(page, text, file) {
  const target = path.join(pages, page)
  mkdirSync(path.dirname(target), { recursive: true })
  const outside = text.split(/(^```[^]*?^```$)/m).map((part, at) => (at % 2 === 1 ? part : rewritten(part, file)))
  writeFileSync(target, outside.join(''))
}

/**
 * @param {string} text without blocks of code
 * @param {string} file
 */
function rewritten(text, file) {
  return text
    .replace(/^<!--(?! measured).*-->\n/gm, '')
    .replace(/\]\((?![a-z][a-z\d+.-]*:|#|\/)([^)#\s]+)(#[^)\s]*)?\)/g, (_all, to, anchor = '') => {
      const aim = path.posix.join(path.posix.dirname(file), to).replace(/\/$/, '')
      if (aim.startsWith('docs/pictures/')) return `](/${aim.slice('docs/'.length)})`
      const page = pageOf.get(aim)
      return page === undefined ? `](${homepage}/blob/main/${aim}${anchor})` : `](/${page}${anchor})`
    })
}

/** @returns {Map<string, { name: string, page: string }[]>} the pages of what each package exports, by its folder */
function writeApis() {
  const found = new Map()
  const entries = packages.flatMap(({ folder, manifest }) => {
    const sources = exportedSources(manifest)
      .filter(({ subpath }) => subpath !== './internal')
      .map(({ subpath, source }) => ({
        folder,
        file: `${folder}/${source}`,
        name: path.posix.join(manifest.name, subpath),
      }))
    return sources.filter(({ file }) => existsSync(path.join(root, file)))
  })
  const out = path.join(pages, 'api')
  const options = {
    plugin: ['typedoc-plugin-markdown'],
    router: 'module',
    out,
    tsconfig: path.join(root, 'tsconfig.json'),
    basePath: root,
    entryPoints: entries.map(({ file }) => path.join(root, file)),
    readme: 'none',
    logLevel: 'Error',
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useHTMLEncodedBrackets: true,
  }
  const settings = path.join(pages, 'typedoc.json')
  writeFileSync(settings, JSON.stringify(options))
  run(process.execPath, [path.join(here, 'node_modules/typedoc/bin/typedoc'), '--options', settings])
  for (const { folder, file, name } of entries) {
    const page = `api/${file.replace(/\.ts$/, '.md').replace(/\/index\.md$/, '.md')}`
    const actual = [
      page,
      `api/${file.replace(/\.ts$/, '.md')}`,
      `api/${file.replace(/\/index\.ts$/, '/README.md')}`,
      // The page of a module may have the name of something in it.
      `api/${file.replace(/\.ts$/, '-1.md')}`,
    ].find(each => existsSync(path.join(pages, each)))
    if (actual === undefined) throw new Error(`There is no page of the API for ${file}.`)
    found.set(folder, [...(found.get(folder) ?? []), { name, page: actual }])
  }
  return found
}

/**
 * Returns a table of how many of the recorded trees each program reads, out of `docs/agents.md`, which is made from the
 * recordings themselves.
 */
function measuredTable() {
  const text = readFileSync(path.join(root, 'docs/agents.md'), 'utf8')
  const [, section = ''] = /\n## Places\n([^]*?)\n## /.exec(text) ?? []
  const [head = [], , ...rows] = section
    .trim()
    .split('\n')
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.trim()),
    )
  const programs = head.slice(1)
  const folders = rows.filter(([tree = '']) => /^`(?:project|home)\//.test(tree))
  if (programs.length < 2 || folders.length < 2) throw new Error('docs/agents.md has no table of places.')
  const isRead = (/** @type {string | undefined} */ cell) => cell !== undefined && cell !== '–'
  const differing = rows.filter(([, ...cells]) => new Set(cells).size > 1)
  return [
    '| program, version, day | folders for skills that it reads |',
    '|---|---|',
    ...programs.map(
      (program, at) => `| ${program} | ${folders.filter(row => isRead(row[at + 1])).length} of ${folders.length} |`,
    ),
    '',
    `They agree on ${rows.length - differing.length} of ${rows.length} trees.`,
  ].join('\n')
}

/** @param {string} page */
function titleOf(page) {
  return /^# (.+)$/m.exec(readFileSync(path.join(pages, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page
}

/** Returns the menus beside the pages. */
function menus() {
  /** @param {readonly string[]} list */
  const items = list => list.map(page => ({ text: titleOf(page), link: `/${page.replace(/\.md$/, '')}` }))
  const inFolder = (/** @type {string} */ folder) =>
    [...pageOf.values()].filter(page => page.startsWith(`${folder}/`)).toSorted()
  return [
    {
      text: 'Tutorials',
      items: items(
        ['skill-author', 'plugin-author', 'source-author', 'host-builder'].map(name => `tutorials/${name}.md`),
      ),
    },
    { text: 'How to', items: items(inFolder('guides')) },
    { text: 'Commands', collapsed: true, items: items(inFolder('commands')) },
    {
      text: 'Reference',
      collapsed: true,
      items: items(['reference.md', ...inFolder('reference'), 'agents.md', 'diagnostics.md', 'conformance.md']),
    },
    {
      text: 'Packages',
      collapsed: true,
      items: packages.map(({ folder, manifest }) => ({ text: manifest.name, link: `/${folder}/index` })),
    },
  ]
}
