import { IgnoreRules } from '@skills/files'
import { lstatOf } from '@skills/files/internal'
import { agentFoldersIn } from './recognize-folder.js'

/**
 * Returns the agents' folders that git ignores in the main checkout and that a worktree does not have, each with its
 * place in the worktree.
 * @param top root of the worktree
 */
export function foldersOnlyIn(main: string, top: string): readonly { readonly path: string; readonly meant: string }[] {
  const rules = IgnoreRules.under(main)
  return agentFoldersIn(main)
    .map(path => ({ path, meant: `${top}${path.slice(main.length)}` }))
    .filter(({ path, meant }) => lstatOf(meant) === undefined && rules.ignores(`${path}/`))
}
