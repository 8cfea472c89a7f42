import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** File of the page. */
export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
}

/** Files of the page. Each file is read once and kept, so that many requests do not take more memory. */
export class PageFiles {
  readonly #folder: string
  readonly #read = new Map<string, Promise<Buffer>>()

  /** @param builtDir absolute path */
  constructor(builtDir: string) {
    this.#folder = `${builtDir}/page`
  }

  /** Returns a file by its address, or undefined if there is none. Only names of our own build lead to a file. */
  async at(pathname: string): Promise<PageFile | undefined> {
    const name = pathname === '/' ? 'index.html' : /^\/(assets\/[\w-]+\.(?:js|css))$/.exec(pathname)?.[1]
    const type = types[name?.split('.').at(-1) ?? '']
    if (name === undefined || type === undefined) return undefined
    const file = `${this.#folder}/${name}`
    if (!this.#read.has(name) && !existsSync(file)) return undefined
    const reading = this.#read.get(name) ?? readFile(file)
    this.#read.set(name, reading)
    return { bytes: await reading, type }
  }
}

/** Reads the script and the style sheet that a report embeds. */
export async function reportFiles(builtDir: string): Promise<{ readonly script: string; readonly style: string }> {
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map(name => readFile(`${builtDir}/report/${name}`, 'utf8')),
  )
  return { script: script ?? '', style: style ?? '' }
}

/**
 * Returns the path of the worker that parses Markdown: an ES module in this package, CommonJS in a program that is
 * built into one folder.
 */
export const readingWorker = (builtDir: string): string =>
  existsSync(`${builtDir}/reading-worker.cjs`) ? `${builtDir}/reading-worker.cjs` : `${builtDir}/reading-worker.js`

/**
 * Returns the folder with the built page, even when this package runs from its sources. Throws if the page was not
 * built.
 */
export function builtFolder(): string {
  const found = ['.', '../dist']
    .map(path => fileURLToPath(new URL(path, import.meta.url)))
    .find(folder => existsSync(`${folder}/page/index.html`))
  if (found === undefined) throw new Error('The page of @skills/ui is not built: run npm run build.')
  return found
}
