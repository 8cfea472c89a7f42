import type { EvalReport } from './eval-report.js'
import type { Proportion } from './statistics.js'

/** Formats a share, such as `2 of 3 (21–94 %)`. */
export function shareText({ successes, trials, low, high }: Proportion): string {
  const percent = (share: number): string => String(Math.round(share * 100))
  return trials === 0 ? '0 of 0 (no trial counts)' : `${successes} of ${trials} (${percent(low)}–${percent(high)} %)`
}

/** Returns the checks of a report, each passed or failed: the rows of JUnit and of the Markdown list. */
export function checksOf({ triggers, outcomes, comparison, stale }: EvalReport): readonly {
  readonly skill: string
  readonly what: string
  /** Undefined if the check passed. */
  readonly problem?: string | undefined
}[] {
  const isStale = (skill: string, id: string): boolean =>
    stale.some(one => one.skill === skill && (one.id === id || one.id.startsWith(`${id}, `)))
  return [
    ...(triggers?.skills ?? []).flatMap(({ name, queries }) =>
      queries.map(({ id, query, shouldTrigger, triggered, passed }) => ({
        skill: name,
        what: `${shouldTrigger ? 'picks it' : 'does not pick it'}: ${query}`,
        ...(!passed && {
          problem: isStale(name, id)
            ? 'This query is not recorded. Record it with --record.'
            : `Picked in ${shareText(triggered)}.`,
        }),
      })),
    ),
    ...(outcomes?.skills ?? []).flatMap(({ name, tasks }) =>
      tasks.flatMap(({ id, assertions, notAllowed }) =>
        assertions.map(({ what, with: used }) => ({
          skill: name,
          what: `${id}: ${what}`,
          ...(used.successes * 2 <= used.trials && {
            problem:
              notAllowed.length > 0
                ? `Not allowed: ${notAllowed.join(', ')}.`
                : isStale(name, id)
                  ? 'This query is not recorded. Record it with --record.'
                  : `Held in ${shareText(used)}.`,
          }),
        })),
      ),
    ),
    ...(comparison?.changes ?? []).flatMap(({ skill, level, verdict, isBelow }) =>
      verdict === 'worse' || isBelow
        ? [
            {
              skill,
              what: `${level} compared`,
              problem: verdict === 'worse' ? 'Worse than the baseline.' : 'Below the threshold.',
            },
          ]
        : [],
    ),
  ]
}

/** Formats a report for test runners: one suite a skill. */
export function junitText(report: EvalReport): string {
  const checks = checksOf(report)
  const suites = [...new Set(checks.map(({ skill }) => skill))].map(skill => {
    const own = checks.filter(one => one.skill === skill)
    const cases = own.map(({ what, problem }) =>
      problem === undefined
        ? `    <testcase classname=${attribute(skill)} name=${attribute(what)}/>`
        : `    <testcase classname=${attribute(skill)} name=${attribute(what)}><failure message=${attribute(problem)}/></testcase>`,
    )
    const failures = own.filter(({ problem }) => problem !== undefined).length
    return [
      `  <testsuite name=${attribute(skill)} tests="${own.length}" failures="${failures}">`,
      ...cases,
      '  </testsuite>',
    ].join('\n')
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="skills eval">\n${suites.map(one => `${one}\n`).join('')}</testsuites>\n`
}

function attribute(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  // XML 1.0 cannot represent other control characters.
  const safe = text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return `"${safe.replace(/[&<>"]/g, one => entities[one] ?? one).replace(/[\t\n\r]/g, one => `&#${one.charCodeAt(0)};`)}"`
}

/** Formats a report for a pull request. */
export function markdownText(report: EvalReport): string {
  const { model, triggers, outcomes, against, comparison } = report
  const lines = [`### skills eval: ${cell(model)}`, '']
  if (triggers !== undefined)
    lines.push(
      '| skill | right | recall | precision |',
      '|---|---|---|---|',
      ...triggers.skills.map(
        ({ name, right, recall, precision }) =>
          `| ${cell(name)} | ${[right, recall, precision].map(shareText).join(' | ')} |`,
      ),
      '',
    )
  if (outcomes !== undefined)
    lines.push(
      '| skill | assertions with it | without it | difference | invoked |',
      '|---|---|---|---|---|',
      ...outcomes.skills.map(one => {
        const { difference, low, high } = one.difference
        const [points, from, to] = [difference, low, high].map(share => Math.round(share * 100))
        return `| ${cell(one.name)} | ${shareText(one.with)} | ${shareText(one.without)} | ${points} points (${from} to ${to}) | ${shareText(one.invoked)} |`
      }),
      '',
    )
  if (against !== undefined)
    lines.push(
      `The other description of ${cell(against.name)} is ${against.verdict}: ${shareText(against.other)}, its own ${shareText(against.own)}.`,
      '',
    )
  const changed = comparison?.changes.filter(({ verdict }) => verdict === 'worse' || verdict === 'better') ?? []
  for (const { skill, level, verdict } of changed)
    lines.push(`- ${cell(skill)}: ${level} is ${verdict} than the baseline`)
  const problems = checksOf(report).filter(({ problem }) => problem !== undefined)
  for (const { skill, what, problem = '' } of problems) lines.push(`- ${cell(skill)}, ${cell(what)}: ${cell(problem)}`)
  return `${lines.join('\n').trimEnd()}\n`
}

/** Escapes text for a cell, so that none of it is read as markup. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#@]/g, '\\$&')
}
