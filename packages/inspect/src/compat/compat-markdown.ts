import { cellOf, cellWordOf, cellWords } from '../cell-words.js'
import type { Compat, SkillCompat } from './compat-types.js'

/** Most skills and changes in a table, because a pull request's comment has a limit. */
const mostRows = 200

/** Returns a table for a pull request, with the changes to make below it. */
export function compatMarkdown({ agents, skills }: Compat): string {
  const shown = skills.slice(0, mostRows)
  const head = [
    'skill',
    ...agents.map(({ name, checked }) => `${name}${checked === undefined ? '' : ` ${checked.version}`}`),
  ]
  const rows = shown.map(({ name, agents: all }) => [code(name), ...all.map(cellOf)])
  const changes = shown.flatMap(skill => changesOf(skill))
  const used = new Set(skills.flatMap(({ agents: all }) => all.map(cellWordOf)))
  return [
    ...[head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`),
    '',
    ...(skills.length > mostRows ? [`${skills.length - mostRows} more skills are not shown.`, ''] : []),
    ...Object.entries(cellWords)
      .filter(([word]) => used.has(word as keyof typeof cellWords))
      .map(([word, meaning]) => `- ${word}: ${meaning}`),
    '- `*`: a field is ignored that does something, or means something else',
    ...(changes.length === 0 ? [] : ['', '**What would change it**', '', ...changes.slice(0, mostRows)]),
    '',
  ].join('\n')
}

/** Returns one line for each change, with the agents that it helps. */
function changesOf({ name, agents }: SkillCompat): readonly string[] {
  const helped = new Map<string, string[]>()
  for (const { agent, change } of agents)
    if (change !== undefined) helped.set(change.text, [...(helped.get(change.text) ?? []), agent])
  return [...helped].map(([text, names]) => `- ${code(name)} (${names.join(', ')}): ${escaped(text)}`)
}

/** Quotes a text for a table cell; names and texts come from others' files. */
function code(text: string): string {
  return `\`${text.replace(/[`|\s]+/g, ' ')}\``
}

function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#!@]/g, '\\$&')
}
