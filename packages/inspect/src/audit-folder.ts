import { isInside, lstatOf, realPathOf, systemCode } from '@skills/files/internal'
import { readWholeFile } from '@skills/files'
import { auditPadding } from './audit-padding.js'
import { filesBeside, type FileBeside } from './files-beside.js'
import { kindOfBytes, textOfBytes } from './file-kind.js'
import type { AuditFinding } from './audit-finding.js'

/** Bytes of all files beside a skill above which their size is a finding. */
const muchBytes = 5_000_000
/** Number of files beside a skill above which it is a finding. */
const manyFiles = 1_000
/** Most files beside a skill that are examined. */
const most = 20_000
/** Most bytes that are read of one file, and of all files beside a skill. */
const mostOfFile = 8 * 1024 * 1024
const mostOfAll = 64 * 1024 * 1024

const program =
  /\.(?:sh|bash|zsh|fish|ps1|psm1|bat|cmd|exe|com|py|pyw|rb|pl|php|js|cjs|mjs|ts|cts|mts|lua|tcl|r|jar|applescript|scpt|vbs|wsf|awk|so|dll|dylib|wasm)$/i

/**
 * Audits the files beside a skill: its programs, its links that lead out of its folder, and its size.
 * @param folder folder of the skill, absolute
 * @param file the skill's own file, absolute
 * @throws AbortError if the signal aborts
 */
export async function auditFolder(
  folder: string,
  file: string | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly AuditFinding[]> {
  const looking = { except: file, most, mostLooked: most, all: true, signal }
  const { files, more, isComplete, diagnostics } = await filesBeside(folder, looking)
  // Most folders hold nothing but the skill.
  const real = files.length === 0 ? undefined : realPathOf(folder)
  const found = files.flatMap(one => lookAt(one, folder, real))
  let left = mostOfAll
  for (const { path, kind, size = 0 } of files) {
    if (kind !== 'file') continue
    for (const one of await lookInto(folder, path, Math.min(mostOfFile, left), real ?? folder, signal)) found.push(one)
    left = Math.max(0, left - size)
  }
  found.push(
    ...diagnostics.map(({ message, path }): AuditFinding => ({ level: 'high', code: 'not-audited', message, path })),
  )
  if (!isComplete)
    found.push({
      level: 'high',
      code: 'not-audited',
      message: `The folder ${folder} has too many files; some were not audited.`,
      path: folder,
    })
  const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0)
  const count = files.length + more
  if (count > manyFiles || bytes > muchBytes)
    found.push({
      level: 'low',
      code: 'size',
      message: `${count} files are beside the skill, with ${bytes} bytes${more > 0 ? ` in the first ${files.length} files` : ''}.`,
      path: folder,
    })
  return found
}

function lookAt(
  { path, kind, size, target = '?' }: FileBeside,
  folder: string,
  real: string | undefined,
): AuditFinding[] {
  const absolute = `${folder}/${path}`
  if (kind === 'link') return lookAtLink(absolute, target, real)
  if (kind === 'other')
    return [
      { level: 'high', code: 'not-audited', message: `${absolute} is neither a file nor a folder.`, path: absolute },
    ]
  const isExecutable = ((lstatOf(absolute)?.mode ?? 0) & 0o111) !== 0
  if (!isExecutable && !program.test(path)) return []
  return [
    {
      level: 'low',
      code: 'script',
      message: `A program is beside the skill: ${path} (${size ?? 0} bytes${isExecutable ? ', executable' : ''}).`,
      text: path,
      path: absolute,
    },
  ]
}

/** Returns findings about the content of a file: whether a person can read it, and sees all of it. */
async function lookInto(
  folder: string,
  path: string,
  maxBytes: number,
  real: string,
  signal: AbortSignal | undefined,
): Promise<readonly AuditFinding[]> {
  const absolute = `${folder}/${path}`
  const read = await readWholeFile(absolute, { within: [real], maxBytes, signal })
  // A file that was removed since it was listed can do nothing.
  if (read === undefined) return []
  if ('problem' in read)
    return [
      {
        level: 'high',
        code: 'not-audited',
        message: `The file was not audited: ${read.problem.message}`,
        text: path,
        path: absolute,
      },
    ]
  const { as, what } = kindOfBytes(read.bytes)
  if (as === 'text') return auditPadding(textOfBytes(read.bytes), path).map(one => ({ ...one, path: absolute }))
  // An image that can be executed counts as a program.
  const isRun = program.test(path) || ((read.stats.mode ?? 0) & 0o111) !== 0
  return [
    {
      level: as === 'opaque' || isRun ? 'high' : as === 'document' ? 'low' : 'info',
      code: 'opaque-file',
      message: `A file beside the skill is not readable text: ${path} is ${what} (${read.bytes.length} bytes).`,
      text: path,
      path: absolute,
    },
  ]
}

function lookAtLink(link: string, target: string, real: string | undefined): AuditFinding[] {
  try {
    const leadsTo = realPathOf(link)
    if (leadsTo === undefined)
      return [
        {
          level: 'low',
          code: 'dangling-link',
          message: `A link beside the skill leads to nothing: ${target}`,
          text: target,
          path: link,
        },
      ]
    if (real !== undefined && isInside(leadsTo, real)) return []
    return [
      {
        level: 'high',
        code: 'link-outside',
        message: `A link beside the skill leads out of its folder, to ${leadsTo}`,
        text: leadsTo,
        path: link,
      },
    ]
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return [
      {
        level: 'high',
        code: 'link-outside',
        message: `The target of a link beside the skill is unknown: ${target}`,
        text: target,
        path: link,
      },
    ]
  }
}
