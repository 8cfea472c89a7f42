import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { root, workspacePackages } from '../../../config/workspace.mjs'

/** Copy of the repository's sources that a test may change. Nothing in it is built. */
export class RepositoryCopy {
  readonly path = mkdtempSync(path.join(tmpdir(), 'skills-copy-'))

  constructor() {
    const listed = execFileSync('git', ['ls-files', 'packages', 'plugins', 'docs', 'scripts', ':(glob)*'], {
      cwd: root,
    })
    for (const file of listed.toString().split('\n')) {
      if (file === '' || !existsSync(path.join(root, file))) continue
      mkdirSync(path.join(this.path, path.dirname(file)), { recursive: true })
      copyFileSync(path.join(root, file), path.join(this.path, file))
    }
    // Libraries are those of the repository. Our packages are found by the paths of tsconfig.json.
    for (const { folder } of [{ folder: '.' }, ...workspacePackages()]) {
      const libraries = path.join(root, folder, 'node_modules')
      const copied = path.join(this.path, folder)
      if (existsSync(libraries) && existsSync(copied)) symlinkSync(libraries, path.join(copied, 'node_modules'))
    }
  }

  read(file: string): string {
    return readFileSync(path.join(this.path, file), 'utf8')
  }

  write(file: string, text: string): void {
    mkdirSync(path.join(this.path, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(this.path, file), text)
  }

  /** Bundles a module at the root with everything that it imports from the repository, and returns its exports. */
  async load<Exports>(contents: string): Promise<Exports> {
    const outfile = path.join(this.path, 'loaded.mjs')
    await build({
      stdin: { contents, resolveDir: this.path, loader: 'ts' },
      outfile,
      absWorkingDir: this.path,
      tsconfig: path.join(this.path, 'tsconfig.json'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      external: ['@skills/source-mcp', 'bullmq', 'ioredis', 'pg', 'vitest'],
      logLevel: 'silent',
      // CommonJS libraries use require() for Node's modules.
      banner: {
        js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
      },
    })
    return (await import(pathToFileURL(outfile).href)) as Exports
  }

  dispose(): void {
    rmSync(this.path, { recursive: true })
  }
}
