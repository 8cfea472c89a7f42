import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tempTree, type TempTree } from '@skills/testing'
import type { StoreSamples } from '@skills/testing/internal'

/** Makes a program that writes down its process id and then becomes another program, so that a test sees what runs. */
export function recorded(
  tree: TempTree,
  script = 'exec git "$@"',
): { readonly program: string; running(): readonly number[] } {
  tree.write({ 'recorded-git': { content: `#!/bin/sh\necho $$ >> '${tree.path}/pids'\n${script}\n`, mode: 0o755 } })
  return {
    program: `${tree.path}/recorded-git`,
    running: () =>
      (existsSync(`${tree.path}/pids`)
        ? readFileSync(`${tree.path}/pids`, 'utf8').trim().split('\n').map(Number)
        : []
      ).filter(isRunning),
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // ESRCH: the process has ended.
    return false
  }
}

/** Real bare repository with a commit for each set of files. */
export interface Repository {
  readonly path: string
  readonly tree: TempTree
  git(...args: readonly string[]): string
  /** Makes a commit of all files. */
  commit(samples: StoreSamples, branch?: string): void
}

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
}

export function makeRepository(samples: StoreSamples = {}): Repository {
  const tree = tempTree()
  const path = `${tree.path}/skills.git`
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', path, ...args], { env, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim()
  execFileSync('git', ['init', '-q', '--bare', '--template=', '-b', 'main', path], { env })
  const repository: Repository = {
    path,
    tree,
    git,
    commit(files, branch = 'main') {
      const pieces: (string | Uint8Array)[] = [
        `reset refs/heads/${branch}\ncommit refs/heads/${branch}\ncommitter a <a@localhost> 0 +0000\ndata 0\ndeleteall\n`,
      ]
      for (const [name, sample] of Object.entries(files)) {
        if (name.includes('\0')) throw new Error('A name in a tree ends with its NUL.')
        const link = typeof sample === 'object' && 'link' in sample
        const bytes = link ? Buffer.from(sample.link) : Buffer.from(sample)
        const quoted = `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
        pieces.push(`M ${link ? '120000' : '100644'} inline ${quoted}\ndata ${bytes.length}\n`, bytes, '\n')
      }
      execFileSync('git', ['-C', path, '-c', 'core.compression=0', 'fast-import', '--quiet', '--force', '--depth=0'], {
        env,
        input: Buffer.concat(pieces.map(piece => Buffer.from(piece))),
        stdio: 'pipe',
      })
    },
  }
  repository.commit(samples)
  return repository
}
