// @ts-check
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filesFor } from '../../packages/distributions/test/recorded/trees.mjs'

const limitMs = 60_000

/**
 * Makes a tree in a temporary folder, asks a program in it, and removes the folder.
 * @template Answer
 * @param {import('./programs.mjs').Program} program
 * @param {{ bin: string, path: string }} installed
 * @param {import('../../packages/distributions/test/recorded/trees.mjs').Tree} tree
 * @param {(place: import('./isolated.mjs').Place, folder: string) => Promise<Answer>} ask
 * @returns {Promise<Answer | { readonly failed: string }>}
 */
export async function inTree(program, installed, tree, ask) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'skills-record-')))
  const below = (/** @type {string} */ name) => path.join(folder, name)
  try {
    const [cwd, home, temporary, git] = [
      below(tree.cwd ?? 'project'),
      below('home'),
      below('tmp'),
      below('project/.git'),
    ]
    // The least that git takes for a repository: these folders and a HEAD.
    for (const made of [cwd, home, temporary, `${git}/objects`, `${git}/refs`]) mkdirSync(made, { recursive: true })
    writeFileSync(`${git}/HEAD`, 'ref: refs/heads/main\n')
    for (const [name, content] of filesFor(tree, program.folders)) {
      mkdirSync(path.dirname(below(name)), { recursive: true })
      if (typeof content === 'string') writeFileSync(below(name), content.replaceAll('<ROOT>', folder))
      else symlinkSync(content.link, below(name))
    }
    program.prepare?.(home)
    return await ask({ cwd, home, temporary, ...installed, signal: AbortSignal.timeout(limitMs) }, folder)
  } catch (error) {
    return { failed: (error instanceof Error ? error.message : String(error)).replaceAll(folder, '') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
