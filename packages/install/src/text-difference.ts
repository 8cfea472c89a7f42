import { readWholeFile } from '@skills/files'

/** Bytes of the largest file whose lines are compared. */
const mostBytes = 256 * 1024
/** Lines of a skill's difference; a person reads no more before a question. */
const mostLines = 400

/**
 * The changed lines of files that two folders both have, as a unified difference. Of what is no text, too large, or
 * more than a person reads, one line says so.
 * @param paths below both folders, with `/`
 */
export async function textDifference(
  before: string,
  after: string,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  if (paths.length === 0) return []
  const { createTwoFilesPatch } = await import('diff')
  const lines: string[] = []
  for (const path of paths) {
    const [old, now] = [await textOf(before, path, signal), await textOf(after, path, signal)]
    if (old === undefined || now === undefined) {
      lines.push(`${path}: its lines cannot be shown.`)
      continue
    }
    // One that takes long to compare is told of as a whole.
    const patch = createTwoFilesPatch(path, path, old, now, undefined, undefined, { context: 1, maxEditLength: 2000 })
    if (patch === undefined) lines.push(`${path}: nearly all of its lines are new.`)
    else
      lines.push(
        ...patch
          .slice(patch.indexOf('\n---') + 1)
          .replace(/\n$/, '')
          .split('\n'),
      )
    if (lines.length > mostLines) return [...lines.slice(0, mostLines), 'The difference goes on.']
  }
  return lines
}

/** Undefined of what is gone, binary or too large. */
async function textOf(folder: string, path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const file = await readWholeFile(`${folder}/${path}`, { signal, within: [folder] })
  if (file === undefined || 'problem' in file || file.bytes.length > mostBytes || file.bytes.includes(0))
    return undefined
  return file.bytes.toString('utf8')
}
