import { inOneLine, isPairs, lineAt, noFrontmatter, notPairs, notText, notYaml, own } from '../../frontmatter-fields.js'
import JSON5 from 'json5'
import type { FrontmatterReader } from '@skills/skill-md'
import type { FrontmatterData } from '@skills/skill-md/internal'

const opening = /^---[^\S\r\n]*\r?\n/
const closing = /(?:\r\n|\n|\r)---[^\S\r\n]*(?=[\r\n]|$)/g
const described = /^description:[^\S\n]*(\S[^\n]*)$/m

/**
 * Returns the description as the line has it, without quotes around it. It counts if the YAML fails or gives none.
 * Undefined if its text is on the lines below.
 */
function describedIn(block: string): string | undefined {
  const value = described.exec(block)?.[1]?.trim()
  return value === undefined || /^[|>][\d+-]*$/.test(value) ? undefined : value.replace(/^(["'])(?:(.*)\1)?$/, '$2')
}

/** Returns a value as text: a number as it is written in JSON, and a list or a map as JSON. */
function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.trim() || undefined
}

const isYes = (value: unknown): boolean => /^(?:true|yes|on|1)$/i.test(asText(value) ?? '')
const isNo = (value: unknown): boolean => /^(?:false|no|off|0)$/i.test(asText(value) ?? '')

/** Names of systems. Other programs' words for them are no systems of OpenClaw. */
const systems: ReadonlySet<string> = new Set(['darwin', 'linux', 'win32'])

/**
 * Returns the metadata with only those needs that OpenClaw knows: of `openclaw`, or else of `clawdbot`. Metadata can be
 * JSON5 as a text. `always` takes all needs away but that of a system.
 */
function metadataFrom(value: unknown): FrontmatterData | undefined {
  const metadata = typeof value === 'string' ? fromJson5(value) : value
  if (!isPairs(metadata)) return undefined
  const { requires: _, clawdbot, ...others } = metadata
  const block = [own(metadata, 'openclaw'), clawdbot].find(isPairs)
  if (block === undefined) return others
  const { requires, os, ...rest } = block
  const named = (Array.isArray(os) ? os : typeof os === 'string' ? os.split(',') : []).map(one => String(one).trim())
  return {
    ...others,
    openclaw: {
      ...rest,
      ...(own(block, 'always') !== true && { requires }),
      ...(named.length > 0 && { os: named.map(name => (systems.has(name) ? name : `${name} (unknown)`)) }),
    },
  }
}

function fromJson5(text: string): unknown {
  try {
    return JSON5.parse(text)
  } catch {
    // Without metadata, a skill has no needs.
    return undefined
  }
}

/**
 * Reads frontmatter as OpenClaw does. Lines `---` open and close it. If the YAML fails, the description is the text of
 * its line. Other values become texts. A description is required; without a name, the name of the folder is used.
 */
export const openclawFrontmatter: FrontmatterReader = (text, yaml, { isWhole }) => {
  const mark = text.startsWith('\ufeff') ? 1 : 0
  const fence = opening.exec(text.slice(mark))?.[0]
  if (fence === undefined) return isWhole || text.includes('\n') ? noFrontmatter : undefined
  const start = mark + fence.length
  closing.lastIndex = start - 1
  const close = closing.exec(text)
  if (close === null || (!isWhole && closing.lastIndex === text.length)) return isWhole ? noFrontmatter : undefined
  const block = text.slice(start, Math.max(start, close.index)).replace(/\r\n?/g, '\n')
  const reading = { tags: 'ignored', aliases: 'shared' } as const
  const first = yaml(block, reading)
  const line = describedIn(block)
  const read =
    first.ok || line === undefined
      ? first
      : yaml(
          block.replace(described, () => `description: ${JSON.stringify(line)}`),
          reading,
        )
  if (!read.ok) return notYaml(read.reason, lineAt(text, start) + read.line)
  const pairs = read.value ?? {}
  if (!isPairs(pairs)) return notPairs
  const given = own(pairs, 'description')
  const isOfLine = isPairs(given) || ((given ?? null) === null && line?.startsWith('!') === false)
  const [name, description] = [asText(own(pairs, 'name')), asText(isOfLine ? (line ?? given) : given)]
  if (description === undefined) return notText('description', undefined)
  const metadata = metadataFrom(own(pairs, 'metadata'))
  return {
    data: {
      ...(name !== undefined && { name: inOneLine(name) }),
      description,
      ...(metadata && { metadata }),
      ...(isYes(own(pairs, 'disable-model-invocation')) && { 'disable-model-invocation': 'true' }),
      ...(isNo(own(pairs, 'user-invocable')) && { 'user-invocable': 'false' }),
    },
    body: closing.lastIndex + (/^\s*/.exec(text.slice(closing.lastIndex))?.[0].length ?? 0),
  }
}
