import { findEmbeddedCommands } from '@skills/expansion'
import type { FindCommandsOptions } from '@skills/expansion/internal'
import { TextPlaces } from './text-places.js'
import type { Unplaced } from './audit-finding.js'

/** Rules for embedded commands; `false`: there are none. */
export type EmbeddedRules = Pick<FindCommandsOptions, 'fences' | 'inline' | 'escapes'> | false

/** Agent with its rules for embedded commands. */
export interface AgentRules {
  readonly name: string
  readonly embedded: EmbeddedRules
}

/** Most commands that have a finding each. */
const mostOfKind = 1000

// Words that fetch, words that run text, and the separators between them. A pipeline continues after a line that ends
// with a pipe or a backslash.
const remoteWords = new RegExp(
  String.raw`(\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b)` +
    String.raw`|(?<=^|[\s;&|(/\x60])((?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|deno|perl|ruby|php|eval|source|iex|invoke-expression)\b)` +
    String.raw`|;|(?<!\|[ \t\r]*|\\\r?)\n|[|(\x60]`,
  'gi',
)

/**
 * Returns a finding for each command that a skill's text embeds by the rules of at least one agent.
 * @param text the whole file, or only the body for a command without a file
 * @param bodyStart start of the body, in UTF-16 code units
 */
export function auditCommands(
  text: string,
  bodyStart: number,
  agents: readonly AgentRules[],
  shell: FindCommandsOptions['shell'],
): readonly Unplaced[] {
  const places = new TextPlaces(text)
  const body = text.slice(bodyStart)
  const running = agents.filter(({ embedded }) => embedded !== false)
  const found = new Map<string, { readonly finding: Unplaced; readonly agents: string[] }>()
  const known = new Map<string, readonly Unplaced[]>()
  for (const { name, embedded } of running) {
    if (embedded === false) continue
    const key = JSON.stringify(embedded)
    const findings = known.get(key) ?? findingsBy({ ...embedded, shell })
    known.set(key, findings)
    for (const finding of findings) {
      const same = JSON.stringify([finding.code, finding.message, finding.line, finding.column])
      const before = found.get(same)
      if (before === undefined) found.set(same, { finding, agents: [name] })
      else before.agents.push(name)
    }
  }
  return Array.from(found.values(), ({ finding, agents: own }) =>
    own.length === running.length
      ? finding
      : { ...finding, agents: own, message: `${finding.message} (only for ${own.join(', ')})` },
  )

  function findingsBy(embedded: FindCommandsOptions): readonly Unplaced[] {
    const commands = findEmbeddedCommands(body, embedded)
    const all: Unplaced[] = commands.slice(0, mostOfKind).map(({ script, start, form }) => {
      const isRemote = isRemoteCode(script)
      const where = form === 'inline' ? 'in a line' : 'in a fence'
      const what = isRemote ? `It runs code from the network (${where})` : `Invoking it runs a command (${where})`
      const finding = isRemote
        ? ({ level: 'high', code: 'remote-code' } as const)
        : ({ level: 'medium', code: 'embedded-command' } as const)
      return { ...finding, message: `${what}: ${script.trim()}`, text: script, ...places.at(bodyStart + start) }
    })
    const next = commands[mostOfKind]
    if (next !== undefined) {
      const message = `Invoking the skill runs ${commands.length} commands; the commands from here on are not listed.`
      all.push({ level: 'high', code: 'embedded-command', message, ...places.at(bodyStart + next.start) })
    }
    return all
  }
}

/**
 * Returns true if a script runs text that it fetches: `curl … | sh`, `sh <(curl …)`, `iex (iwr …)`. Looks at each word
 * once.
 */
function isRemoteCode(script: string): boolean {
  let [isFetched, isPiped, isRunning, isOpened] = [false, false, false, false]
  for (const [word, fetcher, runner] of script.matchAll(remoteWords)) {
    if (fetcher !== undefined) {
      if (isOpened) return true
      isFetched = true
    } else if (runner !== undefined) {
      if (isPiped) return true
      isRunning = true
    } else if (word === '|') {
      isPiped = isFetched
      isRunning = false
    } else if (word === '(' || word === '`') isOpened ||= isRunning
    else [isFetched, isPiped, isRunning, isOpened] = [false, false, false, false]
  }
  return false
}
