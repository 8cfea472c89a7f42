import { printableLine } from '../../output/printable.js'
import { columnOf, cut, pad } from '../../output/width.js'
import type { FoundVersion, SkillVersion } from '@skills/registry/internal'
import type { Output } from '../../io.js'

const nameOf = ({ namespace, name }: SkillVersion): string => printableLine(`${namespace}/${name}`)
/** Digits by which a version can be named. */
const shortDigest = (digest: string): string => digest.replace('sha256:', '').slice(0, 12)

/** Returns found skills, one a line; a terminal gets columns. */
export function foundText(found: readonly FoundVersion[], output: Output): string {
  const rows = found.map(({ version }) => [nameOf(version), printableLine(version.description)] as const)
  if (!output.isTerminal) return rows.map(row => `${row.join('\t')}\n`).join('')
  const width = columnOf(rows.map(([name]) => name))
  return rows.map(([name, text]) => `${cut(`${pad(name, width)}  ${text}`, output.columns)}\n`).join('')
}

export function versionsText(versions: readonly SkillVersion[]): string {
  const [newest] = versions
  const current = versions.find(({ tags }) => tags.includes('latest')) ?? newest
  if (current === undefined) return ''
  const { files, powers, provenance } = current
  const findings = powers?.findings.map(({ level, message }) => `  ${level}  ${printableLine(message)}`)
  const lines = [
    `${nameOf(current)}  ${printableLine(current.description)}`,
    `Files  ${files.length}, ${files.reduce((sum, file) => sum + file.bytes, 0)} bytes`,
    ...(provenance === undefined ? [] : [`From   ${printableLine(provenance.source)}`]),
    ...(findings === undefined
      ? []
      : findings.length === 0
        ? ['It can do nothing by itself: it is text alone.']
        : ['It can', ...findings]),
    'Versions',
    ...versions.map(({ label = '', digest, tags, isYanked, publishedAt }) => {
      const date = new Date(publishedAt).toISOString().slice(0, 10)
      const parts = [shortDigest(digest), date, label, tags.join(', '), isYanked ? 'yanked' : '']
      return `  ${parts.filter(part => part !== '').join('  ')}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

export function refusedText(refused: readonly { readonly name: string; readonly error: Error }[]): string {
  return refused
    .map(({ name, error }) => `skills: ${printableLine(name)} is left out: ${printableLine(error.message)}\n`)
    .join('')
}
