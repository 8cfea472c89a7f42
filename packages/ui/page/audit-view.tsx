import { counted } from './words.js'
import { LongList } from './virtual-rows.js'
import { SkillLink, Waiting } from './parts.js'
import { useAnswer } from './ask.js'
import { useMemo } from 'preact/hooks'
import type { AuditedSkill, AuditFinding, AuditLevel } from '@skills/inspect/internal'

type Row =
  | { readonly heading: string; readonly count: number; readonly level: AuditLevel }
  | { readonly skill: AuditedSkill; readonly finding: AuditFinding }

const levels: readonly AuditLevel[] = ['high', 'medium', 'low', 'info']

/** Shows what skills can do, by power, the furthest reach first, with the skills that have each. */
export function Audit() {
  const { value, problem } = useAnswer('audit', {})
  const rows = useMemo(() => rowsOf([...(value ?? [])]), [value])
  if (value === undefined) return <Waiting problem={problem} what="Looking at what skills can do" />
  return (
    <div class="column">
      <h1>What skills can do</h1>
      {rows.length === 0 ? (
        <p>No skill here runs, reads, writes or fetches anything by itself.</p>
      ) : (
        <LongList rows={rows} height={40} label="Findings by power">
          {row =>
            'heading' in row ? (
              <h2 class="entry">
                <b class={`level-${row.level}`}>{row.level}</b> {row.heading.replaceAll('-', ' ')}{' '}
                <span class="quiet">{counted(row.count, 'finding')}</span>
              </h2>
            ) : (
              <div class="entry finding">
                <SkillLink name={row.skill.name} />
                <span class="source">{row.skill.source}</span>
                <span class="about" title={row.finding.text ?? row.finding.message}>
                  {row.finding.message}
                </span>
              </div>
            )
          }
        </LongList>
      )}
    </div>
  )
}

function rowsOf(skills: readonly AuditedSkill[]): readonly Row[] {
  const groups = new Map<string, Extract<Row, { finding: unknown }>[]>()
  for (const skill of skills)
    for (const finding of skill.findings) {
      const key = `${levels.indexOf(finding.level)} ${finding.code}`
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [{ skill, finding }])
      else group.push({ skill, finding })
    }
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([key, found]) => [
      { heading: key.slice(2), count: found.length, level: levels[Number(key[0])] ?? 'info' },
      ...found,
    ])
}
