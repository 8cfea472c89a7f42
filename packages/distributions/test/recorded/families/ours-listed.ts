import { tempTree } from '@skills/testing'
import { openOver } from '../../open-over.js'
import { filesFor, type Folders } from '../trees.mjs'
import { listedAs } from './listed-as.mjs'
import type { Batch } from './areas.mjs'

/** Returns how our distribution of a program lists the skills of a batch, in the form of `listed-as.mjs`. */
export async function ourListed(program: string, folders: Folders, batch: Batch): Promise<readonly string[]> {
  const tree = tempTree({ 'home/.keep': '', 'project/.git/HEAD': '' })
  try {
    tree.write(Object.fromEntries(filesFor({ id: 'family', files: batch.files }, folders)))
    const { skills, found } = await openOver(tree, program, { cwd: 'project', home: 'home' })
    try {
      const all = (await found()).map(({ name, command, path }) => ({ name, description: command.description, path }))
      return batch.steps.flatMap(({ rows = [] }) => listedAs(all, rows))
    } finally {
      await skills.close()
    }
  } finally {
    tree.dispose()
  }
}
