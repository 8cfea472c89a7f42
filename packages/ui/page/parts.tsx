import { differenceOf } from './difference.js'
import { isReport } from './ask.js'
import { linkTo } from './address.js'
import type { Diagnostic } from '@skills/core'

/** Shows problems, each with its place and remedy. */
export function Problems({ problems }: { readonly problems: readonly Diagnostic[] }) {
  return (
    <ul class="plain problems">
      {problems.map((one, at) => (
        <li key={at}>
          <b class={one.severity}>{one.severity}</b>
          {one.line !== undefined && <span class="quiet"> line {one.line}</span>} {one.message}
          {one.hint !== undefined && <p class="hint">{one.hint}</p>}
        </li>
      ))}
    </ul>
  )
}

/** Shows the lines that are only in the first text and those that are only in the second. */
export function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <pre class="difference" tabIndex={0} aria-label="What is different">
      {differenceOf(before, after).map(({ kind, text }, at) =>
        kind === 'removed' ? (
          <del key={at}>− {text}</del>
        ) : kind === 'added' ? (
          <ins key={at}>+ {text}</ins>
        ) : (
          <span key={at}>
            {'  '}
            {text}
          </span>
        ),
      )}
    </pre>
  )
}

export function SkillLink({ name, path }: { readonly name: string; readonly path?: string | null | undefined }) {
  return (
    <a class="name" href={linkTo('skills', name, path)}>
      {name}
    </a>
  )
}

/** Shows that a view waits for its answer, or why there is none. */
export function Waiting({ problem, what }: { readonly problem: string | undefined; readonly what: string }) {
  return problem === undefined ? (
    <p class="quiet pad" role="status">
      {what} …
    </p>
  ) : (
    <p class="problem pad" role="alert">
      {isReport ? `${what}: ${problem}` : problem}
    </p>
  )
}
