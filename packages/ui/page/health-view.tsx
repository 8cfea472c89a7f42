import { useEffect, useMemo } from 'preact/hooks'
import { isReport, type Answered } from './ask.js'
import { Apply, Change, Move, MoveBack, Undo } from './repair.js'
import { Given } from './given-view.js'
import { linkTo, type Route } from './address.js'
import { Problems, SkillLink, Waiting } from './parts.js'
import { counted, filterWords } from './words.js'
import { isIn, type Indexed } from './filter.js'
import type { About, Health as HealthJson } from '../src/api.js'

/** Most skills in the table of what a turn costs. */
const mostCosts = 8

/** Kinds of the numbers that filter the list, in order. */
const numbers: Readonly<Record<string, '' | 'good' | 'care' | 'bad'>> = {
  active: '',
  'told-whole': 'good',
  'told-cut': 'care',
  'told-name': 'care',
  'told-omitted': 'bad',
  'not-told': '',
  problems: 'bad',
  trust: 'care',
}

interface HealthProps {
  readonly rows: readonly Indexed[]
  readonly answer: Answered<HealthJson>
  readonly route: Route
  readonly about: About | undefined
  /** True if a person put at least one skill here. */
  readonly hasOwn: boolean
}

/** Landing of the page: the health of all skills as numbers that filter, and what to do about it. */
export function Health({ rows, answer: { value, problem }, route, about, hasOwn }: HealthProps) {
  const shows = route.more.get('show')
  useEffect(() => {
    if (shows === 'almost') document.getElementById('almost')?.focus()
  }, [shows, value])
  const tokens = value?.costs.reduce((sum, one) => sum + one.tokens, 0) ?? 0
  return (
    <div class="health">
      <h1>{hasOwn ? 'How your skills are' : 'No skills of your own yet'}</h1>
      {!hasOwn && <First />}
      {rows.length > 0 && (
        <ul class="plain numbers" aria-label="Numbers that filter the list">
          {Object.entries(numbers).map(([state, kind]) => {
            const count = rows.reduce((sum, row) => sum + Number(isIn(state, row)), 0)
            const isAlways = state === 'active' || state === 'told-whole' || state === 'problems'
            if (count === 0 && !isAlways) return undefined
            return (
              <li key={state}>
                <a
                  class={count > 0 ? kind : ''}
                  href={linkTo('skills', undefined, undefined, { state })}
                  aria-current={route.more.get('state') === state ? 'true' : undefined}
                >
                  <b>{count.toLocaleString('en')}</b> {filterWords[state]}
                </a>
              </li>
            )
          })}
          {value !== undefined && value.almost.length > 0 && (
            <li>
              <a class="bad" href={linkTo('home', undefined, undefined, { show: 'almost' })}>
                <b>{value.almost.length.toLocaleString('en')}</b> nearly a skill
              </a>
            </li>
          )}
        </ul>
      )}
      {value === undefined ? (
        <Waiting problem={problem} what="Looking at what the model is told" />
      ) : (
        <>
          <p>
            The list costs the model about <b>{counted(tokens, 'token')}</b> in each turn, in a window of{' '}
            {value.contextWindow.toLocaleString('en')} tokens. <a href={linkTo('budget')}>See it to the letter</a>
          </p>
          {value.unasked > 0 && (
            <p class="hint">{counted(value.unasked, 'further skill')} may wait for trust: this was not looked up.</p>
          )}
          <Repairs {...value} />
          <Almost {...value} />
          <Others problems={about?.problems ?? []} almost={value.almost} />
          {!isReport && <Given />}
          <Costs {...value} />
        </>
      )}
    </div>
  )
}

/** Shows the first steps for a person who has no skills yet. */
function First() {
  return (
    <>
      <p>What is listed came with the program. To begin:</p>
      <ul>
        <li>
          <code>skills new NAME</code> writes a first one, and it appears here.
        </li>
        <li>
          <code>skills add SOURCE</code> installs those of a repository, an archive or a package.
        </li>
        <li>If you have some that do not show, drop their folder below.</li>
      </ul>
    </>
  )
}

function Repairs({ repairs, unchecked }: HealthJson) {
  return (
    <>
      {repairs.length > 0 && (
        <section aria-label="Repairs">
          <h2>{counted(repairs.length, 'file')} can be repaired</h2>
          <ul class="plain repairs">
            {repairs.map(({ name, path, problems }) => (
              <li key={path}>
                <p>
                  <SkillLink name={name} path={path} /> <Apply name={name} path={path} />
                </p>
                {problems.map(text => (
                  <p key={text} class="hint">
                    {text}
                  </p>
                ))}
                <Change name={name} path={path} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {unchecked > 0 && (
        <p class="hint">
          {counted(unchecked, 'further file')} with problems may be repaired by <code>skills lint --fix</code>.
        </p>
      )}
      <Undo />
    </>
  )
}

function Almost({ almost, moved }: HealthJson) {
  return (
    <>
      {almost.length > 0 && (
        <section id="almost" tabIndex={-1} aria-label="Nearly skills">
          <h2>{counted(almost.length, 'file')} nearly a skill, and read by no one</h2>
          <ul class="plain repairs">
            {almost.map(one => (
              <li key={`${one.code} ${one.path ?? ''}`}>
                <Problems problems={[one]} />
                {one.to !== null && one.path !== undefined && (
                  <p>
                    <Move path={one.path} to={one.to} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <MoveBack moved={moved} />
    </>
  )
}

/** Problems outside of skill files, except those of files that are nearly skills, which stand above. */
function Others({ problems, almost }: Pick<About, 'problems'> & Pick<HealthJson, 'almost'>) {
  const left = problems.filter(({ code, path }) => !almost.some(one => one.code === code && one.path === path))
  if (left.length === 0) return undefined
  return (
    <section aria-label="Other problems">
      <h2>Wrong elsewhere</h2>
      <Problems problems={left} />
    </section>
  )
}

/** Shows the skills that cost most in each turn. */
function Costs({ costs }: HealthJson) {
  const most = useMemo(() => costs.toSorted((one, other) => other.tokens - one.tokens).slice(0, mostCosts), [costs])
  const [first] = most
  if (first === undefined) return undefined
  return (
    <section aria-label="What a turn costs">
      <h2>What costs most in each turn</h2>
      <ul class="plain costs">
        {most.map(({ name, tokens }) => (
          <li key={name}>
            <SkillLink name={name} />
            <meter value={tokens} max={first.tokens} aria-label={`Tokens of ${name}`} />
            <span>{counted(tokens, 'token')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
