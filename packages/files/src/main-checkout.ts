import { dirname, resolve } from 'node:path'
import { readWholeFileSync } from './read-file.js'
import { realPathOf, statOf } from './real-path.js'
import { slashes } from './slashes.js'

/** Most bytes of a file in which git keeps one path. */
const mostBytes = 8192

/**
 * Returns the main checkout of a git worktree, absolute, with links resolved. Returns undefined for any other folder,
 * and unless git's own folder names this worktree in turn: a `.git` file alone may come with an archive and lead
 * anywhere.
 * @param top root of the worktree, with a file called `.git`
 */
export function mainCheckoutOf(top: string): string | undefined {
  const named = /^gitdir: (.+)$/.exec(lineOf(`${top}/.git`) ?? '')?.[1]
  if (named === undefined) return undefined
  const own = slashes(resolve(top, named))
  if (!/\/worktrees\/[^/]+$/.test(own)) return undefined
  const [back, common] = [lineOf(`${own}/gitdir`), lineOf(`${own}/commondir`)]
  if (back === undefined || common === undefined) return undefined
  const file = realPathOf(slashes(resolve(own, back)))
  if (file === undefined || file !== realPathOf(`${top}/.git`)) return undefined
  const shared = realPathOf(slashes(resolve(own, common)))
  // A bare repository has no checkout of its own.
  if (shared === undefined || !shared.endsWith('/.git')) return undefined
  const main = dirname(shared)
  return statOf(main)?.isDirectory() === true ? main : undefined
}

function lineOf(path: string): string | undefined {
  const file = readWholeFileSync(path, { maxBytes: mostBytes })
  return file === undefined || 'problem' in file ? undefined : file.bytes.toString('utf8').trim()
}
