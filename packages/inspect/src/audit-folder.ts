import { isInside, lstatOf, realPathOf, systemCode } from '@skills/files'
import { filesBeside, type FileBeside } from './files-beside.js'
import type { AuditFinding } from './audit-finding.js'

/** Bytes of all files beside a skill, beyond which it is said. */
const muchBytes = 5_000_000
/** Files beside a skill that are told of one by one. */
const most = 1_000

const program =
  /\.(?:sh|bash|zsh|fish|ps1|psm1|bat|cmd|exe|com|py|pyw|rb|pl|php|js|cjs|mjs|ts|cts|mts|lua|tcl|r|jar|applescript|scpt|vbs|wsf|awk|so|dll|dylib|wasm)$/i

/**
 * What lies beside a skill: programs, links that lead away, size.
 * @param folder of the skill, absolute
 * @param file the skill's own, absolute
 * @throws AbortError when the signal aborts
 */
export async function auditFolder(
  folder: string,
  file: string | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly AuditFinding[]> {
  const { files, more, isComplete, diagnostics } = await filesBeside(folder, { except: file, most, signal })
  // Most folders hold no more than the skill.
  const real = files.length === 0 ? undefined : realPathOf(folder)
  const found = files.flatMap(one => lookAt(one, folder, real))
  found.push(
    ...diagnostics.map(({ message, path }): AuditFinding => ({ level: 'high', code: 'not-audited', message, path })),
  )
  if (!isComplete)
    found.push({
      level: 'high',
      code: 'not-audited',
      message: `The folder ${folder} has more files in it than were looked at.`,
      path: folder,
    })
  const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0)
  const count = files.length + more
  if (more > 0 || bytes > muchBytes)
    found.push({
      level: 'low',
      code: 'size',
      message: `${count} files lie beside it, with ${bytes} bytes${more > 0 ? ` in the first ${files.length} of them` : ''}.`,
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
      message: `A program lies beside it: ${path} (${size ?? 0} bytes${isExecutable ? ', executable' : ''}).`,
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
          message: `A link beside it leads to nothing: ${target}`,
          text: target,
          path: link,
        },
      ]
    if (real !== undefined && isInside(leadsTo, real)) return []
    return [
      {
        level: 'high',
        code: 'link-outside',
        message: `A link beside it leads out of its folder, to ${leadsTo}`,
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
        message: `It cannot be told where a link beside it leads: ${target}`,
        text: target,
        path: link,
      },
    ]
  }
}
