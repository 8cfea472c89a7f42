import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** A file of the page by its address; undefined where there is none. Only names of our own build lead to a file. */
export async function pageFile(
  folder: string,
  pathname: string,
): Promise<{ readonly bytes: Buffer; readonly type: string } | undefined> {
  const name = pathname === '/' ? 'index.html' : /^\/(assets\/[\w-]+\.(?:js|css))$/.exec(pathname)?.[1]
  const type = types[name?.split('.').at(-1) ?? '']
  if (name === undefined || type === undefined || !existsSync(`${folder}/${name}`)) return undefined
  return { bytes: await readFile(`${folder}/${name}`), type }
}

/** The script and the style sheet that a report holds. */
export async function reportFiles(folder: string): Promise<{ readonly script: string; readonly style: string }> {
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map(name => readFile(`${folder}/${name}`, 'utf8')),
  )
  return { script: script ?? '', style: style ?? '' }
}

/** Where this package has what it was built to, also when its sources run. Throws where it was not built. */
export function builtFolder(name: 'page' | 'report'): string {
  const found = [`./${name}`, `../dist/${name}`]
    .map(path => fileURLToPath(new URL(path, import.meta.url)))
    .find(folder => existsSync(folder))
  if (found === undefined) throw new Error(`The ${name} of @skills/ui is not built: run npm run build.`)
  return found
}
