import { readWholeFile } from '@skills/files'

/** Largest file in bytes whose lines are compared. */
const mostBytes = 256 * 1024
/** Most lines of a skill's diff; a person reads no more before answering a question. */
const mostLines = 400

/**
 * Returns the changed lines of files that both folders have, as a unified diff. A file that is not text, or is too
 * large, or changes too much gets one line that says so.
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
      lines.push(`${path} has no lines that can be shown.`)
      continue
    }
    // A file that takes too long to compare is reported as a whole.
    const patch = createTwoFilesPatch(path, path, old, now, undefined, undefined, { context: 1, maxEditLength: 2000 })
    if (patch === undefined) lines.push(`${path} has changed in nearly all of its lines.`)
    else
      lines.push(
        ...patch
          .slice(patch.indexOf('\n---') + 1)
          .replace(/\n$/, '')
          .split('\n'),
      )
    if (lines.length > mostLines) return [...lines.slice(0, mostLines), 'The rest of the difference is not shown.']
  }
  return lines
}

/** Returns the text of a file, or undefined if it is gone, binary or too large. */
async function textOf(folder: string, path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const file = await readWholeFile(`${folder}/${path}`, { signal, within: [folder] })
  if (file === undefined || 'problem' in file || file.bytes.length > mostBytes || file.bytes.includes(0))
    return undefined
  return file.bytes.toString('utf8')
}
