import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { SkillsError } from '@skills/core'
import { systemCode } from '@skills/files/internal'
import { systemRefusal } from '@skills/state'
import { Root } from '@skills/state/writer'
import { besideOf, movedInto, removeFolder, removePartial } from './place-tree.js'
import { lstatOf } from './inspect-tree.js'
import { entriesOf } from './file-entries.js'
import { markerOf } from './fingerprint.js'
import { writeTree } from './write-tree.js'
import { wrongFiles } from './check-skill.js'
import type { ExtractFolderOptions } from './extract-folder-options.js'

/** Lost races after which the cause is not chance. */
const mostTries = 10

/** Implements `extractFolder` of the index. */
export async function extractFolderNow({
  folder,
  files,
  marker = '.skills-bundled.marker',
}: ExtractFolderOptions): Promise<boolean> {
  const wrong =
    wrongFiles(files) ??
    (isAbsolute(folder) ? undefined : `goes to the folder ${JSON.stringify(folder)}, which is not absolute`) ??
    (/^[\w.-]*\w[\w.-]*$/.test(marker)
      ? undefined
      : `has the marker ${JSON.stringify(marker)}, which is not the name of a file`)
  if (wrong !== undefined)
    throw new SkillsError('E_INVALID_OPTION', `The call of extractFolder() ${wrong}.`, {
      hint: 'Correct the options of the call.',
    })
  const entries = await entriesOf(files, 'A program')
  const taken = entries.find(({ path }) => foldedTop(path) === foldedTop(marker))
  if (taken !== undefined)
    throw new SkillsError(
      'E_INVALID_OPTION',
      `The files to extract contain ${JSON.stringify(taken.path)}, where the marker ${marker} has to be written.`,
      { hint: 'Rename the file, or name another marker.' },
    )
  const text = markerOf(entries)
  try {
    return await replaced(folder, marker, text, target =>
      writeTree(target, [...entries, { path: marker, bytes: Buffer.from(text) }]),
    )
  } catch (error) {
    throw systemRefusal(`The files of a program could not be extracted to ${folder}`, error)
  }
}

/** Returns the first part of a path, the same for paths that some file system treats as equal. */
function foldedTop(path: string): string {
  return path.replace(/\/.*$/s, '').toLowerCase()
}

async function replaced(
  folder: string,
  marker: string,
  text: string,
  write: (target: string) => void,
): Promise<boolean> {
  new Root(dirname(folder), { kind: 'person' }).makeFolder('', 0o700)
  removePartial(folder)
  for (let tries = 0; tries < mostTries; tries++) {
    if ((await markedAs(folder, marker)) === text) return false
    const [partial, old] = [besideOf(folder, 'partial'), besideOf(folder, 'removed')]
    try {
      write(partial)
      moveIfThere(folder, old)
      if (movedInto(partial, folder)) return true
    } finally {
      removeFolder(partial)
      removeFolder(old)
    }
  }
  throw new SkillsError('E_STATE', `Another program keeps replacing ${folder}.`, {
    hint: 'Find out which program uses that folder.',
  })
}

/**
 * Returns the marker of a folder. Undefined if there is no folder. Throws `E_STATE` for a folder that was not
 * extracted, because its content would be lost.
 */
async function markedAs(folder: string, marker: string): Promise<string | undefined> {
  const stats = await lstatOf(folder)
  if (stats === undefined) return undefined
  const text = stats.isDirectory() ? await textOf(`${folder}/${marker}`) : undefined
  if (text !== undefined) return text
  // Another process is replacing it now.
  if ((await lstatOf(folder))?.ino !== stats.ino) return undefined
  throw new SkillsError(
    'E_STATE',
    `${folder} is not replaced, because it was not extracted before: it has no ${marker}.`,
    { hint: 'Move what is there, or name another folder.' },
  )
}

async function textOf(path: string): Promise<string | undefined> {
  if ((await lstatOf(path))?.isFile() !== true) return undefined
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    movedInto(from, to)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}
