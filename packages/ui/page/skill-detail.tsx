import { Body } from './body.js'
import { Difference, Problems, Waiting } from './parts.js'
import { Seen } from './seen.js'
import { isReport, useAnswer } from './ask.js'
import { linkTo } from './route.js'
import { stateWords } from './words.js'
import type { LayerJson, SkillPage } from '../src/api.js'
import type { AuditFinding } from '@skills/inspect/internal'

/** Shows one skill: its source, its visibility, its problems, what it can do, and its text. */
export function SkillDetail({ name, path }: { readonly name: string; readonly path: string | undefined }) {
  const { value, problem } = useAnswer('skill', { name, path })
  if (value === undefined) return <Waiting problem={problem} what={`Reading ${name}`} />
  const {
    explanation: { answers, notes, suggestions },
    shown,
    problems,
    repair,
    audit,
    isEditable,
  } = value
  const here = answers.find(layer => layer.path === path) ?? answers[0]
  return (
    <article>
      <a class="back" href={linkTo('skills')}>
        ← All skills
      </a>
      <h1 class="name">{name}</h1>
      {here === undefined && (
        <p>There is no skill of this name. {suggestions.length > 0 && `Close to it: ${suggestions.join(', ')}.`}</p>
      )}
      {shown?.description !== undefined && shown.description !== null && (
        <p class="lead">
          <Seen text={shown.description} />
        </p>
      )}
      {isEditable && !isReport && here?.path && (
        <p>
          <a href={linkTo('edit', name, here.path)}>Edit this file</a>
        </p>
      )}
      {answers.length > 0 && <Layers answers={answers} path={here?.path ?? undefined} />}
      {here !== undefined && <Who layer={here} />}
      {problems.length > 0 && (
        <section>
          <h2>What is wrong</h2>
          <Problems problems={problems} />
          {repair !== null && (
            <>
              <h3>
                The repair, as <code>skills lint --fix</code> writes it
              </h3>
              <Difference {...repair} />
            </>
          )}
        </section>
      )}
      {audit !== null && <Powers findings={audit.findings} />}
      {shown !== null && <Fields shown={shown} />}
      {notes.length > 0 && (
        <section>
          <h2>Notes</h2>
          <ul>
            {notes.map(({ text }, at) => (
              <li key={at}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      {shown !== null && shown.body !== null && (
        <section>
          <h2>What it says</h2>
          <Body text={shown.body} reading={value.reading} />
        </section>
      )}
    </article>
  )
}

/** Shows every place with the name: the winner first, then the others, struck out. */
function Layers({ answers, path }: { readonly answers: readonly LayerJson[]; readonly path: string | undefined }) {
  return (
    <section>
      <h2>Where it comes from</h2>
      <ol class="plain layers">
        {answers.map((layer, at) => {
          // A skill under a longer name lost the plain one.
          const isLost = layer.state !== 'active' && (layer.state !== 'qualified' || at > 0)
          const place = (
            <>
              <b>{layer.source ?? 'unknown'}</b> {layer.path !== null && <code>{layer.path}</code>}
            </>
          )
          return (
            <li key={at} class={layer.state} aria-current={layer.path === path ? 'true' : undefined}>
              <a href={linkTo('skills', layer.name, layer.path)}>
                {isLost ? <s>{place}</s> : place}
                {layer.state === 'qualified' && <span class="name"> {layer.name}</span>}
              </a>
              <p class="hint">
                {stateWords[layer.state]}. {layer.reason}
              </p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Who({ layer: { isListed, notListedBecause, userInvocable, name, argumentHint } }: { layer: LayerJson }) {
  return (
    <section>
      <h2>Who can invoke it</h2>
      <dl>
        <dt>You</dt>
        <dd>
          {userInvocable === true ? (
            <>
              yes: <code>{`/${name}${argumentHint === null ? '' : ` ${argumentHint}`}`}</code>
            </>
          ) : (
            'no: its file says so, or it did not load.'
          )}
        </dd>
        <dt>The model</dt>
        <dd>{isListed ? 'yes, and it is told of it.' : `no. ${notListedBecause.map(({ text }) => text).join(' ')}`}</dd>
      </dl>
    </section>
  )
}

/** Shows what a skill can do, the furthest reach first. */
export function Powers({ findings }: { readonly findings: readonly AuditFinding[] }) {
  return (
    <section>
      <h2>What it can do</h2>
      {findings.length === 0 ? (
        <p>It is text alone: no command, no hook, no tool of its own.</p>
      ) : (
        <ul class="plain problems">
          {findings.map((one, at) => (
            <li key={at}>
              <b class={`level-${one.level}`}>{one.level}</b>
              {one.line !== undefined && <span class="quiet"> line {one.line}</span>} {one.message}
              {one.text !== undefined && !one.message.endsWith(one.text) && (
                <pre tabIndex={0}>
                  <Seen text={one.text} />
                </pre>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Fields that other parts of the page show. */
const toldElsewhere = new Set(
  (
    'body blocks description name state source path reason shadowedBy userInvocable disableModelInvocation type baseDir ' +
    'argumentHint hasUserSpecifiedDescription contentLength dependencies files'
  ).split(' '),
)
/** Values of fields that the author did not set. */
const usual: Readonly<Record<string, unknown>> = {
  override: 'on',
  context: 'inline',
  shell: 'bash',
  loadedFrom: 'skills',
}

function Fields({ shown }: { readonly shown: NonNullable<SkillPage['shown']> }) {
  const rows = Object.entries(shown).filter(
    ([key, value]) =>
      !toldElsewhere.has(key) &&
      value !== usual[key] &&
      value !== null &&
      value !== false &&
      !(Array.isArray(value) && value.length === 0) &&
      !(key === 'displayName' && value === shown.name) &&
      !(key === 'metadata' && Object.keys(value ?? {}).length === 0),
  )
  const { entries = [] } = (shown['files'] ?? {}) as { entries?: readonly { readonly path: string }[] }
  if (entries.length > 0) rows.push(['files beside it', entries.map(({ path }) => path)])
  if (rows.length === 0) return undefined
  return (
    <section>
      <h2>Its fields</h2>
      <dl>
        {rows.map(([key, value]) => (
          <>
            <dt>{key.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}</dt>
            <dd>{typeof value === 'object' ? <pre tabIndex={0}>{textOf(value)}</pre> : String(value)}</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

function textOf(value: unknown): string {
  const isWords = Array.isArray(value) && value.every(one => typeof one === 'string')
  return isWords ? value.join('\n') : JSON.stringify(value, undefined, 2)
}
