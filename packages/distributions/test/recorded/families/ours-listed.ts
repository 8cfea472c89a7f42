import { Invoker } from '@skills/invocation'
import { enginePort, skillTool } from '@skills/invocation/skill-tool'
import { tempTree } from '@skills/testing'
import { openOver } from '../../open-over.js'
import { filesFor, type Folders } from '../trees.mjs'
import { calledAs } from './called.mjs'
import { listedAs } from './listed-as.mjs'
import type { CatalogEntry } from '@skills/core'
import type { Batch } from './areas.mjs'

type Opened = Awaited<ReturnType<typeof openOver>>

/**
 * Returns how our distribution of a program lists the skills of a batch, in the form of `listed-as.mjs`, or what calls
 * of a model do, in that of `called.mjs`.
 */
export async function ourListed(program: string, folders: Folders, batch: Batch): Promise<readonly string[]> {
  const tree = tempTree({ 'home/.keep': '', 'project/.git/HEAD': '' })
  try {
    const files = filesFor({ id: 'family', files: batch.files }, folders)
    tree.write(
      Object.fromEntries(
        files.map(([path, file]) => [path, typeof file === 'string' ? file.replaceAll('<ROOT>', tree.path) : file]),
      ),
    )
    const opened = await openOver(tree, program, { cwd: 'project', home: 'home' })
    try {
      const calls = batch.steps.flatMap(one => one.calls ?? [])
      if (calls.length > 0) return await called(opened, calls)
      const { entries, disabled } = await opened.skills.catalog()
      // A name that looks like another one keeps a skill from models too, without a setting.
      const isOff = ({ dormant, doubt }: CatalogEntry): boolean => dormant !== undefined && doubt === undefined
      const off = new Set(entries.filter(isOff).map(({ name }) => name))
      const all = (await opened.found()).map(({ name, command: { description }, path }) => ({
        name,
        description,
        path,
        isOff: off.has(name),
      }))
      // Codex lists the skills that its settings switch off, although no one can use them. Ours leaves them out.
      for (const { name, command, barred } of disabled)
        if (barred?.includes(' switches it off') && command.type === 'prompt' && command.filePath !== undefined)
          all.push({ name, description: command.description, path: command.filePath, isOff: true })
      return batch.steps.flatMap(({ rows = [] }) => listedAs(all, rows))
    } finally {
      await opened.skills.close()
    }
  } finally {
    tree.dispose()
  }
}

async function called({ skills, distribution }: Opened, names: readonly string[]): Promise<readonly string[]> {
  const port = enginePort(skills, {
    ...distribution.port,
    invoker: new Invoker(skills, { ...distribution.invoker, onAsk: () => 'deny' }),
  })
  const { entries } = await port.listing({ contextWindow: 1_000_000, agentId: 'main' })
  const tool = await skillTool(port, distribution.tool)
  const results = await Promise.all(
    names.map(async name => {
      const { behavior } = await tool.checkPermissions({ name })
      if (behavior === 'allow') return '<skill_content '
      return behavior === 'ask' ? 'The user rejected permission' : 'The user has specified a rule which prevents'
    }),
  )
  return calledAs(
    names,
    entries.map(({ name }) => name),
    results,
  )
}
