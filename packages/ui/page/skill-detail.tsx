import { Body } from './body.js'
import { Difference, Problems, Waiting } from './parts.js'
import { Seen } from './seen.js'
import { isReport, useAnswer } from './ask.js'
import { linkTo, type Parameters } from './address.js'
import { Apply, Undo } from './repair.js'
import { SeenBy } from './seen-by.js'
import { counted, stateWords } from './words.js'
import type { LayerJson, SkillPage } from '../src/api.js'
import type { AuditFinding } from '@skills/inspect/internal'

interface DetailProps {
  readonly name: string
  readonly path: string | undefined
  /** Tokens that it costs in each turn; undefined if it is not listed, or if that is not known yet. */
  readonly tokens: number | undefined
  /** Filter of the list, to which a person goes back. */
  readonly more: Parameters
}

/** Shows one skill: its source, its visibility, its problems, what it can do, and its text. */
export function SkillDetail({ name, path, tokens, more }: DetailProps) {
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
      <a class="back" href={linkTo('skills', undefined, undefined, more)}>
        ← All skills
      </a>
      <h1 class="name">{name}</h1>
      {here === undefined && <Unknown name={name} suggestions={suggestions} notes={notes} />}
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
      {here !== undefined && <Who layer={here} tokens={tokens} />}
      {here !== undefined && (
        <section>
          <h2>Which agents see it</h2>
          <SeenBy name={name} path={here.path ?? undefined} />
        </section>
      )}
      {here?.path && <Undo path={here.path} />}
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
              {here?.path && (
                <p>
                  <Apply name={name} path={here.path} />
                </p>
              )}
            </>
          )}
        </section>
      )}
      {audit !== null && <Powers findings={audit.findings} />}
      {shown !== null && <Fields shown={shown} />}
      {notes.length > 0 && here !== undefined && (
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
              <p class="hint">{reasonOf(layer)}</p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Returns why a place has its state. Of a skill that failed to load, its first error is the reason. */
function reasonOf({ state, reason, diagnostics }: LayerJson): string {
  const error = state === 'failed' ? diagnostics.find(({ severity }) => severity === 'error') : undefined
  return error === undefined
    ? `${stateWords[state]}. ${reason}`
    : [`${stateWords[state]}: ${error.message}`, error.hint].filter(Boolean).join(' ')
}

/** Says what to do where no skill has the name. */
function Unknown({
  name,
  suggestions,
  notes,
}: Pick<SkillPage['explanation'], 'suggestions' | 'notes'> & { name: string }) {
  return (
    <>
      <p>There is no skill of this name where this agent looks.</p>
      {suggestions.length > 0 && (
        <p>
          Close to it:{' '}
          {suggestions.map(one => (
            <span key={one}>
              <a href={linkTo('skills', one)}>{one}</a>{' '}
            </span>
          ))}
        </p>
      )}
      {notes.length > 0 && (
        <>
          <h2>What was found instead</h2>
          <ul>
            {notes.map(({ text }, at) => (
              <li key={at}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <h2>What to do</h2>
      <ul>
        <li>
          Look at <a href={linkTo('sources')}>the places that are searched</a>.
        </li>
        {!isReport && (
          <li>
            If you have the folder, <a href={linkTo('home')}>drop it on the first view</a>: it says what is missing.
          </li>
        )}
        <li>
          Make it: <code>skills new {/^[\w-]+$/.test(name) ? name : 'NAME'}</code>
        </li>
      </ul>
    </>
  )
}

function Who({ layer, tokens }: { readonly layer: LayerJson; readonly tokens: number | undefined }) {
  const { isListed, notListedBecause, told, userInvocable, name, argumentHint } = layer
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
        <dd>
          {isListed ? toldSentence(told, tokens) : `no. ${notListedBecause.map(({ text }) => text).join(' ')}`}
          {told.remedy !== null && <p class="hint">{told.remedy}</p>}
        </dd>
      </dl>
    </section>
  )
}

/** Says what the listing has of a listed skill. */
function toldSentence({ told, because }: LayerJson['told'], tokens: number | undefined): string {
  const cost = tokens === undefined ? '' : ` This costs about ${counted(tokens, 'token')} in each turn.`
  return `${told === 'whole' ? 'yes, and it is told of it whole.' : `yes, in part. ${because}`}${cost}`
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
